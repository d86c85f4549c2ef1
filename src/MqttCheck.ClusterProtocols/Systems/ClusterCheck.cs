using MqttCheck.ClusterProtocols.Generation;
using MqttCheck.ClusterProtocols.Interest;
using MqttCheck.ClusterProtocols.SpanningTree;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Sessions;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.ClusterProtocols.Systems;

/// <summary>
/// Puts random cases to a simulated cluster, and shrinks the first one in which an invariant does not hold.
/// </summary>
internal sealed class ClusterCheck
{
    private readonly CaseSearch _search;

    /// <summary>A check.</summary>
    /// <param name="topology">The cluster, whose system can be simulated.</param>
    /// <param name="seed">The seed of the cases and of what they draw.</param>
    public ClusterCheck(Topology topology, ulong seed)
        : this(topology, seed, TreeMutant.None) { }

    internal ClusterCheck(Topology topology, ulong seed, TreeMutant mutant, OverlayMutant overlay = OverlayMutant.None)
        : this(topology, seed, (tested, drawn) => CaseRun.Judge(topology, tested, drawn, mutant, overlay)) { }

    /// <summary>A check at another level than that of frames.</summary>
    /// <param name="topology">The cluster.</param>
    /// <param name="seed">The seed of the cases and of what they draw.</param>
    /// <param name="judge">Runs a case with a seed, and says what did not hold.</param>
    public ClusterCheck(
        Topology topology,
        ulong seed,
        Func<ClusterCase, ulong, IReadOnlyList<ClusterViolation>> judge
    ) => _search = SimulatedSystem.Of(topology).Search(topology, seed, judge);

    /// <summary>Simulates one run of a case and says which violations it shows.</summary>
    /// <param name="topology">The cluster, whose system can be simulated.</param>
    /// <param name="tested">The case.</param>
    /// <param name="seed">The seed of what the run draws.</param>
    public static IReadOnlyList<ClusterViolation> Judge(Topology topology, ClusterCase tested, ulong seed) =>
        SimulatedSystem.Of(topology).Judge(topology, tested, seed);

    /// <summary>Says what cannot be simulated, before any of it is.</summary>
    /// <param name="topology">The topology.</param>
    /// <exception cref="InputException">Its system, its nodes or its hops cannot be simulated.</exception>
    public static void ThrowIfNotSimulated(Topology topology)
    {
        SessionLoad.ThrowIfAny(topology);
        SimulatedSystem.Of(topology).Check(topology);
    }

    /// <summary>
    /// The topology with delays of normal:10ms,2.5ms on its links, if it has none: without delays much cannot happen.
    /// </summary>
    /// <param name="topology">The topology.</param>
    public static Topology WithUsualDelays(Topology topology) =>
        topology.Links.All(link => link.DelayMilliseconds is ConstantLaw { Value: 0 })
            ? topology with
            {
                Links = [.. topology.Links.Select(link => link with { DelayMilliseconds = new NormalLaw(10, 2.5) })],
            }
            : topology;

    /// <summary>How many cases have been run, those of shrinking left out.</summary>
    public long Cases => _search.Cases;

    /// <summary>How many operations and faults they had.</summary>
    public long Operations => _search.Operations;

    /// <summary>How long these runs were together, in virtual time.</summary>
    public TimeSpan Simulated => _search.Simulated;

    /// <summary>How many cases had steps of each kind, the most frequent kind first.</summary>
    public IReadOnlyList<(string Kind, long Cases)> Kinds => _search.Kinds;

    /// <summary>Runs the next case.</summary>
    /// <returns>
    /// The shrunk finding; null if all held, or if only such invariants were violated as were found before.
    /// </returns>
    public ClusterFinding? Next() => _search.Next();
}
