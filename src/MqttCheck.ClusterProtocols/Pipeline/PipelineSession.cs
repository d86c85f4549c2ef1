namespace MqttCheck.ClusterProtocols.Pipeline;

/// <summary>The connection of a client, as its broker sees it.</summary>
internal sealed class PipelineSession
{
    /// <summary>Messages that came while those of the store were asked for.</summary>
    public List<StoredMessage> Held { get; } = [];

    /// <summary>Which message was sent under which identifier and is not acknowledged.</summary>
    public Dictionary<ushort, long> InFlight { get; } = [];

    /// <summary>
    /// The messages that the store held when the client connected. Another broker may hand on the same ones later.
    /// </summary>
    public HashSet<(ushort PacketId, long Message)> Fetched { get; } = [];

    /// <summary>Whether what the store had was sent, so that new messages may follow.</summary>
    public bool IsReady { get; set; }

    /// <summary>When the store is asked again; <see cref="long.MaxValue"/> for never.</summary>
    public long RetryAt { get; set; } = long.MaxValue;
}
