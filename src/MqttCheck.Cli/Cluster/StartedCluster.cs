using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Live;
using MqttCheck.Cli.Terminal;
using MqttCheck.Clusters.Topologies;
using MqttCheck.LiveClusters.Launching;
using MqttCheck.LiveClusters.Verdicts;

namespace MqttCheck.Cli.Cluster;

/// <summary>A live cluster with all that makes and judges its runs.</summary>
/// <param name="cluster">What was started.</param>
/// <param name="verification">The live cluster.</param>
internal sealed class StartedCluster(IClusterUnderTest cluster, ClusterVerification verification) : IAsyncDisposable
{
    /// <summary>The brokers of the cluster with their settings.</summary>
    public BrokerDescription Description => cluster.Description;

    /// <summary>Makes its runs.</summary>
    public ClusterVerification Verification => verification;

    /// <summary>Starts a cluster, without the nodes that join later.</summary>
    /// <exception cref="InputException">A fault cannot be made.</exception>
    public static async Task<StartedCluster> StartAsync(
        Topology topology,
        ClusterVerificationOptions options,
        Screen screen,
        Interruption interruption
    )
    {
        var sink = new ClusterRunSink();
        var events = new LiveClusterEvents(sink);
        var launcher = new ClusterLauncher(
            new ClusterLaunchOptions
            {
                NodeProgram = OwnProgram.Node,
                Observer = events,
                Notes = events,
                Seed = options.Seed,
            }
        );
        var cluster = await launcher.StartAsync(topology, ClusterRunStage.Joining(topology), interruption.Orderly);
        try
        {
            ClusterRunStage.RequireFaults(cluster);
            screen.Note($"{cluster.Description.Name}: {topology.Nodes.Count} nodes run");
            return new(cluster, new ClusterVerification(cluster, events, sink, options, screen.Time));
        }
        catch
        {
            await cluster.DisposeAsync();
            throw;
        }
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => cluster.DisposeAsync();
}
