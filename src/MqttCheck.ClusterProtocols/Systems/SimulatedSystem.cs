using MqttCheck.ClusterProtocols.Generation;
using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.ClusterProtocols.Pipeline.Simulating;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.ClusterProtocols.SpanningTree;
using MqttCheck.ClusterProtocols.Transport;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Systems;

namespace MqttCheck.ClusterProtocols.Systems;

/// <summary>How a system is simulated, predicted and checked.</summary>
internal sealed record SimulatedSystem
{
    private static readonly SimulatedSystem s_nodes = new()
    {
        Check = ClusterCores.ThrowIfNone,
        Rest = ClusterReplications.Rest,
        Replications = ClusterReplications.Of,
        Search = (topology, seed, judge) => new TreeCheck(topology, seed, judge),
        Judge = (topology, tested, seed) => CaseRun.Judge(topology, tested, seed, TreeMutant.None),
    };

    // A system that is not simulated as nodes with a core and hops has a row of its own.
    private static readonly Dictionary<ClusterSystem, SimulatedSystem> s_others = new()
    {
        [ClusterSystem.Transport] = new()
        {
            Check = TransportPlans.ThrowIfNotMeshed,
            Rest = TransportReplications.Rest,
            Replications = question => new TransportReplications(question.Topology),
            Search = (topology, seed, _) => new TransportCheck(topology, seed, TransportMutant.None),
            Judge = (topology, tested, seed) => TransportCheck.Judge(topology, tested, seed, TransportMutant.None),
        },
        [ClusterSystem.Pipeline] = new()
        {
            Check = PipelineNodes.ThrowIfWrong,
            Rest = PipelineReplications.Rest,
            Replications = question => new PipelineReplications(question.Topology, question.Places, question.IsChecked),
            Search = (topology, seed, _) => new PipelineCheck(topology, seed, PipelineMutant.None),
            Judge = (topology, tested, seed) =>
                PipelineCaseRun.Of(topology, tested, seed, PipelineMutant.None).Violations,
        },
    };

    /// <summary>Refuses a topology that cannot be simulated.</summary>
    public required Action<Topology> Check { get; init; }

    /// <summary>How long a replication goes on after the last publication.</summary>
    public required TimeSpan Rest { get; init; }

    /// <summary>The replications of a question.</summary>
    public required Func<ReplicationQuestion, IReplications> Replications { get; init; }

    /// <summary>The search for a case that shows a violation, with how cases of nodes are judged.</summary>
    public required Func<
        Topology,
        ulong,
        Func<ClusterCase, ulong, IReadOnlyList<ClusterViolation>>,
        CaseSearch
    > Search { get; init; }

    /// <summary>The violations of one case.</summary>
    public required Func<Topology, ClusterCase, ulong, IReadOnlyList<ClusterViolation>> Judge { get; init; }

    /// <summary>Refuses a load of which simulations leave something out.</summary>
    /// <param name="topology">The topology.</param>
    /// <exception cref="InputException">Subscribers go offline, or publishers pause.</exception>
    public static void RequireLoad(Topology topology)
    {
        var key =
            topology.Load.OfflineShare > 0 ? "offline"
            : topology.Load.Burst is { MessagesPerSecond: 0 } ? "pause"
            : null;
        if (key is not null)
            throw new InputException(
                $"{topology.Name}: workload '{topology.Load.Name}' has the key {key}, which is not simulated; allowed: "
                    + "a load without it, or 'mqttcheck cluster run'."
            );
    }

    /// <summary>The row of a topology's system; one that cannot be simulated is refused by its check.</summary>
    public static SimulatedSystem Of(Topology topology) => s_others.GetValueOrDefault(topology.System, s_nodes);
}
