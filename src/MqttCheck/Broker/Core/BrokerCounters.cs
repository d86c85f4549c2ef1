namespace MqttCheck.Broker.Core;

/// <summary>Counts of the present state of a broker, and of its work since the start.</summary>
internal record struct BrokerCounters
{
    /// <summary>Open connections.</summary>
    public int Connections { get; internal set; }

    /// <summary>Sessions, connected or not.</summary>
    public int Sessions { get; internal set; }

    /// <summary>Subscriptions of all sessions.</summary>
    public int Subscriptions { get; internal set; }

    /// <summary>Retained messages.</summary>
    public int RetainedMessages { get; internal set; }

    /// <summary>Messages published by clients, wills included, repeated QoS 2 packets not.</summary>
    public long Published { get; internal set; }

    /// <summary>PUBLISH packets sent to clients, resends included.</summary>
    public long Delivered { get; internal set; }

    /// <summary>
    /// Deliveries dropped: queue full, message expired, packet too large, QoS 0 for a client that reads too slowly or
    /// is away.
    /// </summary>
    public long Dropped { get; internal set; }
}
