using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Properties;

namespace MqttCheck.ClusterProtocols.Transport;

/// <summary>Makes events for the monitor and the outcome of a run from what the transport's clients see.</summary>
internal sealed class TransportRecorder(TransportSetup setup, IReadOnlyList<string> nodeNames) : ITransportObserver
{
    private readonly Dictionary<long, long> _offered = [];
    private readonly HashSet<long> _delivered = [];
    private readonly List<double> _milliseconds = [];
    private readonly Dictionary<(int From, int To), long> _last = [];
    private long _reordered;
    private long _acknowledged;
    private long _deliveries;
    private long _lastOffer;
    private long? _lastDelivery;

    /// <summary>The monitor of the run.</summary>
    public TransportMonitor Monitor { get; } = new(TransportPlans.BoundsOf(setup.Design), nodeNames);

    /// <inheritdoc/>
    public void Offered(int node, int peer, long message, long now)
    {
        var id = Id(node, peer, message);
        _offered.Add(id, now);
        _lastOffer = now;
        Add(ClusterEventKind.Published, node, peer, id, now);
    }

    /// <inheritdoc/>
    public void Delivered(int node, int peer, long message, long now)
    {
        var id = Id(peer, node, message);
        _deliveries++;
        _lastDelivery = now;
        if (_delivered.Add(id))
            _milliseconds.Add((now - _offered[id]) / 1e6);
        if (_last.TryGetValue((peer, node), out var last) && message < last)
            _reordered++;
        else
            _last[(peer, node)] = message;
        Add(ClusterEventKind.Delivered, node, peer, id, now);
    }

    /// <inheritdoc/>
    public void Acknowledged(int node, int peer, long message, long now)
    {
        _acknowledged++;
        Add(ClusterEventKind.Acknowledged, node, peer, Id(node, peer, message), now);
    }

    /// <inheritdoc/>
    public void Heard(int node, int peer, int waiting, long now) => Queue(node, peer, waiting, now);

    /// <inheritdoc/>
    public void Sent(int node, int peer, long sequence, long now) =>
        Add(ClusterEventKind.Sent, node, peer, sequence, now);

    /// <inheritdoc/>
    public void Arrived(int node, int peer, long sequence, long now) =>
        Add(ClusterEventKind.Received, node, peer, sequence, now);

    /// <inheritdoc/>
    public void Asked(int node, int peer, long first, long last, long now) =>
        Add(ClusterEventKind.GapRequested, node, peer, first, now, last);

    /// <summary>Ends the run.</summary>
    public ClusterOutcome End(TransportOutcome outcome)
    {
        Queue(outcome.NodeOfLongestQueue, -1, outcome.LongestReceiveQueue, setup.EndNanoseconds);
        for (var node = 0; node < setup.Nodes; node++)
            Queue(node, -1, outcome.LongestSendQueues[node], setup.EndNanoseconds, ClusterEventKind.SendQueueLength);
        Monitor.End(setup.EndNanoseconds);
        var undelivered = _offered.Count - _delivered.Count;
        return new ClusterOutcome
        {
            Owed = _offered.Count,
            // An acknowledgement follows its delivery.
            Missing = default(MissingDeliveries) with
            {
                Unacknowledged = undelivered,
            },
            CaughtUpMilliseconds = ClusterOutcome.CaughtUpOf(_lastOffer, _lastDelivery, undelivered),
            Publications = _offered.Count,
            Deliveries = _deliveries,
            DeliveryMilliseconds = _milliseconds,
            // An acknowledgement follows its delivery, so one without is a loss.
            Lost = Math.Max(0, _acknowledged - _delivered.Count),
            LostSettled = Math.Max(0, _acknowledged - _delivered.Count),
            Duplicates = _deliveries - _delivered.Count,
            Reordered = _reordered,
            // There are no subscriptions that could begin or end.
            Racing = 0,
            LinkMessages = outcome.DataFrames,
            Retransmitted = outcome.Retransmissions,
            Throughput = outcome.DeliveredPerSecond * setup.Nodes,
            Violations = Monitor.Violations,
        };
    }

    /// <summary>
    /// Says that everything had the time to arrive, acknowledged or not: what two living nodes have taken is not lost.
    /// </summary>
    public void ExpectAll()
    {
        foreach (var id in _offered.Keys.Where(id => !_delivered.Contains(id)))
            Add(ClusterEventKind.Acknowledged, 0, 0, id, setup.EndNanoseconds);
        Monitor.End(setup.EndNanoseconds);
    }

    private void Add(ClusterEventKind kind, int node, int peer, long id, long now, long value = 0) =>
        Monitor.Add(
            new ClusterEvent
            {
                Nanoseconds = now,
                Kind = kind,
                Node = node,
                Peer = peer,
                Message = id,
                Value = value,
            }
        );

    private void Queue(
        int node,
        int peer,
        int waiting,
        long now,
        ClusterEventKind kind = ClusterEventKind.QueueLength
    ) =>
        Monitor.Add(
            new ClusterEvent
            {
                Nanoseconds = now,
                Kind = kind,
                Node = node,
                Peer = peer,
                Value = waiting,
            }
        );

    private long Id(int from, int to, long message) => (((message * setup.Nodes) + from) * setup.Nodes) + to;
}
