using System.Net;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.LiveClusters.Launching;
using MqttCheck.LiveClusters.Links;

namespace MqttCheck.LiveClusters.Tests.Plants;

/// <summary>A cluster that runs, with a proxy of plants in front of each of its brokers.</summary>
/// <param name="topology">The cluster.</param>
/// <param name="brokers">Where its brokers are.</param>
/// <param name="broken">The cluster itself, where faults happen to it; null where nothing does.</param>
internal sealed class PlantedCluster(
    Topology topology,
    IEnumerable<IPEndPoint> brokers,
    IClusterUnderTest? broken = null
) : IClusterUnderTest
{
    private readonly PlantProxy[] _proxies = [.. brokers.Select(broker => new PlantProxy(broker))];

    public Topology Topology => topology;

    public BrokerDescription Description => throw new NotSupportedException("Nobody asks for it.");

    public IPEndPoint Address => _proxies[0].Address;

    public IReadOnlyList<WireEndpoint> Endpoints => [.. _proxies.Select(proxy => new WireEndpoint(proxy.Address))];

    public Credentials? Credentials => null;

    /// <summary>Lets something go wrong at the last broker, where half of the clients are.</summary>
    public void Begin(Plant plant) => _proxies[^1].Plant = plant;

    public WireEndpoint? EndpointOf(int node) => Endpoints[node];

    public ClusterNodeState StateOf(int node) => broken?.StateOf(node) ?? ClusterNodeState.Running;

    public string? FailureOf(int node) => broken?.FailureOf(node);

    // Whatever goes wrong does so after the fault has begun.
    public async Task ChangeAsync(int node, FaultKind kind, bool begins)
    {
        if (broken is null)
            return;
        await broken.ChangeAsync(node, kind, begins);
        _proxies[^1].Plant.IsArmed = true;
    }

    public Task DisturbAsync(int one, int other, ClusterFault fault) => Task.CompletedTask;

    public Task HealAsync(int one, int other) => Task.CompletedTask;

    public Task<LinkCounters> CountersAsync(int from, int to) => Task.FromResult(new LinkCounters());

    public Task<string?> WaitReadyAsync(int node, TimeSpan timeout, CancellationToken cancellation) =>
        broken?.WaitReadyAsync(node, timeout, cancellation) ?? Task.FromResult<string?>(null);

    public Task WaitBridgesAsync(int node, int peer, TimeSpan timeout, CancellationToken cancellation) =>
        Task.CompletedTask;

    public ValueTask DisposeAsync()
    {
        foreach (var proxy in _proxies)
            proxy.Dispose();
        return ValueTask.CompletedTask;
    }
}
