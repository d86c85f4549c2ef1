using MqttCheck.Automata.Clients;
using MqttCheck.Clusters.Simulation;
using MqttCheck.Properties.Traces;
using MqttCheck.Shards;
using MqttCheck.Simulation;

namespace MqttCheck.Cli.Workers;

/// <summary>
/// The kinds of job that a worker of this tool computes. A command whose job is not here runs locally.
/// </summary>
internal static class WorkerJobs
{
    /// <summary>All kinds.</summary>
    public static JobCatalogue Catalogue() =>
        new JobCatalogue()
            .Add(FleetJob.Kind, FleetJob.Parse)
            .Add(TraceJob.Kind, TraceJob.Parse)
            .Add(RareEvent.Kind, RareEvent.ParseJob)
            .Add(ClusterJob.Kind, ClusterJob.Parse);
}
