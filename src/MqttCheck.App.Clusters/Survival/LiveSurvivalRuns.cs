using MqttCheck.App.Clusters.Runs;
using MqttCheck.App.Progress;
using MqttCheck.Brokers.Processes;
using MqttCheck.Clusters.Topologies;
using MqttCheck.LiveClusters.Runs;
using MqttCheck.LiveClusters.Verdicts;

namespace MqttCheck.App.Clusters.Survival;

/// <summary>
/// Runs on a live cluster. It is started once. One that a fault leaves broken is ended and started anew.
/// </summary>
/// <param name="place">The surroundings.</param>
/// <param name="node">The program that serves one node.</param>
/// <param name="topology">The cluster, with all faults of all runs: its nodes get what these need.</param>
/// <param name="access">How it is reached.</param>
/// <param name="patience">How long a run waits at its end.</param>
/// <param name="seed">The user's seed.</param>
internal sealed class LiveSurvivalRuns(
    Workplace place,
    BrokerCommand node,
    Topology topology,
    ClusterAccess access,
    RunPatience patience,
    ulong seed
) : ISurvivalRuns, IAsyncDisposable
{
    private StartedCluster? _cluster;

    /// <inheritdoc/>
    public async Task<BrokerDescription> StartAsync(CancellationToken cancellation) =>
        (await ClusterAsync()).Description;

    /// <inheritdoc/>
    public async Task<SurvivalRun?> RunAsync(
        ClusterScenario scenario,
        int run,
        bool keepsMessages,
        CancellationToken cancellation
    )
    {
        var cluster = await ClusterAsync();
        var verification = cluster.Under(OptionsOf(scenario, keepsMessages));
        ClusterRunRecord? record = null;
        try
        {
            record = await verification.RunAsync(run, cancellation);
            // A node that does not come back is the doing of this run, and not of the next one.
            if (record is not null)
                await verification.HealAsync(cancellation);
        }
        catch (BrokerException failure) when (!cancellation.IsCancellationRequested)
        {
            await DisposeAsync();
            return new(record?.Outcome, failure.Message);
        }
        catch (OperationCanceledException) when (cancellation.IsCancellationRequested)
        {
            return null;
        }
        return record is null ? null : new(record.Outcome, record.NotBack ?? record.Failure);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (_cluster is { } cluster)
            await cluster.DisposeAsync();
        _cluster = null;
    }

    private async Task<StartedCluster> ClusterAsync() =>
        _cluster ??= await StartedCluster.StartAsync(
            place,
            node,
            topology,
            access,
            OptionsOf(topology.Scenario, keepsMessages: false)
        );

    private ClusterVerificationOptions OptionsOf(ClusterScenario scenario, bool keepsMessages) =>
        new()
        {
            Tests = [],
            MostRuns = 1,
            MostPerSecond = access.LoadCap(topology),
            Seed = seed,
            Scenario = scenario,
            Patience = patience,
            KeepsMessages = keepsMessages,
        };
}
