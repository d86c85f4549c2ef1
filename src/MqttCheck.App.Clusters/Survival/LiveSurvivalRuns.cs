using MqttCheck.App.Clusters.Runs;
using MqttCheck.App.Progress;
using MqttCheck.Brokers.Processes;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.LiveClusters.Runs;
using MqttCheck.LiveClusters.Verdicts;

namespace MqttCheck.App.Clusters.Survival;

/// <summary>
/// Runs on a live cluster. It is started anew after a run that lost something, and after a fault of its disks: what a
/// fault leaves behind must not count as the doing of another one.
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
    private bool _hasStarted;

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
        if (record is null)
            return null;
        if (IsSpoiled(record.Outcome) || scenario.Faults.Any(fault => fault.Kind.NeedsDisk()))
            await DisposeAsync();
        return new(record.Outcome, record.NotBack ?? record.Failure);
    }

    private static bool IsSpoiled(ClusterOutcome outcome) =>
        outcome.Lost > 0 || outcome.SessionsForgotten > 0 || outcome.Kept is { Missing: > 0 };

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (_cluster is { } cluster)
            await cluster.DisposeAsync();
        _cluster = null;
    }

    private async Task<StartedCluster> ClusterAsync()
    {
        _cluster ??= await StartedCluster.StartAsync(
            place,
            node,
            topology,
            access,
            OptionsOf(topology.Scenario, keepsMessages: false),
            isTold: !_hasStarted
        );
        _hasStarted = true;
        return _cluster;
    }

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
