using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Epoll;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.LiveClusters.Launching;

namespace MqttCheck.LiveClusters.Runs;

/// <summary>Makes the faults of a run happen, each at its time, and ends them.</summary>
/// <param name="cluster">The cluster.</param>
/// <param name="faults">The faults.</param>
/// <param name="events">Is told when each has begun and ended.</param>
internal sealed class FaultSchedule(
    IClusterUnderTest cluster,
    IReadOnlyList<ScheduledFault> faults,
    LiveClusterEvents events
)
{
    // Waiting on a system timer may end this much late. The remaining time is spent yielding to other threads.
    private const long EarlyNanoseconds = 3_000_000;

    private static readonly TimeSpan s_startPatience = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan s_piece = TimeSpan.FromSeconds(1);

    // Mosquitto waits for 5 to 30 s before it opens a bridge again.
    private static readonly TimeSpan s_bridgePatience = TimeSpan.FromSeconds(30);

    private readonly List<Task> _underWay = [];
    private readonly Dictionary<int, Coming> _coming = [];
    private readonly Lock _gate = new();
    private readonly List<string> _notes = [];
    private readonly List<string> _notBack = [];
    private CancellationToken _cancellation;

    /// <summary>The longest time by which a fault was late, in nanoseconds.</summary>
    public long LatestNanoseconds { get; private set; }

    /// <summary>Sentences about what faults did, complete after <see cref="FinishAsync"/>.</summary>
    public IReadOnlyList<string> Notes => _notes;

    /// <summary>Sentences about nodes that did not come back after a fault, complete likewise.</summary>
    public IReadOnlyList<string> NotBack => _notBack;

    /// <summary>Makes the faults happen, on the calling thread; returns after the last one.</summary>
    /// <param name="start">The time from which faults count theirs.</param>
    /// <param name="cancellation">Skips the remaining faults.</param>
    /// <exception cref="BrokerException">A fault cannot be made.</exception>
    public void Run(long start, CancellationToken cancellation)
    {
        _cancellation = cancellation;
        using var urgency = WireFactory.IsEpollSupported ? ThreadUrgency.Begin() : default;
        var steps = faults
            .SelectMany(fault =>
                fault.HealsAtNanoseconds is { } end
                    ? ((long At, ScheduledFault Fault, bool Begins)[])
                        [(fault.AtNanoseconds, fault, true), (end, fault, false)]
                    : [(fault.AtNanoseconds, fault, true)]
            )
            .OrderBy(step => step.At)
            .ToList();
        // The first call of a method compiles it, which takes tens of milliseconds on a busy machine.
        foreach (var node in faults.SelectMany(fault => fault.Nodes).Distinct())
            cluster.RehearseAsync(node).GetAwaiter().GetResult();
        foreach (var (at, fault, begins) in steps)
        {
            if (!WaitUntil(start + at, cancellation))
                break;
            foreach (var node in fault.Nodes)
                OnNode(fault, node, begins);
            foreach (var (from, to) in fault.Links.Select(Ends).Distinct())
                OnLink(fault.Fault, from, to, begins);
            if (begins)
                LatestNanoseconds = Math.Max(LatestNanoseconds, MonotonicClock.NowNanoseconds - start - at);
        }
    }

    /// <summary>Waits for changes that faults have begun, such as the end of a process.</summary>
    /// <exception cref="BrokerException">A fault could not be made.</exception>
    public Task FinishAsync() => Task.WhenAll(_underWay);

    private static bool WaitUntil(long time, CancellationToken cancellation)
    {
        while (time - MonotonicClock.NowNanoseconds is var left and > 0)
        {
            if (left > EarlyNanoseconds)
                cancellation.WaitHandle.WaitOne(TimeSpan.FromMicroseconds((left - EarlyNanoseconds) / 1000));
            else
                Thread.Yield();
            if (cancellation.IsCancellationRequested)
                return false;
        }
        return !cancellation.IsCancellationRequested;
    }

    private (int From, int To) Ends(int link) => (cluster.Topology.Links[link].From, cluster.Topology.Links[link].To);

    private void OnNode(ScheduledFault scheduled, int node, bool begins)
    {
        var fault = scheduled.Fault;
        if (begins)
            Overtake(node);
        if (fault.IsOfClients)
        {
            cluster.PartClientsAsync(node, isParted: begins).GetAwaiter().GetResult();
            Note(begins, node, -1, fault);
            return;
        }
        if (fault.Kind.ChangesFiles())
        {
            _underWay.Add(ChangeFilesAsync(fault, node, scheduled.Seed));
            return;
        }
        var starts = fault.Kind.StartsProcess(begins);
        _underWay.Add(starts ? RestartAsync(fault, node) : cluster.ChangeAsync(node, fault.Kind, begins));
        if (begins || !starts)
            Note(begins, node, -1, fault);
        if (!begins && !starts)
            _underWay.Add(RestoredAsync(fault, node, -1));
    }

    // A node that has not come back yet is hit again: the fault before it ends now, and the new one begins.
    private void Overtake(int node)
    {
        lock (_gate)
        {
            if (!_coming.Remove(node, out var coming))
                return;
            Note(begins: false, node, -1, coming.Fault);
            coming.IsOvertaken = true;
        }
    }

    private async Task ChangeFilesAsync(ClusterFault fault, int node, ulong seed)
    {
        var changed = await cluster.ChangeFilesAsync(node, fault, seed);
        lock (_gate)
            _notes.AddRange(changed);
    }

    // A node is back when it accepts clients, however long its program takes to start.
    private async Task RestartAsync(ClusterFault fault, int node)
    {
        var coming = new Coming(fault);
        lock (_gate)
        {
            _coming[node] = coming;
            if (fault.Kind == FaultKind.Fill && cluster.FailureOf(node) is { } ended)
                _notes.Add($"With a full disk: {ended}");
        }
        string? problem;
        try
        {
            await (
                fault.Kind == FaultKind.Fill
                    ? cluster.ChangeAsync(node, fault.Kind, begins: false)
                    : cluster.RestartAsync(node)
            );
            problem = await WaitReadyAsync(node, coming);
            // One that was about to end when there was room again could not be started yet.
            if (fault.Kind == FaultKind.Fill && cluster.StateOf(node) == ClusterNodeState.Failed)
            {
                await cluster.ChangeAsync(node, fault.Kind, begins: false);
                problem = await WaitReadyAsync(node, coming);
            }
        }
        catch (BrokerException failure)
        {
            problem = $"cannot be started: {failure.Message}";
        }
        lock (_gate)
        {
            if (coming.IsOvertaken)
                return;
            _coming.Remove(node);
            if (problem is null)
                Note(begins: false, node, -1, fault);
            else
                _notBack.Add(
                    $"Node {cluster.Topology.Nodes[node].Name} did not come back after '{fault}': it {problem}. "
                        + cluster.FailureOf(node)
                );
        }
        if (problem is null)
            await RestoredAsync(fault, node, -1);
    }

    // The wait is cut into pieces, because the node may be hit again meanwhile.
    private async Task<string?> WaitReadyAsync(int node, Coming coming)
    {
        var end = MonotonicClock.NowNanoseconds + MonotonicClock.Nanoseconds(s_startPatience);
        while (true)
        {
            var problem = await cluster.WaitReadyAsync(node, s_piece, CancellationToken.None);
            if (problem is null || coming.IsOvertaken || cluster.FailureOf(node) is not null)
                return problem;
            if (MonotonicClock.NowNanoseconds >= end)
                return problem;
        }
    }

    private async Task RestoredAsync(ClusterFault fault, int node, int peer)
    {
        try
        {
            await cluster.WaitBridgesAsync(node, peer, s_bridgePatience, _cancellation);
        }
        // The run ends before they are back: they were away until then.
        catch (OperationCanceledException) { }
        events.Add(EventOf(fault, begins: false, node, peer) with { Kind = ClusterEventKind.BridgesRestored });
    }

    private void OnLink(ClusterFault fault, int from, int to, bool begins)
    {
        var change = begins ? cluster.DisturbAsync(from, to, fault) : cluster.HealAsync(from, to);
        change.GetAwaiter().GetResult();
        Note(begins, from, to, fault);
        if (!begins)
            _underWay.Add(RestoredAsync(fault, from, to));
    }

    /// <summary>The event of a fault that begins or ends now.</summary>
    internal static ClusterEvent EventOf(ClusterFault fault, bool begins, int node, int peer) =>
        new()
        {
            Nanoseconds = MonotonicClock.NowNanoseconds,
            Kind = begins ? ClusterEventKind.FaultBegan : ClusterEventKind.FaultEnded,
            Node = node,
            Peer = peer,
            Topic = fault.ToString(),
            Fault = fault.Kind,
        };

    private void Note(bool begins, int node, int peer, ClusterFault fault) =>
        events.Add(EventOf(fault, begins, node, peer));

    // A node that is on its way back after a fault.
    private sealed class Coming(ClusterFault fault)
    {
        private volatile bool _isOvertaken;

        public ClusterFault Fault => fault;

        public bool IsOvertaken
        {
            get => _isOvertaken;
            set => _isOvertaken = value;
        }
    }
}
