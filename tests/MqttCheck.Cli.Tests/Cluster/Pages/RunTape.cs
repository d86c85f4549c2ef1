using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Monitors.Messages;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.LiveClusters.Verdicts;

namespace MqttCheck.Cli.Tests.Cluster.Pages;

/// <summary>
/// A run of which the events are written down: each publisher has a reader of its own, and times are milliseconds.
/// </summary>
internal sealed class RunTape(Topology topology)
{
    private const long Millisecond = 1_000_000;

    private readonly List<ClusterEvent> _events = [];
    private long _message;

    public RunTape Sent(
        long at,
        int publisher = 0,
        long? came = null,
        bool isAcknowledged = true,
        int node = 0,
        int times = 1
    )
    {
        // Live events number a message by its publisher and its place there.
        var message = ((long)publisher << 32) | ++_message;
        Add(at, ClusterEventKind.Published, node, publisher, message);
        if (isAcknowledged)
            Add(at + 1, ClusterEventKind.Acknowledged, node, publisher, message);
        for (var time = 0; came is { } first && time < times; time++)
            Add(first + time, ClusterEventKind.Delivered, node, Readers + publisher, message);
        return this;
    }

    public RunTape Fault(long begin, long? end, int node, int peer = -1, FaultKind kind = FaultKind.Kill)
    {
        Add(begin, ClusterEventKind.FaultBegan, node, peer: peer, fault: kind);
        if (end is { } over)
            Add(over, ClusterEventKind.FaultEnded, node, peer: peer, fault: kind);
        return this;
    }

    public RunTape Restored(long at, int node) => Add(at, ClusterEventKind.BridgesRestored, node);

    public RunTape Reader(long at, int publisher, int node, bool comes) =>
        Add(at, comes ? ClusterEventKind.Connected : ClusterEventKind.Disconnected, node, Readers + publisher);

    /// <summary>The run, as live runs are recorded.</summary>
    public ClusterRunRecord Record(string? failure = null)
    {
        var book = RunMonitors.BookOf(topology, ClientNames.Of(topology), 0);
        var monitors = RunMonitors.Of(topology, TimeSpan.FromSeconds(60), 0, 0, book: book);
        var recorder = new ClusterOutcomeRecorder(topology.Scenario.Settle, null, monitors)
        {
            Messages = (book, topology.Nodes.Count),
            CountsFromNanoseconds = 0,
        };
        for (var publisher = 0; publisher < topology.Load.Publishers; publisher++)
            recorder.Add(
                Event(-5_000, ClusterEventKind.Subscribed, 0, Readers + publisher) with
                {
                    Topic = $"t/{publisher}",
                    Qos = (int)topology.Load.Qos,
                },
                isProbe: false
            );
        foreach (var one in _events.OrderBy(one => one.Nanoseconds))
            recorder.Add(one, isProbe: false);
        return new ClusterRunRecord
        {
            Outcome = recorder.End(100_000 * Millisecond, 100_000 * Millisecond),
            Faults = [],
            Links = [],
            FaultLatenessNanoseconds = 0,
            Failure = failure,
        };
    }

    private int Readers => topology.Load.Publishers;

    private RunTape Add(
        long at,
        ClusterEventKind kind,
        int node,
        int client = -1,
        long message = -1,
        int peer = -1,
        FaultKind fault = FaultKind.None
    )
    {
        var happened = Event(at, kind, node, client) with { Message = message, Peer = peer, Fault = fault };
        var isOfMessage = kind is ClusterEventKind.Published or ClusterEventKind.Acknowledged;
        var publisher = isOfMessage ? client : client - Readers;
        _events.Add(client < 0 ? happened : happened with { Topic = $"t/{publisher}", Qos = (int)topology.Load.Qos });
        return this;
    }

    private static ClusterEvent Event(long at, ClusterEventKind kind, int node, int client) =>
        new()
        {
            Nanoseconds = at * Millisecond,
            Kind = kind,
            Node = node,
            Client = client,
        };
}
