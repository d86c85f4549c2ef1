namespace MqttCheck.ClusterProtocols.Pipeline;

/// <summary>The connection of a client, as its broker sees it.</summary>
internal sealed class PipelineSession
{
    private readonly Dictionary<(int Partition, bool IsStored), long> _sent = [];

    /// <summary>Messages that came while those of the store were asked for.</summary>
    public List<StoredMessage> Held { get; } = [];

    /// <summary>The identifiers of stored messages that were sent and are not acknowledged.</summary>
    public HashSet<ushort> InFlight { get; } = [];

    /// <summary>Those whose client has them, of which the store could not be told.</summary>
    public HashSet<ushort> Received { get; } = [];

    /// <summary>Whether what the store had was sent, so that new messages may follow.</summary>
    public bool IsReady { get; set; }

    /// <summary>When the store is asked or told again; <see cref="long.MaxValue"/> for never.</summary>
    public long RetryAt { get; set; } = long.MaxValue;

    /// <summary>
    /// Whether a message is new to the connection. What a broker does again comes again, and so does what the store
    /// held when the client connected. Stored messages and others take ways of their own, each in the order of the log.
    /// </summary>
    public bool Take(in StoredMessage stored)
    {
        if (stored.Message.Place is not { } place)
            return true;
        var way = (place.Partition, stored.PacketId > 0);
        if (_sent.TryGetValue(way, out var last) && last >= place.Offset)
            return false;
        _sent[way] = place.Offset;
        return true;
    }

    /// <summary>Everything up to these places was sent, or is done.</summary>
    public void Skip(IReadOnlyDictionary<int, long> places)
    {
        foreach (var (partition, offset) in places)
            _sent[(partition, true)] = Math.Max(offset, _sent.GetValueOrDefault((partition, true)));
    }
}
