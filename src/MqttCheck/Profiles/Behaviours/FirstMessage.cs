using System.Text;
using MqttCheck.Protocol;

namespace MqttCheck.Profiles.Behaviours;

/// <summary>The message that a client publishes as soon as it is connected, such as a birth certificate.</summary>
/// <param name="TopicName">
/// The topic, used as written: <see cref="ClientWill.ClientField"/> stands for the number of the client.
/// </param>
public sealed record FirstMessage(string TopicName)
{
    /// <summary>The text of the message; null where it has the number of the message and filler.</summary>
    public string? Payload { get; init; }

    /// <summary>The size of a message without a text, in bytes. Default 12.</summary>
    public int PayloadBytes { get; init; } = UsageProfile.SmallestPayloadBytes;

    /// <summary>The quality of service. Default 0.</summary>
    public QualityOfService Qos { get; init; }

    /// <summary>Whether the broker keeps the message for later subscribers. Default no.</summary>
    public bool Retain { get; init; }

    /// <summary>The size of the message, in bytes.</summary>
    internal int Bytes => Payload is null ? PayloadBytes : Encoding.UTF8.GetByteCount(Payload);
}
