using MqttCheck.Clusters.Topologies;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.ClusterProtocols.Simulation;

/// <summary>The clients of a replication: those of the load, and two probes for each ordered pair of brokers.</summary>
internal sealed class ReplicationClients
{
    private const ulong LoadStream = 0x6C6F6164;
    private const double Second = 1e9;

    private readonly Workload _load;
    private readonly ClientPlacement _placement;
    private readonly (int From, int To)[] _pairs;

    /// <summary>The clients of a topology.</summary>
    /// <exception cref="InputException">Its load cannot be simulated.</exception>
    public ReplicationClients(Topology topology, Workload load, bool probes)
    {
        if (!load.IsOpenLoop)
            throw new InputException(
                $"{topology.Name}: the load '{load.Name}' is a closed loop, which is not simulated; "
                    + "allowed: arrivals 'constant' or 'poisson' with a rate."
            );
        (_load, _placement) = (load, new ClientPlacement(topology));
        var brokers = topology.Brokers;
        _pairs = probes ? [.. from a in brokers from b in brokers where a != b select (a, b)] : [];
        HasAccessDelay = topology.Sites.Any(site => site.DelayMilliseconds.Mean > 0);
    }

    /// <summary>The beginning of the topics of a topology's load.</summary>
    public static string LoadPrefixOf(Topology topology) =>
        topology.Scenario.TopicPrefix + WorkloadTopics.RunPrefix("simulate");

    /// <summary>Whether some clients are not where their broker is.</summary>
    public bool HasAccessDelay { get; }

    /// <summary>
    /// How long a packet is under way between a client of the load and its broker: the mean of its site's law.
    /// </summary>
    /// <param name="client">A publisher's number, or that of a subscriber behind all publishers.</param>
    public long AccessNanoseconds(int client)
    {
        var site =
            client < _load.Publishers
                ? _placement.PublisherSite(client)
                : _placement.SubscriberSite(client - _load.Publishers);
        return site is null ? 0 : SimulatedLink.ToNanoseconds(site.DelayMilliseconds.Mean);
    }

    /// <summary>Who publishes when, and when that reaches the broker.</summary>
    public IEnumerable<(int Publisher, long At)> Arrivals(ulong seed, int replication, long begin, long end)
    {
        var random = RandomStream.For(seed, LoadStream, (ulong)replication);
        var gap = Second / _load.MessagesPerSecond;
        var at = begin + (gap * random.NextDouble());
        for (var message = 0L; at < end; message++)
        {
            var publisher = (int)(message % _load.Publishers);
            yield return (publisher, (long)at + AccessNanoseconds(publisher));
            at += _load.Arrivals == ArrivalKind.Poisson ? -gap * Math.Log(random.NextOpenDouble()) : gap;
        }
    }

    public SimulationStep Publication(RunClients clients, int publisher, long at) =>
        new()
        {
            AtNanoseconds = at,
            Kind = SimulationStepKind.Publish,
            Node = clients.PublisherNodes[publisher],
            Client = publisher,
            Topic = clients.Topics[publisher],
            Qos = _load.QosOf(publisher),
            PayloadBytes = _load.Payload.MaximumBytes,
        };

    public IEnumerable<SimulationStep> Subscriptions(RunClients clients, long at) =>
        Enumerable
            .Range(0, _load.Subscribers)
            .Select(subscriber => new SimulationStep
            {
                AtNanoseconds = at,
                Kind = SimulationStepKind.Subscribe,
                Node = clients.SubscriberNodes[subscriber],
                Client = _load.Publishers + subscriber,
                Topic = clients.Filters[subscriber],
                Qos = _load.SubscribeQos,
            });

    public IEnumerable<string> ProbeTopics(string prefix) => _pairs.Select((_, pair) => Invariant($"{prefix}{pair}"));

    /// <summary>The two nodes of a probe's client.</summary>
    public (int From, int To) PairOf(int client) => _pairs[(client - FirstProbe) % _pairs.Length];

    public IEnumerable<SimulationStep> ProbeSubscriptions(string prefix, long at) =>
        _pairs.Select(
            (pair, number) =>
                new SimulationStep
                {
                    AtNanoseconds = at,
                    Kind = SimulationStepKind.Subscribe,
                    Node = pair.To,
                    Client = FirstProbe + _pairs.Length + number,
                    Topic = Invariant($"{prefix}{number}"),
                    Qos = QualityOfService.AtLeastOnce,
                }
        );

    // The pairs take turns within an interval, so that a fault does not meet all at one phase.
    public IEnumerable<SimulationStep> Probes(string prefix, long begin, long end, long interval)
    {
        for (var pair = 0; pair < _pairs.Length; pair++)
        for (var at = begin + (interval * pair / _pairs.Length); at < end; at += interval)
            yield return new SimulationStep
            {
                AtNanoseconds = at,
                Kind = SimulationStepKind.Publish,
                Node = _pairs[pair].From,
                Client = FirstProbe + pair,
                Topic = Invariant($"{prefix}{pair}"),
                Qos = QualityOfService.AtLeastOnce,
            };
    }

    private int FirstProbe => _load.Publishers + _load.Subscribers;
}
