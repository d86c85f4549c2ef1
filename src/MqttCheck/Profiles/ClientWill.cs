using MqttCheck.Protocol;

namespace MqttCheck.Profiles;

/// <summary>The message that the broker publishes where a client vanishes without a goodbye.</summary>
/// <param name="TopicName">
/// The topic, below the prefix of the run: <see cref="ClientField"/> stands for the number of the client.
/// </param>
/// <param name="Payload">The text of the message.</param>
/// <param name="Qos">Its quality of service.</param>
public sealed record ClientWill(string TopicName, string Payload, QualityOfService Qos)
{
    /// <summary>The placeholder for the number of the client.</summary>
    public const string ClientField = "{client}";
}
