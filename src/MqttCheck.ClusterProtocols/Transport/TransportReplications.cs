using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;

namespace MqttCheck.ClusterProtocols.Transport;

/// <summary>Simulated runs of a transport with its load and its faults.</summary>
/// <remarks>
/// A closed loop has its window at each node. An open loop is Poisson, and goes to every other node equally. Messages
/// that are under way at the end of a run are not lost: they are undelivered.
/// </remarks>
internal sealed class TransportReplications : IReplications
{
    /// <summary>How long a replication goes on after the last message, as a live run does.</summary>
    internal static readonly TimeSpan Rest = TimeSpan.FromSeconds(5);

    private readonly Topology _topology;
    private readonly string[] _names;

    /// <summary>The replications of a topology.</summary>
    /// <param name="topology">The topology, with load and faults.</param>
    /// <exception cref="InputException">Its links or its faults cannot be simulated.</exception>
    public TransportReplications(Topology topology)
    {
        _topology = topology;
        _names = [.. topology.Nodes.Select(node => node.Name)];
        _ = SetupOf(seed: 0, replication: 0);
    }

    /// <inheritdoc/>
    public Func<int, ClusterOutcome> Start(ulong seed) =>
        replication =>
        {
            var setup = SetupOf(seed, replication);
            var recorder = new TransportRecorder(setup, _names);
            return recorder.End(TransportSimulation.Run(setup, seed, (ulong)replication, recorder));
        };

    private TransportSetup SetupOf(ulong seed, int replication) =>
        TransportPlans.Of(_topology, ScheduledFault.Of(_topology, seed, replication)) with
        {
            Load = TransportPlans.LoadOf(_topology),
            DurationNanoseconds = (long)_topology.Duration.TotalNanoseconds,
            RestNanoseconds = (long)Rest.TotalNanoseconds,
        };
}
