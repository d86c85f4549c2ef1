using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.LiveClusters.Disks;
using MqttCheck.LiveClusters.Recipes;
using MqttCheck.Statistics;

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
    private NodeDisk? _disk;
    private bool _isSpoiled;

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
            _ when kind.StartsProcess(begins) => StartAsync(),
            FaultKind.Kill => EndAsync(ProcessSignal.Kill),
            FaultKind.Stop => EndAsync(ProcessSignal.Terminate),
            FaultKind.Leave => LeaveAsync(),
            FaultKind.Power => FailPowerAsync(),
            FaultKind.Fill => ChangeAsync(Disk.FillAsync),
            FaultKind.Throttle => begins ? ThrottleAsync() : ChangeAsync(Disk.ReleaseAsync),
            FaultKind.Freeze => SignalAsync(begins ? ProcessSignal.Stop : ProcessSignal.Continue, isFrozen: begins),
            _ => throw kind.Refusal(plan.Topology.Name, "made on nodes", FaultKinds.Of(FaultShape.Node)),
        };

    /// <summary>Mounts a disk of its own at its directory. It does not run yet.</summary>
    /// <param name="image">The file of the disk, which does not exist yet.</param>
    /// <exception cref="BrokerException">This machine has no such disks.</exception>
    public async Task MakeDiskAsync(string image) => _disk = await NodeDisk.CreateAsync(plan.Directory, image);

    /// <summary>Damages or cuts files of its directory, while it does not run.</summary>
    /// <param name="fault">A fault that changes files.</param>
    /// <param name="seed">The seed of what is drawn.</param>
    /// <returns>Sentences about what was changed.</returns>
    /// <exception cref="BrokerException">It runs.</exception>
    public async Task<IReadOnlyList<string>> ChangeFilesAsync(ClusterFault fault, ulong seed)
    {
        IReadOnlyList<string> changed = [];
        await ChangeAsync(() =>
        {
            if (_child is { Exited.IsCompleted: false })
                throw new BrokerException($"Node {plan.Node.Name} runs, so that '{fault}' cannot be made.");
            _isSpoiled = true;
            var random = RandomStream.For(seed);
            changed =
                fault.Kind == FaultKind.Damage
                    ? FileDamage.Flip(plan.Directory, fault.Files, fault.Bits, random)
                    : FileDamage.Cut(plan.Directory, fault.Files, fault.TailBytes, random);
            return Task.CompletedTask;
        });
        return changed.Count > 0
            ? [.. changed.Select(line => $"{plan.Node.Name}/{line}")]
            : [$"'{fault}' changed nothing: {FileDamage.Present(plan.Directory)}"];
    }

    /// <summary>Ends it and deletes its files, if they were damaged or it has left its cluster.</summary>
    public async Task MendAsync()
    {
        if (_isSpoiled)
            await RenewAsync();
    }

    /// <summary>Ends it and deletes its files, so that it starts as it did at first.</summary>
    public Task RenewAsync() =>
        ChangeAsync(async () =>
        {
            await EndInTurnAsync(ProcessSignal.Kill);
            if (_disk is { } disk)
                await disk.EmptyAsync();
            foreach (var entry in new DirectoryInfo(plan.Directory).EnumerateFileSystemInfos())
            {
                if (entry is DirectoryInfo { LinkTarget: null } inner)
                    inner.Delete(recursive: true);
                else
                    entry.Delete();
            }
            _isSpoiled = false;
        });

    /// <summary>Ends it, and gives its ports and its disk back.</summary>
    /// <exception cref="BrokerException">A program keeps its disk in use; all else is done.</exception>
    public async ValueTask DisposeAsync()
    {
        await EndAsync(ProcessSignal.Kill);
        port.Dispose();
        peerPort?.Dispose();
        _changing.Dispose();
        if (_disk is { } disk)
            await disk.DisposeAsync();
    }

    private NodeDisk Disk =>
        _disk ?? throw new BrokerException($"Node {plan.Node.Name} has no disk of its own, which could fail.");

    // Nothing may start the node before its disk is mounted again.
    private Task FailPowerAsync() =>
        ChangeAsync(async () =>
        {
            var disk = Disk;
            await EndInTurnAsync(ProcessSignal.Kill);
            await disk.FailPowerAsync();
        });

    private Task ThrottleAsync() =>
        ChangeAsync(async () =>
        {
            if (_child is { } child && await child.ProcessId is { } process)
                await Disk.ThrottleAsync(process);
        });

    private Task LeaveAsync() =>
        ChangeAsync(async () =>
        {
            await EndInTurnAsync(ProcessSignal.Terminate);
            _isSpoiled = true;
        });

    private Task StartAsync() =>
        ChangeAsync(async () =>
        {
            if (_disk is { } disk)
                await disk.EmptyAsync();
            if (_child is { Exited.IsCompleted: false })
                return;
            if (_child is { } ended)
                await ended.DisposeAsync();
            _isFrozen = false;
            _child = ChildProcess.StartNode(recipe.Prepare(plan), plan.Directory);
            if (await _child.ProcessId is { } process && _disk is { } own)
                await own.FollowAsync(process);
        });

    private Task EndAsync(ProcessSignal signal) => ChangeAsync(() => EndInTurnAsync(signal));

    private async Task EndInTurnAsync(ProcessSignal signal)
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
    }

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
