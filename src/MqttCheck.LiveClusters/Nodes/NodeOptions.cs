using System.Net;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.LiveClusters.Nodes;

/// <summary>How one node of a cluster of MqttCheck's own is served.</summary>
internal sealed record NodeOptions
{
    /// <summary>The cluster.</summary>
    public required Topology Topology { get; init; }

    /// <summary>The index of the node.</summary>
    public required int Node { get; init; }

    /// <summary>
    /// The address at which it serves clients and peers. Default: a free port of the loopback address.
    /// </summary>
    public IPEndPoint Address { get; init; } = new(IPAddress.Loopback, 0);

    /// <summary>The address by which it reaches each of its neighbours, by their indices.</summary>
    public required IReadOnlyDictionary<int, IPEndPoint> Peers { get; init; }

    /// <summary>
    /// The file to which it appends the decisions of its protocol, one a line; null for none. The format is that of
    /// <see cref="NodeNote"/>.
    /// </summary>
    public string? NotesPath { get; init; }

    /// <summary>
    /// The directory in which the log or the store of a pipeline keeps its file. Default: the working directory.
    /// </summary>
    public string Directory { get; init; } = ".";

    /// <summary>A random number that distinguishes its process from earlier ones of the node.</summary>
    public required ulong Incarnation { get; init; }
}
