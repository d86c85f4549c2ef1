using MqttCheck.Protocol;

namespace MqttCheck.Profiles;

/// <summary>The message that the broker publishes where a client vanishes without a DISCONNECT.</summary>
/// <param name="TopicName">
/// The topic, used as written: <see cref="ClientField"/> stands for the number of the client.
/// </param>
/// <param name="Payload">The text of the message.</param>
/// <param name="Qos">Its quality of service.</param>
public sealed record ClientWill(string TopicName, string Payload, QualityOfService Qos)
{
    /// <summary>
    /// Whether a client that leaves asks for the message too: its DISCONNECT has reason code 0x04, which only MQTT 5
    /// has. Default false, where a DISCONNECT discards the will (MQTT 3.14.4).
    /// </summary>
    public bool OnDisconnect { get; init; }

    /// <summary>Whether the broker keeps the message for later subscribers. Default no.</summary>
    public bool Retain { get; init; }

    /// <summary>The placeholder for the number of the client.</summary>
    public const string ClientField = "{client}";
}
