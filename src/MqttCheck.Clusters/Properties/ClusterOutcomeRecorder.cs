using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Monitors.Messages;
using MqttCheck.Clusters.Properties.Histories;

namespace MqttCheck.Clusters.Properties;

/// <summary>Makes the outcome of a run from its events, one by one, with the monitors that judge them.</summary>
/// <param name="settle">See <see cref="SettledDeliveries"/>.</param>
/// <param name="probeInterval">The time between two probes of a pair; null if there are none.</param>
/// <param name="monitors">The monitors to feed; events of probes do not reach them.</param>
internal sealed class ClusterOutcomeRecorder(
    TimeSpan settle,
    TimeSpan? probeInterval,
    IReadOnlyList<ClusterMonitor> monitors
)
{
    private readonly SettledDeliveries _ledger = new((long)settle.TotalNanoseconds);
    private readonly OrderMonitor _order = new();
    private readonly MonitorGroup _monitors = new(monitors);
    private readonly ProbeMonitor? _probes = probeInterval is { } interval
        ? new ProbeMonitor((long)interval.TotalNanoseconds)
        : null;
    private readonly HashSet<long> _warmUp = [];
    private readonly HashSet<int> _forgotten = [];
    private readonly HashSet<(long Message, int From, int To)> _crossings = [];
    private readonly Dictionary<long, (int Place, long Nanoseconds)> _unacknowledged = [];
    private readonly List<double> _acknowledgements = [];
    private readonly FirstPublications _firsts = new((long)settle.TotalNanoseconds);
    private long _linkMessages;
    private long _linkBytes;
    private long _retransmitted;
    private bool _hasLinks;
    private long? _firstPublication;
    private long? _lastPublication;
    private long _deliveriesBeforeLast;
    private long? _lastDelivery;

    /// <summary>
    /// The number of the place of each client of the load: the outcome tells deliveries apart by these; null if not.
    /// </summary>
    public IReadOnlyList<int>? ClientPlaces { get; init; }

    /// <summary>Measures how long nodes disagree; null where they do not tell of a tree.</summary>
    public ConvergenceMonitor? Convergence { get; init; }

    /// <summary>
    /// When messages begin to count, in nanoseconds. What was published before warms up: monitors judge it, and no
    /// quantity counts it. Default: from the beginning.
    /// </summary>
    public long CountsFromNanoseconds { get; set; } = long.MinValue;

    /// <summary>The book that the monitors fill, for the fates of messages; null where nobody asks for them.</summary>
    public (MessageBook Book, int Nodes)? Messages { get; init; }

    /// <summary>Takes the next event.</summary>
    /// <param name="clusterEvent">An event that is not earlier than the one before.</param>
    /// <param name="isProbe">Whether it is one of a probe's message.</param>
    public void Add(in ClusterEvent clusterEvent, bool isProbe)
    {
        if (clusterEvent.IsOfSessions)
        {
            _monitors.AddOfSessions(clusterEvent);
            return;
        }
        if (isProbe)
        {
            if (clusterEvent.IsRetained)
                _monitors.AddRetained(clusterEvent);
            else if (clusterEvent.Kind is ClusterEventKind.Published or ClusterEventKind.Delivered)
                _probes?.Add(clusterEvent);
            return;
        }
        _monitors.Add(clusterEvent);
        Convergence?.Add(clusterEvent);
        if (IsOfWarmUp(clusterEvent))
            return;
        _ledger.Add(clusterEvent);
        _order.Add(clusterEvent);
        _firsts.Add(clusterEvent);
        switch (clusterEvent.Kind)
        {
            case ClusterEventKind.FaultBegan or ClusterEventKind.FaultEnded:
                _probes?.Add(clusterEvent);
                break;
            case ClusterEventKind.SessionForgotten:
                _forgotten.Add(clusterEvent.Client);
                break;
            case ClusterEventKind.Published:
                _firstPublication ??= clusterEvent.Nanoseconds;
                _lastPublication = clusterEvent.Nanoseconds;
                _deliveriesBeforeLast = _ledger.Deliveries;
                // The time of an acknowledgement is infinite until the acknowledgement comes.
                if (
                    clusterEvent.Qos > 0
                    && _unacknowledged.TryAdd(clusterEvent.Message, (_acknowledgements.Count, clusterEvent.Nanoseconds))
                )
                    _acknowledgements.Add(double.PositiveInfinity);
                break;
            case ClusterEventKind.Acknowledged when _unacknowledged.Remove(clusterEvent.Message, out var publication):
                _acknowledgements[publication.Place] = (clusterEvent.Nanoseconds - publication.Nanoseconds) / 1e6;
                break;
            case ClusterEventKind.Delivered when clusterEvent.Message >= 0:
                _lastDelivery = clusterEvent.Nanoseconds;
                break;
            case ClusterEventKind.Sent:
                _hasLinks = true;
                _linkMessages++;
                _linkBytes += clusterEvent.Bytes;
                if (
                    clusterEvent.Message >= 0
                    && !_crossings.Add((clusterEvent.Message, clusterEvent.Node, clusterEvent.Peer))
                )
                    _retransmitted++;
                break;
        }
    }

    private bool IsOfWarmUp(in ClusterEvent clusterEvent)
    {
        if (clusterEvent.Kind == ClusterEventKind.Published && clusterEvent.Nanoseconds < CountsFromNanoseconds)
            _warmUp.Add(clusterEvent.Message);
        // A link may not see the number of a message.
        return clusterEvent.Message >= 0
            ? _warmUp.Contains(clusterEvent.Message)
            : clusterEvent.Kind == ClusterEventKind.Sent && clusterEvent.Nanoseconds < CountsFromNanoseconds;
    }

    /// <summary>Ends the run.</summary>
    /// <param name="nanoseconds">The time of the end.</param>
    /// <param name="probesEndNanoseconds">When the last message was due: nobody looks for gaps after that.</param>
    /// <param name="linksAreSeen">Whether events of links would have come, had there been any.</param>
    /// <param name="signallingBytes">Bytes of what nodes told each other; null if not known.</param>
    public ClusterOutcome End(
        long nanoseconds,
        long probesEndNanoseconds,
        bool linksAreSeen = false,
        long? signallingBytes = null
    )
    {
        StartBook();
        _monitors.End(nanoseconds);
        var pairs = _ledger.Pairs().ToList();
        var knowsLinks = linksAreSeen || _hasLinks;
        return new ClusterOutcome
        {
            Publications = _ledger.Publications,
            Deliveries = _ledger.Deliveries,
            WithoutSubscription = _ledger.WithoutSubscription,
            Owed = pairs.Count,
            Missing = MissingDeliveries.Of(pairs),
            Losses = LossClasses.Of(pairs),
            ByQos = QosOutcome.Of(pairs),
            SessionsForgotten = _forgotten.Count,
            DeliveryMilliseconds = [.. pairs.Where(pair => pair.IsTimed).Select(pair => pair.TakenNanoseconds / 1e6)],
            AcknowledgementMilliseconds = _acknowledgements,
            Pairs = ClientPlaces is null ? [] : PairOutcome.Of(pairs, ClientPlaces),
            Lost = pairs.LongCount(pair => pair.IsLost),
            LostSettled = pairs.LongCount(pair => pair is { IsLost: true, State: PairState.Settled }),
            RaceLosses = pairs
                .Where(pair => pair is { IsLost: true, State: PairState.Settled } && _firsts.IsNear(pair.Message))
                .DistinctBy(pair => pair.Message)
                .LongCount(),
            Duplicates = pairs.Sum(pair => Math.Max(0L, pair.Deliveries - 1)),
            Reordered = _order.ViolationCount,
            Racing = pairs.LongCount(pair => pair.State == PairState.Racing),
            RepairMilliseconds = _probes is null
                ? null
                : _probes.Repair(probesEndNanoseconds) / 1e6 ?? double.PositiveInfinity,
            BlackoutMilliseconds = _probes?.Blackout(probesEndNanoseconds) / 1e6,
            IsServiceLost = _probes?.IsServiceLost(probesEndNanoseconds) == true,
            ProbeResolutionMilliseconds = _probes?.LongestUnseenNanoseconds / 1e6,
            UnwatchedMilliseconds = _probes?.Unwatched(probesEndNanoseconds) / 1e6,
            ConvergenceMilliseconds = Convergence?.Nanoseconds(probesEndNanoseconds) / 1e6,
            LinkMessages = knowsLinks ? _linkMessages : null,
            LinkBytes = knowsLinks ? _linkBytes : null,
            Retransmitted = knowsLinks ? _retransmitted : null,
            SignallingBytes = signallingBytes,
            Throughput =
                _lastPublication > _firstPublication
                    ? _deliveriesBeforeLast / ((_lastPublication - _firstPublication).Value / 1e9)
                    : null,
            CaughtUpMilliseconds = ClusterOutcome.CaughtUpOf(
                _lastPublication,
                _lastDelivery,
                pairs.LongCount(pair => pair.IsLost)
            ),
            Violations = _monitors.Violations,
            Reports = _monitors.Reports,
            ViolationCounts = _monitors.Counts,
            History = HistoryOf(pairs),
        };
    }

    // The words of monitors count from the first message that counts.
    private void StartBook()
    {
        if (Messages is { } messages && CountsFromNanoseconds != long.MinValue)
            messages.Book.StartNanoseconds = CountsFromNanoseconds;
    }

    private RunHistory? HistoryOf(IEnumerable<DeliveryPair> pairs) =>
        Messages is { } messages
            ? RunHistory.Of(messages.Book, pairs, (long)settle.TotalNanoseconds, messages.Nodes)
            : null;
}
