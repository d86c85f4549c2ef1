namespace MqttCheck.Clusters.Properties;

/// <summary>The quantities that are measured in a run of a cluster.</summary>
internal enum ClusterQuantity
{
    /// <summary>The time from a publication to each settled delivery.</summary>
    Delivery,

    /// <summary>Acknowledged messages that never reached a settled subscriber, near faults too.</summary>
    Lost,

    /// <summary>The same without those near a fault.</summary>
    LostSettled,

    /// <summary>Deliveries of a message to a client beyond the first.</summary>
    Duplicates,

    /// <summary>Messages that came after a later one of their publisher, topic and QoS.</summary>
    Reordered,

    /// <summary>Publications near which a subscription began or ended.</summary>
    Racing,

    /// <summary>The longest time from a fault until all live pairs of nodes worked again.</summary>
    Repair,

    /// <summary>The time from a fault to the last change of root, parent or role.</summary>
    Convergence,

    /// <summary>The longest time that a live pair of nodes was without a working probe.</summary>
    Blackout,

    /// <summary>Messages of clients that entered links.</summary>
    LinkMessages,

    /// <summary>Bytes that entered links.</summary>
    LinkBytes,

    /// <summary>Bytes of what nodes tell each other.</summary>
    SignallingBytes,

    /// <summary>Messages that entered a link again.</summary>
    Retransmitted,

    /// <summary>The time from the last publication to the last delivery.</summary>
    CaughtUp,

    /// <summary>
    /// Publications within the settling time of the first on their topic at their node that a settled subscriber never
    /// got: the way to it was not known yet.
    /// </summary>
    RaceLosses,

    /// <summary>Deliveries in a second, from the first publication to the last.</summary>
    Throughput,

    /// <summary>The time from a publication of QoS 1 or 2 to its acknowledgement; infinite without one.</summary>
    Acknowledgement,
}
