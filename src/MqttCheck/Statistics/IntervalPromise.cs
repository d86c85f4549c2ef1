namespace MqttCheck.Statistics;

/// <summary>What the stated error of an interval is worth.</summary>
public enum IntervalPromise
{
    /// <summary>It holds for independent runs of every law.</summary>
    Guaranteed,

    /// <summary>It holds for some laws only, which the answer names.</summary>
    Approximate,
}
