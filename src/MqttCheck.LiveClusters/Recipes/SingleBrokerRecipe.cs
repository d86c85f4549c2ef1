using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Recipes;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.LiveClusters.Recipes;

/// <summary>One broker that is one program, as a cluster of one node.</summary>
/// <param name="single">How the broker is started.</param>
internal sealed class SingleBrokerRecipe(IBrokerRecipe single) : IClusterRecipe
{
    /// <inheritdoc/>
    public Credentials? Credentials => single.Credentials;

    /// <inheritdoc/>
    public Task<BrokerDescription> DescribeAsync(Topology topology, CancellationToken cancellation) =>
        single.DescribeAsync(cancellation);

    /// <inheritdoc/>
    public BrokerCommand Prepare(ClusterNodePlan plan) => single.Prepare(plan.Directory, plan.Port);
}
