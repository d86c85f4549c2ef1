using System.Net;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.LiveClusters.Nodes;

/// <summary>
/// A node of a cluster of MqttCheck's own that this process serves, by one thread, until it is disposed of.
/// </summary>
internal abstract class ServedNode(WireRunner runner) : IAsyncDisposable
{
    /// <summary>The address at which it serves clients and peers.</summary>
    public IPEndPoint Address { get; private protected set; } = null!;

    /// <summary>Ends when the node has stopped.</summary>
    public Task Completion => Runner.Completion;

    /// <summary>Null, or how the node failed.</summary>
    public string? Failure => Runner.Failure;

    /// <summary>The thread, which each kind of node starts as soon as it has an address.</summary>
    private protected WireRunner Runner { get; } = runner;

    /// <summary>
    /// Tells clients and neighbours that it leaves, and hands on the messages that it holds. The default tells nobody.
    /// </summary>
    public virtual Task LeaveAsync() => Task.CompletedTask;

    /// <summary>Ends its connections and its thread.</summary>
    public abstract ValueTask DisposeAsync();
}
