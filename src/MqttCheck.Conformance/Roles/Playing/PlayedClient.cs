using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Roles.Playing;

/// <summary>A client as the broker that is played knows it: its session and its connection.</summary>
internal sealed class PlayedClient(string identifier, int index)
{
    private ushort _lastIdentifier;

    public string Identifier => identifier;

    /// <summary>The number of the client in the trace; 0 is the one that the script is about.</summary>
    public int Index => index;

    public PlayedConnection? Connection { get; set; }

    public bool HasSession { get; private set; }

    /// <summary>When the last connection ended.</summary>
    public long EndedNanoseconds { get; set; }

    /// <summary>How long the session outlives its connection; null for ever.</summary>
    public uint? ExpirySeconds { get; set; }

    public Dictionary<string, QualityOfService> Subscriptions { get; } = new(StringComparer.Ordinal);

    /// <summary>The messages that are not acknowledged, oldest first.</summary>
    public List<PlayedDelivery> Deliveries { get; } = [];

    /// <summary>An identifier that none of its deliveries has.</summary>
    public ushort NextIdentifier()
    {
        do _lastIdentifier = (ushort)(_lastIdentifier % ushort.MaxValue + 1);
        while (Deliveries.Exists(delivery => delivery.Packet.PacketId == _lastIdentifier));
        return _lastIdentifier;
    }

    /// <summary>Begins an empty session.</summary>
    public void BeginSession()
    {
        HasSession = true;
        Subscriptions.Clear();
        Deliveries.Clear();
    }

    public void EndSession() => HasSession = false;
}
