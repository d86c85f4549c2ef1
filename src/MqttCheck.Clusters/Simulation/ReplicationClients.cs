using MqttCheck.Clusters.Topologies;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;
using static System.FormattableString;

namespace MqttCheck.Clusters.Simulation;

/// <summary>The clients of a replication: those of the load, and two probes for each ordered pair of brokers.</summary>
internal sealed class ReplicationClients
{
    private readonly Workload _load;
    private readonly (int From, int To)[] _pairs;

    public ReplicationClients(Topology topology, Workload load, bool probes)
    {
        (_load, Placement) = (load, new ClientPlacement(topology));
        var brokers = topology.Brokers;
        _pairs = probes ? [.. from a in brokers from b in brokers where a != b select (a, b)] : [];
        HasAccessDelay = topology.Sites.Any(site => site.DelayMilliseconds.Mean > 0);
    }

    public ClientPlacement Placement { get; }

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
                ? Placement.PublisherSite(client)
                : Placement.SubscriberSite(client - _load.Publishers);
        return site is null ? 0 : SimulatedLink.ToNanoseconds(site.DelayMilliseconds.Mean);
    }

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
