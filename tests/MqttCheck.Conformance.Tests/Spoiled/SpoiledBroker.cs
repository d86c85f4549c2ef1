using System.Net;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Conformance.Tests.Spoiled;

/// <summary>A right broker that seems wrong, because everything passes through somebody who spoils it.</summary>
/// <param name="wire">The wire of both sides.</param>
/// <param name="broker">The right broker.</param>
/// <param name="spoiling">What is spoiled.</param>
internal sealed class SpoiledBroker(IWire wire, IPEndPoint broker, Spoiling spoiling)
{
    /// <summary>The identifiers of clients that are connected, where a spoiling notes them.</summary>
    public HashSet<string> Connected { get; } = new(StringComparer.Ordinal);

    /// <summary>Serves clients at a free port.</summary>
    /// <returns>Its address.</returns>
    public IPEndPoint Listen() =>
        wire.Listen(new IPEndPoint(IPAddress.Loopback, 0), () => new Passage(wire, this, broker, spoiling));
}
