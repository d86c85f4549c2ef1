using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.LiveClusters.Recipes;

namespace MqttCheck.LiveClusters.Launching;

/// <summary>One node of a cluster that was started here: its ports, and its process from start to start.</summary>
/// <param name="recipe">How it is started.</param>
/// <param name="plan">Its directory, its ports and the rest of its plan.</param>
/// <param name="port">The port of clients.</param>
/// <param name="peerPort">The port of other nodes.</param>
internal sealed class ClusterNode(
    IClusterRecipe recipe,
    ClusterNodePlan plan,
    PortReservation port,
    PortReservation? peerPort
) : IAsyncDisposable
{
    // A node of an overlay stays for two keep alives.
    private readonly TimeSpan _stopPatience = TimeSpan.FromSeconds(10 + (2 * plan.Topology.KeepAliveSeconds));

    private readonly SemaphoreSlim _changing = new(1);
    private volatile ChildProcess? _child;
    private volatile bool _isFrozen;

    public ClusterNodePlan Plan => plan;

    /// <summary>Its process, or null when it is down on purpose.</summary>
    public ChildProcess? Child => _child;

    /// <summary>Whether it runs.</summary>
    public ClusterNodeState State =>
        plan.Remote is not null ? ClusterNodeState.Running
        : _child is not { } child ? ClusterNodeState.Down
        : child.Exited.IsCompleted ? ClusterNodeState.Failed
        : _isFrozen ? ClusterNodeState.Frozen
        : ClusterNodeState.Running;

    /// <summary>Null unless it ended by itself; otherwise how.</summary>
    public string? Failure =>
        _child is { Exited.IsCompleted: true } child
            ? $"Node {plan.Node.Name} ended with exit code {child.Exited.Result}. {child.Output}"
            : null;

    /// <summary>Rehearses a kill with a signal that changes nothing, so that the real kill is on time.</summary>
    public Task RehearseAsync() => EndAsync(ProcessSignal.Test);

    /// <summary>Begins or ends a fault. A process that is asked to start and runs is left alone.</summary>
    /// <exception cref="BrokerException">It cannot be started.</exception>
    /// <exception cref="InputException">Processes know no such fault.</exception>
    public Task ChangeAsync(FaultKind kind, bool begins) =>
        kind switch
        {
            FaultKind.Join when plan.Remote is not null => Task.CompletedTask,
            _ when plan.Remote is not null => throw new BrokerException(
                $"Node {plan.Node.Name} runs already and is not MqttCheck's to change."
            ),
            FaultKind.Kill or FaultKind.Stop or FaultKind.Join when kind.StartsProcess(begins) => StartAsync(),
            FaultKind.Kill => EndAsync(ProcessSignal.Kill),
            FaultKind.Stop => EndAsync(ProcessSignal.Terminate),
            FaultKind.Freeze => SignalAsync(begins ? ProcessSignal.Stop : ProcessSignal.Continue, isFrozen: begins),
            _ => throw kind.Refusal(plan.Topology.Name, "made on nodes", FaultKinds.Of(FaultShape.Node)),
        };

    /// <summary>Ends it, and gives its ports back.</summary>
    public async ValueTask DisposeAsync()
    {
        await EndAsync(ProcessSignal.Kill);
        port.Dispose();
        peerPort?.Dispose();
        _changing.Dispose();
    }

    private Task StartAsync() =>
        ChangeAsync(async () =>
        {
            if (_child is { Exited.IsCompleted: false })
                return;
            if (_child is { } ended)
                await ended.DisposeAsync();
            _isFrozen = false;
            _child = ChildProcess.StartNode(recipe.Prepare(plan), plan.Directory);
            await _child.ProcessId;
        });

    private Task EndAsync(ProcessSignal signal) =>
        ChangeAsync(async () =>
        {
            if (_child is not { } child)
                return;
            // The process may end from here on without counting as failed.
            if (signal != ProcessSignal.Test)
                _child = null;
            await child.SignalAsync(signal);
            if (signal == ProcessSignal.Test)
                return;
            if (_isFrozen && signal != ProcessSignal.Kill)
                await child.SignalAsync(ProcessSignal.Continue);
            _isFrozen = false;
            await Task.WhenAny(child.Exited, Task.Delay(_stopPatience));
            await child.DisposeAsync();
        });

    private Task SignalAsync(ProcessSignal signal, bool isFrozen) =>
        ChangeAsync(async () =>
        {
            if (_child is not { } child)
                return;
            await child.SignalAsync(signal);
            _isFrozen = isFrozen;
        });

    // One change at a time: a fault may begin while the one before it still waits for an end.
    private async Task ChangeAsync(Func<Task> change)
    {
        await _changing.WaitAsync();
        try
        {
            await change();
        }
        finally
        {
            _changing.Release();
        }
    }
}
