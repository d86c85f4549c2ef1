using MqttCheck.Automata.Clients;
using MqttCheck.Brokers.Fleets.Parts;
using MqttCheck.Brokers.Loads.Parts;
using MqttCheck.Cli.Options;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Properties.Traces;
using MqttCheck.Shards;
using MqttCheck.Simulation;

namespace MqttCheck.Cli.Workers;

/// <summary>
/// The kinds of job that a worker of this tool computes, and of live runs that it takes part in.
/// </summary>
internal static class WorkerJobs
{
    /// <summary>All kinds.</summary>
    public static JobCatalogue Catalogue() =>
        new JobCatalogue()
            .Add(FleetJob.Kind, FleetJob.Parse)
            .Add(TraceJob.Kind, TraceJob.Parse)
            .Add(RareEvent.Kind, RareEvent.ParseJob)
            .Add(ClusterJob.Kind, ClusterJob.Parse)
            .AddPart(
                FleetPart.Kind,
                static (description, send) => FleetPart.Prepare(description, send, ClientOption.Logged)
            )
            .AddPart(
                SharedLoadPart.Kind,
                static (description, _) => SharedLoadPart.Prepare(description, ClientOption.Logged)
            );
}
