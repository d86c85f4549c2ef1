using MqttCheck.Brokers.Processes;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.App.Clusters.Survival;

/// <summary>Makes runs of one cluster, each with faults of its own.</summary>
internal interface ISurvivalRuns
{
    /// <summary>Starts the cluster.</summary>
    /// <param name="cancellation">Gives up.</param>
    /// <returns>The properties of its brokers.</returns>
    /// <exception cref="BrokerException">It does not start.</exception>
    Task<BrokerDescription> StartAsync(CancellationToken cancellation);

    /// <summary>Makes a run.</summary>
    /// <param name="scenario">Its load and faults.</param>
    /// <param name="run">Its number, which decides all random choices.</param>
    /// <param name="keepsMessages">Whether retained messages are written.</param>
    /// <param name="cancellation">Cuts it short.</param>
    /// <returns>The run; null if it was cut short.</returns>
    /// <exception cref="BrokerException">The cluster does not start again.</exception>
    Task<SurvivalRun?> RunAsync(ClusterScenario scenario, int run, bool keepsMessages, CancellationToken cancellation);
}
