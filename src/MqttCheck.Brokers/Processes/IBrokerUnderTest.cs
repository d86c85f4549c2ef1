using System.Net;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Processes;

/// <summary>
/// A running broker that can be measured. Disposing it stops what was started for it and removes its files; a broker
/// that ran before goes on.
/// </summary>
public interface IBrokerUnderTest : IAsyncDisposable
{
    /// <summary>The known properties of the broker.</summary>
    BrokerDescription Description { get; }

    /// <summary>The address at which it listens.</summary>
    IPEndPoint Address { get; }

    /// <summary>The endpoint: the address and the transport of MQTT. By default TCP.</summary>
    WireEndpoint Endpoint => new(Address);

    /// <summary>
    /// How to connect to each of its nodes, in their order. By default the one <see cref="Endpoint"/>; several for a
    /// cluster.
    /// </summary>
    IReadOnlyList<WireEndpoint> Endpoints => [Endpoint];

    /// <summary>
    /// Whether a client that lost its connection, or could not make one, tries the next node, after the last the first.
    /// By default not.
    /// </summary>
    bool Failover => false;

    /// <summary>How to log in, or null for anonymous.</summary>
    Credentials? Credentials { get; }

    /// <summary>
    /// The beginning of all topics that clients use, because the broker allows no others: levels of a topic that end
    /// with a slash. By default empty.
    /// </summary>
    string TopicPrefix => "";

    /// <summary>
    /// Its process, where it is a local one that was started here; used to log its CPU time and memory. By default
    /// null.
    /// </summary>
    int? ProcessId => null;

    /// <summary>
    /// Null while it runs; otherwise the reason of its end, with the last lines it printed. By default null, because
    /// the end of a broker that was not started here cannot be observed.
    /// </summary>
    string? Failure => null;
}
