namespace MqttCheck.Brokers.Loads.Logs;

/// <summary>The verdict on a run, in the last line of its message log.</summary>
internal enum LoadVerdict : byte
{
    /// <summary>The numbers can be used.</summary>
    Valid,

    /// <summary>The generator was late or overloaded: the numbers must not be used.</summary>
    Invalid,

    /// <summary>The user ended the run early.</summary>
    Interrupted,

    /// <summary>The broker ended the run early.</summary>
    Failed,
}
