using System.Net;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Conformance.Checking;

/// <summary>The broker that scenarios run against.</summary>
/// <param name="Endpoint">The address and transport at which it serves MQTT.</param>
/// <param name="Credentials">How to log in, null for anonymous.</param>
internal sealed record CheckTarget(WireEndpoint Endpoint, Credentials? Credentials = null)
{
    /// <summary>
    /// The nodes of a cluster: client i connects to node i mod n. Empty (the default) where all connect to
    /// <see cref="Endpoint"/>.
    /// </summary>
    public IReadOnlyList<WireEndpoint> Nodes { get; init; } = [];

    /// <summary>The beginning of all topics, see <see cref="IBrokerUnderTest.TopicPrefix"/>. Default: none.</summary>
    public string TopicPrefix { get; init; } = "";

    /// <summary>
    /// The pause between commands of clients at different nodes, so that one node can inform the other. Default none.
    /// </summary>
    public TimeSpan Settle { get; init; }

    /// <summary>The node of a client; 0 where there is one broker.</summary>
    /// <param name="client">The client's number.</param>
    internal int NodeOf(int client) => Nodes.Count == 0 ? 0 : client % Nodes.Count;

    /// <summary>The endpoint to which a client connects.</summary>
    /// <param name="client">The client's number.</param>
    internal WireEndpoint EndpointOf(int client) => Nodes.Count == 0 ? Endpoint : Nodes[NodeOf(client)];

    /// <summary>A broker that was started or reached.</summary>
    /// <param name="broker">The broker.</param>
    public static CheckTarget Of(IBrokerUnderTest broker) =>
        new(broker.Endpoint, broker.Credentials)
        {
            Nodes = broker.Endpoints.Count > 1 ? broker.Endpoints : [],
            TopicPrefix = broker.TopicPrefix,
        };

    /// <summary>A broker that serves MQTT over TCP to anybody.</summary>
    /// <param name="address">The address of the broker.</param>
    public CheckTarget(IPEndPoint address)
        : this(new WireEndpoint(address)) { }
}
