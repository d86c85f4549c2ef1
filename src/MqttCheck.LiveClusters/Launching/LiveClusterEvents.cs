using System.Text;
using MqttCheck.Brokers.Loads;
using MqttCheck.Brokers.Loads.Messages;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clusters.Events;
using MqttCheck.LiveClusters.Links;
using MqttCheck.Profiles.Workloads;

namespace MqttCheck.LiveClusters.Launching;

/// <summary>
/// Gathers the events of a live run from the threads of clients, probes, relays and faults. It hands them to a sink in
/// order of time, some 50 ms after they happened. It is made before the cluster starts, because relays report the
/// messages on links to it.
/// </summary>
/// <param name="sink">Takes the events, on one thread.</param>
internal sealed class LiveClusterEvents(IClusterEventSink sink) : ILinkObserver
{
    /// <summary>How many bits of a message's number count the messages of one publisher.</summary>
    private const int NumberBits = 32;

    // All threads have reported an event by the time that it is this old.
    private const long SettleNanoseconds = 50_000_000;

    private readonly Lock _gate = new();
    private List<ClusterEvent> _gathered = [];
    private volatile Run? _run;

    /// <inheritdoc/>
    public void Opened(int from, int to, long nanoseconds) =>
        Add(
            new ClusterEvent
            {
                Nanoseconds = nanoseconds,
                Kind = ClusterEventKind.LinkOpened,
                Node = from,
                Peer = to,
            }
        );

    /// <inheritdoc/>
    public void Entered(int from, int to, in LinkPublication publication) =>
        Passed(ClusterEventKind.Sent, from, to, publication);

    /// <inheritdoc/>
    public void Left(int from, int to, in LinkPublication publication) =>
        Passed(ClusterEventKind.Received, to, from, publication);

    /// <summary>The number of a message in events.</summary>
    /// <param name="publisher">Its publisher.</param>
    /// <param name="number">Its number among the messages of its publisher.</param>
    internal static long MessageOf(int publisher, long number) => ((long)publisher << NumberBits) | (uint)number;

    /// <summary>Makes the topics of a run known, so that messages on links are recognised.</summary>
    /// <param name="workload">The load.</param>
    /// <param name="beginning">The beginning of its topics, where no bridge renamed them.</param>
    /// <param name="prefix">The run's own prefix behind it.</param>
    /// <param name="topics">Its topics.</param>
    internal void Begin(Workload workload, string beginning, string prefix, LoadTopics topics) =>
        _run = new Run(workload, beginning, prefix, topics);

    /// <summary>Whether a message counts: counted warm-up messages only make topics known.</summary>
    /// <param name="number">Its number among the messages of its publisher.</param>
    internal bool Counts(long number) => number >= _run!.Workload.WarmUp.Messages;

    /// <summary>The topic of a publisher.</summary>
    /// <param name="publisher">The publisher's number.</param>
    internal string TopicOf(int publisher) => _run!.Topics.Topics[publisher];

    /// <summary>Takes an event, from any thread.</summary>
    internal void Add(in ClusterEvent clusterEvent)
    {
        lock (_gate)
            _gathered.Add(clusterEvent);
    }

    /// <summary>Hands on the events that are old enough.</summary>
    /// <param name="all">Whether everything is handed on, because nothing more comes.</param>
    internal void Flush(bool all)
    {
        var until = all ? long.MaxValue : MonotonicClock.NowNanoseconds - SettleNanoseconds;
        List<ClusterEvent> settled;
        lock (_gate)
        {
            var later = new List<ClusterEvent>();
            settled = new List<ClusterEvent>(_gathered.Count);
            foreach (var one in _gathered)
                (one.Nanoseconds <= until ? settled : later).Add(one);
            _gathered = later;
        }
        // The sort is stable, so that events of one time keep the order of their reports.
        foreach (var one in settled.OrderBy(one => one.Nanoseconds))
            sink.Add(one);
    }

    private void Passed(ClusterEventKind kind, int node, int peer, in LinkPublication publication)
    {
        if (_run is not { } run)
            return;
        var publisher = run.Table.Find(publication.Topic, run.LastPublisher);
        var message = -1L;
        var behind = publication.Topic.IndexOf(run.Prefix);
        if (publisher >= 0)
        {
            run.LastPublisher = publisher;
            if (run.Workload.Payload.TryReadNumber(publication.Payload, out var inPayload))
            {
                (publisher, var number) = run.Topics.FromPayload(publisher, inPayload);
                if (!Counts(number))
                    return;
                message = MessageOf(publisher, number);
            }
        }
        else if (behind < 0)
        {
            // The publication belongs to the brokers' own traffic or to a client outside the run.
            return;
        }
        Add(
            new ClusterEvent
            {
                Nanoseconds = publication.Nanoseconds,
                Kind = kind,
                Node = node,
                Peer = peer,
                Message = message,
                Topic =
                    publisher >= 0
                        ? run.Topics.Topics[publisher]
                        : run.Beginning + Encoding.UTF8.GetString(publication.Topic[behind..]),
                Qos = publication.Qos,
                Bytes = publication.Bytes,
            }
        );
    }

    private sealed class Run(Workload workload, string beginning, string prefix, LoadTopics topics)
    {
        public Workload Workload { get; } = workload;

        public string Beginning { get; } = beginning;

        public byte[] Prefix { get; } = Encoding.UTF8.GetBytes(prefix);

        public LoadTopics Topics { get; } = topics;

        public TopicTable Table { get; } = new([.. topics.Topics.Select(Encoding.UTF8.GetBytes)], prefix);

        public int LastPublisher { get; set; }
    }
}
