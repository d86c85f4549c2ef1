namespace MqttCheck.ClusterProtocols.Transport;

/// <summary>The counters of one node's transport.</summary>
internal record struct TransportCounters
{
    /// <summary>Data frames on the wire, those that were sent again included.</summary>
    public long DataFrames;

    /// <summary>Data frames that were sent again.</summary>
    public long Retransmissions;

    /// <summary>Messages that arrived at a full receive queue.</summary>
    public long Dropped;

    /// <summary>Messages that were worked off for the first time, whether or not earlier ones are missing.</summary>
    public long Received;

    /// <summary>Messages that were handed upward.</summary>
    public long Delivered;

    /// <summary>The largest length that the receive queue had.</summary>
    public int LongestReceiveQueue;

    /// <summary>The largest length that the send queue had.</summary>
    public int LongestSendQueue;
}
