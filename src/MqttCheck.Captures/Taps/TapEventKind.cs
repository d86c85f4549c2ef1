namespace MqttCheck.Captures.Taps;

/// <summary>The kinds of events at a tap.</summary>
internal enum TapEventKind
{
    /// <summary>A client connected.</summary>
    Opened,

    /// <summary>Bytes passed.</summary>
    Passed,

    /// <summary>Bytes passed that could not be kept.</summary>
    Missed,

    /// <summary>A side was closed.</summary>
    Ended,
}
