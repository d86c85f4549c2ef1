using MqttCheck.Broker.Sessions;
using MqttCheck.Protocol;

namespace MqttCheck.Broker.Routing;

/// <summary>One subscription of a session; immutable, a new SUBSCRIBE to the same filter replaces it.</summary>
internal sealed class Subscription
{
    /// <summary>Whose it is.</summary>
    public required Session Session { get; init; }

    /// <summary>The topic filter as the client gave it, with <c>$share/name/</c> if it is shared.</summary>
    public required string Filter { get; init; }

    /// <summary>The granted quality of service.</summary>
    public required QualityOfService Qos { get; init; }

    /// <summary>Whether the client's own messages are left out.</summary>
    public bool NoLocal { get; init; }

    /// <summary>Whether live deliveries keep the publisher's RETAIN flag.</summary>
    public bool RetainAsPublished { get; init; }

    /// <summary>
    /// The subscription identifier in an array of one, so that deliveries can share it; null for none.
    /// </summary>
    public uint[]? Identifiers { get; init; }

    /// <summary>The same subscription with other options.</summary>
    public Subscription With(QualityOfService qos, bool noLocal, bool retainAsPublished, uint[]? identifiers) =>
        new()
        {
            Session = Session,
            Filter = Filter,
            Qos = qos,
            NoLocal = noLocal,
            RetainAsPublished = retainAsPublished,
            Identifiers = identifiers,
        };
}
