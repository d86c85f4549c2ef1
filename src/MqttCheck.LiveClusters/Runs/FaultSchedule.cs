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

    // Mosquitto waits for 5 to 30 s before it opens a bridge again.
    private static readonly TimeSpan s_bridgePatience = TimeSpan.FromSeconds(30);

    private readonly List<Task> _underWay = [];
    private CancellationToken _cancellation;

    /// <summary>The longest time by which a fault was late, in nanoseconds.</summary>
    public long LatestNanoseconds { get; private set; }

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
                OnNode(fault.Fault, node, begins);
            foreach (var (from, to) in fault.Links.Select(Ends).Distinct())
                OnLink(fault.Fault, from, to, begins);
            if (begins)
                LatestNanoseconds = Math.Max(LatestNanoseconds, MonotonicClock.NowNanoseconds - start - at);
        }
    }

    /// <summary>Waits for changes that faults have begun, such as the end of a process.</summary>
    /// <exception cref="BrokerException">A node could not be started again.</exception>
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

    private void OnNode(ClusterFault fault, int node, bool begins)
    {
        var starts = fault.Kind.StartsProcess(begins);
        _underWay.Add(starts ? RestartAsync(fault, node) : cluster.ChangeAsync(node, fault.Kind, begins));
        if (begins || !starts)
            Note(begins, node, -1, fault);
        if (!begins && !starts)
            _underWay.Add(RestoredAsync(fault, node, -1));
    }

    // A node is back when it accepts clients, however long its program takes to start.
    private async Task RestartAsync(ClusterFault fault, int node)
    {
        await cluster.RestartAsync(node);
        await cluster.WaitReadyAsync(node, s_startPatience, CancellationToken.None);
        Note(begins: false, node, -1, fault);
        await RestoredAsync(fault, node, -1);
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
}
