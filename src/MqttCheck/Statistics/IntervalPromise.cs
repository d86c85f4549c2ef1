namespace MqttCheck.Statistics;

/// <summary>The strength of the promise about the error of an interval.</summary>
internal enum IntervalPromise
{
    /// <summary>It holds for independent runs of every law.</summary>
    Guaranteed,

    /// <summary>It holds for some laws only, which the answer names.</summary>
    Approximate,
}
