using System.Net;
using MqttCheck.Broker.Core;
using MqttCheck.Broker.Delays;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Embedded;

/// <summary>How the embedded broker is served.</summary>
internal sealed record EmbeddedBrokerOptions
{
    /// <summary>The address at which it serves TCP. Default: a free port of the loopback address.</summary>
    public IPEndPoint Address { get; init; } = new(IPAddress.Loopback, 0);

    /// <summary>Further addresses, with TLS or WebSocket. Default none.</summary>
    public IReadOnlyList<WireListener> MoreListeners { get; init; } = [];

    /// <summary>Its features, access rules and faults.</summary>
    public BrokerOptions Broker { get; init; } = new();

    /// <summary>How long it waits before it answers. Default none.</summary>
    public DelayPlan Delays { get; init; } = DelayPlan.None;

    /// <summary>How a client under test logs in, where the access rules ask for it.</summary>
    public Credentials? Credentials { get; init; }

    /// <summary>
    /// Gets one line for each connection that opens or closes; called from the wire's thread. Default null: nothing is
    /// logged.
    /// </summary>
    public Action<string>? Log { get; init; }
}
