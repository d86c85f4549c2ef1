using System.Net;
using MqttCheck.Brokers.Wire;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Tests.Spoiled;

/// <summary>One way to spoil what passes between clients and a right broker.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Statements">The names of the statements that it violates; the right one comes first.</param>
internal sealed record Spoiling(string Name, params string[] Statements)
{
    /// <summary>The packets that the broker gets in place of a packet from a client.</summary>
    public Func<Passage, Packet, Packet[]> ToBroker { get; init; } = static (_, packet) => [packet];

    /// <summary>The packets that a client gets in place of a packet from the broker.</summary>
    public Func<Passage, Packet, Packet[]> ToClient { get; init; } = static (_, packet) => [packet];

    /// <summary>Puts it in front of a right broker.</summary>
    /// <returns>The address for clients.</returns>
    public IPEndPoint Through(IWire wire, IPEndPoint broker) => new SpoiledBroker(wire, broker, this).Listen();
}
