namespace MqttCheck.Brokers.Processes.Children;

/// <summary>A signal to a process, see signal(7).</summary>
internal enum ProcessSignal
{
    /// <summary>End at once.</summary>
    Kill,

    /// <summary>End in order.</summary>
    Terminate,

    /// <summary>Suspend.</summary>
    Stop,

    /// <summary>Resume.</summary>
    Continue,

    /// <summary>Do nothing: the system only checks whether the process can be signalled.</summary>
    Test,
}
