using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors.Messages;
using MqttCheck.Clusters.Topologies.Bridges;

namespace MqttCheck.Clusters.Monitors;

/// <summary>
/// I1: a message crosses a directed link at most once and reaches a node over links at most once, or as often as
/// bridges without a loop make copies of it. Traffic ends soon after the last publication. A connection that failed may
/// send again what was not acknowledged, so each fault and each connection since the first crossing allows one more.
/// </summary>
/// <param name="drainNanoseconds">How long after the last publication messages may still enter links.</param>
/// <param name="nodeNames">The names of nodes, for messages.</param>
/// <param name="changeNanoseconds">
/// How long after a fault, or after a node says that its tree has changed, a message may cross a link several times, at
/// most as often as there are nodes, and reach a node over several links: while a tree changes, nodes get copies, which
/// they recognise and drop. 0 for systems that promise more.
/// </param>
/// <param name="sendsAgain">
/// Whether links send again what was not acknowledged in time: a message then crosses a link once, however often.
/// </param>
/// <param name="copies">The copies that bridges make; null where there are none.</param>
/// <param name="book">The messages of the run, for words; null for numbers alone.</param>
internal sealed class LoopMonitor(
    long drainNanoseconds,
    IReadOnlyList<string> nodeNames,
    long changeNanoseconds = 0,
    bool sendsAgain = false,
    BridgeCopies? copies = null,
    MessageBook? book = null
) : ClusterMonitor
{
    private readonly HashSet<(ClusterEventKind Kind, long Message, int From, int To)> _first = [];
    private readonly Dictionary<(long Message, int From, int To), (int Count, int Before)> _crossings = [];
    private readonly Dictionary<(long Message, int Node), (int Count, int Before)> _arrivals = [];
    private readonly HashSet<(long Message, int Node)> _origins = [];
    private int _breaks;
    private long _lastPublication = long.MinValue;
    private long? _lastChange;

    /// <inheritdoc/>
    public override string Name => "loop-free";

    /// <inheritdoc/>
    public override void Add(in ClusterEvent clusterEvent)
    {
        switch (clusterEvent.Kind)
        {
            case ClusterEventKind.FaultBegan or ClusterEventKind.FaultEnded:
                _breaks++;
                _lastChange = clusterEvent.Nanoseconds;
                break;
            // A connection may fail without a fault of ours, or several times in one.
            case ClusterEventKind.LinkOpened:
                _breaks++;
                break;
            // A node without a processor for some keep alives is lost to its neighbours, without a fault of ours.
            case ClusterEventKind.RootChanged or ClusterEventKind.ParentChanged or ClusterEventKind.TopicParentChanged:
                _lastChange = clusterEvent.Nanoseconds;
                break;
            case ClusterEventKind.Published:
                _lastPublication = clusterEvent.Nanoseconds;
                _origins.Add((clusterEvent.Message, clusterEvent.Node));
                break;
            case ClusterEventKind.Sent
            or ClusterEventKind.Received
                when sendsAgain
                    && !_first.Add((clusterEvent.Kind, clusterEvent.Message, clusterEvent.Node, clusterEvent.Peer)):
                break;
            case ClusterEventKind.Sent when clusterEvent.Message >= 0:
                Sent(clusterEvent);
                break;
            case ClusterEventKind.Received when clusterEvent.Message >= 0:
                Received(clusterEvent);
                break;
        }
    }

    private void Sent(in ClusterEvent sent)
    {
        var key = (sent.Message, sent.Node, sent.Peer);
        var count = Count(_crossings, key, sent.Nanoseconds);
        if (count >= (copies?.Crossings(sent.Node, sent.Peer) ?? 1))
            Report(
                sent.Nanoseconds,
                $"{NameOf(sent.Message)} entered the link "
                    + $"{nodeNames[sent.Node]} -> {nodeNames[sent.Peer]} {count + 1} times"
            );
        else if (_lastPublication != long.MinValue && sent.Nanoseconds > _lastPublication + drainNanoseconds)
            Report(
                sent.Nanoseconds,
                $"{NameOf(sent.Message)} entered the link {nodeNames[sent.Node]} -> {nodeNames[sent.Peer]} "
                    + $"{(sent.Nanoseconds - _lastPublication) / 1_000_000} ms after the last publication"
            );
    }

    private void Received(in ClusterEvent received)
    {
        var key = (received.Message, received.Node);
        var count = Count(_arrivals, key, received.Nanoseconds);
        // Each neighbour may send a copy, and send it again where a connection ends, so only crossings tell a loop.
        if (IsChanging(received.Nanoseconds))
            return;
        var allowed = copies?.Arrivals(received.Node) ?? 0;
        if (_origins.Contains(key) && count >= allowed)
            Report(received.Nanoseconds, $"{NameOf(received.Message)} came back to {nodeNames[received.Node]}");
        else if (count >= Math.Max(1, allowed))
            Report(
                received.Nanoseconds,
                $"{NameOf(received.Message)} reached {nodeNames[received.Node]} {count + 1} times"
            );
    }

    private string NameOf(long message) => book?.NameOf(message) ?? $"message {message}";

    private bool IsChanging(long now) => now - _lastChange < changeNanoseconds;

    // How many earlier times count against this one.
    private int Count<TKey>(Dictionary<TKey, (int Count, int Before)> counts, TKey key, long now)
        where TKey : notnull
    {
        if (!counts.TryGetValue(key, out var entry))
        {
            counts[key] = (1, _breaks);
            return 0;
        }
        counts[key] = (entry.Count + 1, entry.Before);
        if (IsChanging(now) && entry.Count < nodeNames.Count)
            return 0;
        return entry.Count > _breaks - entry.Before ? entry.Count : 0;
    }
}
