namespace MqttCheck.Brokers.Processes.Children;

/// <summary>What a process can be told, see signal(7).</summary>
internal enum ProcessSignal
{
    /// <summary>End at once.</summary>
    Kill,

    /// <summary>End in order.</summary>
    Terminate,

    /// <summary>Stand still.</summary>
    Stop,

    /// <summary>Go on.</summary>
    Continue,

    /// <summary>Nothing: the system only looks whether the process takes signals.</summary>
    Test,
}
