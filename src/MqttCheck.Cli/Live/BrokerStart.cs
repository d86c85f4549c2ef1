using System.Runtime.CompilerServices;
using MqttCheck.Brokers.Processes;
using MqttCheck.Clusters.Properties;
using MqttCheck.LiveClusters.Launching;

namespace MqttCheck.Cli.Live;

/// <summary>Starts what a user may choose as a broker: one, or a cluster of them.</summary>
internal static class BrokerStart
{
    /// <summary>Refuses a cluster whose file is wrong, before anything is started or written.</summary>
    /// <exception cref="InputException">There is no such file, or it is wrong.</exception>
    public static void Require(BrokerSpecification specification)
    {
        if (specification.Topology.Length > 0)
            RequireCluster(specification.Topology);
    }

    /// <summary>Starts or reaches a broker.</summary>
    /// <param name="launch">How to start or reach it.</param>
    /// <param name="seed">The user's seed, also of the delays on a cluster's links.</param>
    /// <exception cref="BrokerException">
    /// It cannot be reached; the message says so where the port speaks another transport than the address.
    /// </exception>
    public static async Task<IBrokerUnderTest> RunAsync(
        BrokerSpecification specification,
        BrokerLaunchOptions launch,
        ulong seed,
        CancellationToken cancellation
    )
    {
        try
        {
            return specification.Kind == BrokerKind.Cluster || specification.Kind.IsComposed()
                ? await new ClusterLauncher(
                    new()
                    {
                        Brokers = launch,
                        NodeProgram = OwnProgram.Node,
                        Seed = seed,
                    }
                ).StartAsync(specification, cancellation)
                : await new BrokerLauncher(launch).StartAsync(specification, cancellation);
        }
        catch (BrokerException exception) when (specification.Port > 0)
        {
            var hint = await TransportHint.OfAsync(specification, cancellation);
            if (hint is null)
                throw;
            throw new BrokerException($"{exception.Message} {hint}", exception);
        }
    }

    // In a method of its own, so that nothing of clusters is loaded for a single broker.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void RequireCluster(string file) => ClusterInput.Topology(file);
}
