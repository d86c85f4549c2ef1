using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Model;

/// <summary>The copies of one publication that a session may get by its ordinary subscriptions.</summary>
internal sealed class ExpectedDelivery(Publication publication)
{
    public Publication Publication => publication;

    /// <summary>The filters that match, or may have matched, at some time while the message was under way.</summary>
    public HashSet<string> Filters { get; } = new(StringComparer.Ordinal);

    /// <summary>The qualities of service that are legal for a copy, as bits.</summary>
    public int QosBits { get; private set; }

    /// <summary>The highest quality of service at which it is certainly due; null if none is certain.</summary>
    public QualityOfService? CertainQos { get; set; }

    /// <summary>Whether it must arrive.</summary>
    public bool IsDue { get; set; }

    /// <summary>Whether a shared subscription may bring it as well.</summary>
    public bool MayBeShared { get; set; }

    /// <summary>Whether a matching subscription asks for RETAIN as published.</summary>
    public bool MayKeepRetain { get; set; }

    /// <summary>Whether every matching subscription asks for RETAIN as published.</summary>
    public bool MustKeepRetain { get; set; } = true;

    /// <summary>Whether every filter that matches is subscribed for sure, with known options.</summary>
    public bool IsCertain { get; set; } = true;

    /// <summary>The subscription identifiers of the certain matches.</summary>
    public List<uint> Identifiers { get; } = [];

    /// <summary>The subscription identifiers that the copies had so far.</summary>
    public HashSet<uint> ReceivedIdentifiers { get; } = [];

    /// <summary>Whether each certain match is of QoS 1 or 2, so that no copy of its own may be lost.</summary>
    public bool IsEachDue { get; set; } = true;

    /// <summary>Whether the session was without connection when it was published.</summary>
    public bool WasOffline { get; init; }

    /// <summary>
    /// Whether a SUBSCRIBE sent meanwhile may have made it a message of QoS 0, which ends with the connection.
    /// </summary>
    public bool MayBeVolatile { get; set; }

    public List<Copy> Copies { get; } = [];

    /// <summary>The statement that is violated when it does not come.</summary>
    public Statement DueStatement =>
        publication switch
        {
            { IsWill: true, IsFreedByConnection: true } => Statements.WillAtTakeOver,
            { IsWill: true } => Statements.WillPublished,
            _ when WasOffline => Statements.OfflineQueue,
            _ => Statements.Delivered,
        };

    public void Allow(QualityOfService qos) => QosBits |= 1 << (int)qos;

    public bool Allows(QualityOfService qos) => (QosBits & (1 << (int)qos)) != 0;

    /// <summary>Something about its subscriptions changed while it was under way.</summary>
    public void Blur()
    {
        IsDue = false;
        IsCertain = false;
        CertainQos = null;
    }
}
