namespace MqttCheck.Profiles.Workloads;

/// <summary>The rule by which messages are sent.</summary>
internal enum ArrivalKind : byte
{
    /// <summary>
    /// Closed loop: each publisher keeps some messages in flight and sends the next when one is complete. A slow broker
    /// slows the load down.
    /// </summary>
    Closed,

    /// <summary>
    /// Open loop: a schedule that is fixed before the run, at a constant rate, evenly spread over the publishers.
    /// </summary>
    Constant,

    /// <summary>Open loop: a schedule that is fixed before the run, a Poisson process for each publisher.</summary>
    Poisson,
}
