using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Model;

/// <summary>A packet that a client sent.</summary>
/// <param name="Type">Its type; null where it breaks a rule on purpose.</param>
/// <param name="Words">The packet in words without names.</param>
internal readonly record struct SentPacket(PacketType? Type, string Words)
{
    /// <summary>
    /// The unusual levels and characters of its topics, in words; empty where there are none.
    /// </summary>
    public string Marks { get; init; } = "";

    /// <summary>Whether it publishes to a topic that is the broker's own, which a broker need not take.</summary>
    public bool IsToBrokersTopic { get; init; }
}
