using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors;

namespace MqttCheck.Clusters.Tests.Monitors;

/// <summary>Writes events in a line each, with times in milliseconds.</summary>
internal sealed class EventTape
{
    public const long Millisecond = 1_000_000;

    public static readonly string[] Names = ["a", "b", "c", "d"];

    public List<ClusterEvent> Events { get; } = [];

    /// <summary>A time in words.</summary>
    public static string Time(long nanoseconds) => FormattableString.Invariant($"{nanoseconds / 1e9:0.000} s");

    public EventTape Subscribed(long at, int client, string filter, int qos = 1, int node = 0) =>
        Add(at, ClusterEventKind.Subscribed, node, client: client, topic: filter, qos: qos);

    public EventTape Unsubscribed(long at, int client, string filter, int node = 0) =>
        Add(at, ClusterEventKind.Unsubscribed, node, client: client, topic: filter);

    public EventTape Forgotten(long at, int client, string filter, int node = 0) =>
        Add(at, ClusterEventKind.SessionForgotten, node, client: client, topic: filter);

    public EventTape Invented(long at, int client, string filter, int node = 0) =>
        Add(at, ClusterEventKind.SessionInvented, node, client: client, topic: filter);

    public EventTape Published(
        long at,
        long message,
        string topic,
        int qos = 1,
        int node = 0,
        int client = 100,
        bool isAcknowledged = true
    )
    {
        Add(at, ClusterEventKind.Published, node, client: client, message: message, topic: topic, qos: qos);
        return isAcknowledged
            ? Add(at, ClusterEventKind.Acknowledged, node, client: client, message: message, topic: topic)
            : this;
    }

    public EventTape Acknowledged(long at, long message, int client, int node = 0) =>
        Add(at, ClusterEventKind.Acknowledged, node, client: client, message: message);

    public EventTape Delivered(long at, long message, int client, string topic = "t", int node = 0) =>
        Add(at, ClusterEventKind.Delivered, node, client: client, message: message, topic: topic);

    public EventTape Connected(long at, int client, int node) =>
        Add(at, ClusterEventKind.Connected, node, client: client);

    public EventTape Disconnected(long at, int client, int node) =>
        Add(at, ClusterEventKind.Disconnected, node, client: client);

    public EventTape WillOwed(long at, long message, string topic, int client = 9, int qos = 1) =>
        Add(at, ClusterEventKind.WillOwed, node: 0, client: client, message: message, topic: topic, qos: qos);

    public EventTape WillDiscarded(long at, long message, string topic, int client = 9, int qos = 1) =>
        Add(at, ClusterEventKind.WillDiscarded, node: 0, client: client, message: message, topic: topic, qos: qos);

    public EventTape Crossed(long at, long message, int from, int to)
    {
        Add(at, ClusterEventKind.Sent, from, peer: to, message: message);
        return Add(at, ClusterEventKind.Received, to, peer: from, message: message);
    }

    public EventTape Opened(long at, int from, int to) => Add(at, ClusterEventKind.LinkOpened, from, peer: to);

    public EventTape Probe(long at, long message, int from, int to, long? arrives = null)
    {
        Add(at, ClusterEventKind.Published, from, peer: to, message: message);
        return arrives is { } then ? Add(then, ClusterEventKind.Delivered, to, peer: from, message: message) : this;
    }

    public EventTape ParentChanged(
        long at,
        int node,
        int parent,
        ClusterEventKind kind = ClusterEventKind.ParentChanged
    ) => Add(at, kind, node, peer: parent);

    public EventTape Fault(long begin, long? end, int node, int peer = -1)
    {
        Add(begin, ClusterEventKind.FaultBegan, node, peer: peer);
        return end is { } over ? Add(over, ClusterEventKind.FaultEnded, node, peer: peer) : this;
    }

    public EventTape Restored(long at, int node, int peer = -1) =>
        Add(at, ClusterEventKind.BridgesRestored, node, peer: peer);

    /// <summary>Plays them as events of clients that share subscriptions or take over.</summary>
    public TMonitor PlayOfSessions<TMonitor>(TMonitor monitor, long end = 60_000)
        where TMonitor : ClusterMonitor
    {
        foreach (var clusterEvent in InOrder())
            monitor.Add(clusterEvent with { IsOfSessions = true });
        monitor.End(end * Millisecond);
        return monitor;
    }

    public TMonitor Play<TMonitor>(TMonitor monitor, long end = 60_000)
        where TMonitor : ClusterMonitor
    {
        foreach (var clusterEvent in InOrder())
            monitor.Add(clusterEvent);
        monitor.End(end * Millisecond);
        return monitor;
    }

    public IEnumerable<ClusterEvent> InOrder() => Events.OrderBy(clusterEvent => clusterEvent.Nanoseconds);

    private EventTape Add(
        long at,
        ClusterEventKind kind,
        int node,
        int peer = -1,
        int client = -1,
        long message = -1,
        string topic = "",
        int qos = 0
    )
    {
        Events.Add(
            new ClusterEvent
            {
                Nanoseconds = at * Millisecond,
                Kind = kind,
                Node = node,
                Peer = peer,
                Client = client,
                Message = message,
                Topic = topic,
                Qos = qos,
                Bytes = kind == ClusterEventKind.Sent ? 10 : 0,
            }
        );
        return this;
    }
}
