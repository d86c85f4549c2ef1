using MqttCheck.Protocol;

namespace MqttCheck.Clients;

/// <summary>The next input of a client.</summary>
/// <param name="Kind">The request to the broker.</param>
/// <param name="Topic">The index of the topic, or -1 where the kind has none.</param>
/// <param name="PayloadBytes">The size of the payload, 0 where the kind has none.</param>
/// <param name="Phase">Whether the exchange counts.</param>
/// <param name="Clean">For a connect: whether an old session is dropped (reset) or resumed.</param>
public readonly record struct ClientAction(
    MessageKind Kind,
    int Topic,
    int PayloadBytes,
    ExchangePhase Phase,
    bool Clean
)
{
    /// <summary>
    /// The quality of service of a publication or subscription; 0 for the other kinds, which have none.
    /// </summary>
    public QualityOfService Qos { get; init; }

    /// <summary>Whether it is the message that a client publishes as soon as it is connected.</summary>
    public bool IsFirst { get; init; }
}
