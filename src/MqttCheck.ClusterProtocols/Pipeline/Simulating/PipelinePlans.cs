using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Systems;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.ClusterProtocols.Pipeline.Simulating;

/// <summary>Turns a topology of the system <c>pipeline</c> into what is simulated.</summary>
internal static class PipelinePlans
{
    /// <summary>The plan of a topology.</summary>
    /// <param name="topology">Brokers, a log and a store; the service laws of these two are their own times.</param>
    /// <param name="steps">The steps, in order of time.</param>
    /// <param name="durationNanoseconds">How long it runs.</param>
    /// <exception cref="InputException">Nodes are missing, or a fault is none that a pipeline knows.</exception>
    public static PipelinePlan Of(Topology topology, IReadOnlyList<SimulationStep> steps, long durationNanoseconds)
    {
        PipelineNodes.ThrowIfWrong(topology);
        foreach (var step in steps)
        {
            if (step.Kind >= SimulationStepKind.FaultBegins && !step.EndsProcess && !step.StartsProcess)
                throw step.Fault.Refusal(
                    topology.Name,
                    "simulated for a pipeline",
                    FaultKind.Kill,
                    FaultKind.Stop,
                    FaultKind.Join
                );
        }
        var (settings, usual) = (topology.Pipeline, new PipelineTimes());
        var append = ServiceOf(topology, NodeKind.Log) ?? usual.AppendMilliseconds;
        return new PipelinePlan
        {
            Topology = topology,
            Steps = steps,
            DurationNanoseconds = durationNanoseconds,
            Return = topology.Scenario.Return,
            Store = StoreOf(topology),
            Options = OptionsOf(topology),
            Times = usual with
            {
                LingerNanoseconds = (long)Math.Round(1e6 * settings.LingerMilliseconds),
                AppendMilliseconds = append,
                CommitMilliseconds = append,
                StoreMilliseconds = ServiceOf(topology, NodeKind.Store) ?? usual.StoreMilliseconds,
                WayMilliseconds =
                    topology.Links.Select(link => link.DelayMilliseconds).FirstOrDefault(law => law.Mean > 0)
                    ?? usual.WayMilliseconds,
            },
        };
    }

    /// <summary>How the brokers use log and store, simulated and live.</summary>
    public static PipelineOptions OptionsOf(Topology topology) =>
        new()
        {
            PackSize = topology.Pipeline.PackSize,
            Partitions = topology.Pipeline.Partitions,
            StoreRequestsInFlight = topology.Pipeline.HasSynchronousStore ? 1 : topology.Pipeline.StoreBatch,
        };

    /// <summary>The limits of the store, the same in simulated and in live runs.</summary>
    public static StoreOptions StoreOf(Topology topology) => new() { Limit = topology.Pipeline.SessionLimit };

    private static Law? ServiceOf(Topology topology, NodeKind kind) =>
        topology.Nodes.First(node => node.Kind == kind).ServiceMilliseconds;
}
