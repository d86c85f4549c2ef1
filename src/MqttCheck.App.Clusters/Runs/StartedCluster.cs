using MqttCheck.App.Progress;
using MqttCheck.Brokers.Processes;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.LiveClusters.Launching;
using MqttCheck.LiveClusters.Verdicts;

namespace MqttCheck.App.Clusters.Runs;

/// <summary>A live cluster with all that makes and judges its runs.</summary>
/// <param name="cluster">What was started.</param>
/// <param name="verification">The live cluster.</param>
/// <param name="under">Makes and judges runs of it under other options.</param>
internal sealed class StartedCluster(
    IClusterUnderTest cluster,
    ClusterVerification verification,
    Func<ClusterVerificationOptions, ClusterVerification> under
) : IAsyncDisposable
{
    /// <summary>The brokers of the cluster with their settings.</summary>
    public BrokerDescription Description => cluster.Description;

    /// <summary>Makes its runs.</summary>
    public ClusterVerification Verification => verification;

    /// <summary>Makes its runs under other options, with a load and faults of their own.</summary>
    /// <param name="options">The options; their faults need nothing that those of the start did not.</param>
    public ClusterVerification Under(ClusterVerificationOptions options) => under(options);

    /// <summary>Starts a cluster, without the nodes that join later.</summary>
    /// <param name="node">The program that serves one node.</param>
    /// <param name="access">How it is reached.</param>
    /// <param name="isTold">Whether the user is told that it runs.</param>
    /// <exception cref="InputException">A fault cannot be made.</exception>
    public static async Task<StartedCluster> StartAsync(
        Workplace place,
        BrokerCommand node,
        Topology topology,
        ClusterAccess access,
        ClusterVerificationOptions options,
        bool isTold = true
    )
    {
        var sink = new ClusterRunSink();
        var events = new LiveClusterEvents(sink);
        var launcher = new ClusterLauncher(
            new ClusterLaunchOptions
            {
                Brokers = access.Brokers,
                AllowCommands = access.AllowCommands,
                Configurations = access.Configurations,
                NodeProgram = node,
                Observer = events,
                Notes = events,
                Warned = place.Progress.Note,
                Seed = options.Seed,
            }
        );
        var cluster = await launcher.StartAsync(topology, topology.Joining, place.Orderly);
        try
        {
            RequireFaults(cluster);
            if (isTold)
                place.Progress.Note(
                    $"{cluster.Description.Name}: "
                        + (
                            topology.Nodes.Count - topology.Joining.Count is var running and not 1
                                ? $"{running} nodes run"
                                : "1 node runs"
                        )
                );
            return new(cluster, Under(options), Under);
        }
        catch
        {
            await cluster.DisposeAsync();
            throw;
        }

        ClusterVerification Under(ClusterVerificationOptions under) => new(cluster, events, sink, under, place.Time);
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => cluster.DisposeAsync();

    /// <summary>Says which fault cannot be made.</summary>
    private static void RequireFaults(IClusterUnderTest cluster)
    {
        foreach (var fault in cluster.Topology.Scenario.Faults)
        {
            if ((fault.IsOfNodes ? cluster.WhyNoNodeFaults : cluster.WhyNoLinkFaults) is { } why)
                throw new InputException($"fault '{fault}' cannot be made here: {why}");
        }
    }
}
