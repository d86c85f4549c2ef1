using System.Net;

namespace MqttCheck.Brokers.Clusters.Nodes;

/// <summary>A node of a cluster of MqttCheck's own that this process serves, until it is disposed of.</summary>
public interface IServedNode : IAsyncDisposable
{
    /// <summary>Where it serves clients and peers.</summary>
    IPEndPoint Address { get; }

    /// <summary>Ends when the node has stopped.</summary>
    Task Completion { get; }

    /// <summary>Null, or how the node failed.</summary>
    string? Failure { get; }

    /// <summary>
    /// Tells clients and neighbours that it leaves, and hands on what it holds. Default: nobody has to be told.
    /// </summary>
    Task LeaveAsync() => Task.CompletedTask;
}
