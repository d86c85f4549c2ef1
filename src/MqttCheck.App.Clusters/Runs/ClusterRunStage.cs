using MqttCheck.App.Progress;
using MqttCheck.Brokers.Processes;
using MqttCheck.Clusters.Properties;
using MqttCheck.LiveClusters.Verdicts;
using MqttCheck.Verification.Planning;
using static System.FormattableString;

namespace MqttCheck.App.Clusters.Runs;

/// <summary>The stage from a topology to verdicts on its live runs.</summary>
internal static class ClusterRunStage
{
    /// <summary>Makes the runs. Call <see cref="ClusterRunRequest.Require"/> before.</summary>
    /// <param name="node">The program that serves one node.</param>
    /// <exception cref="InputException">A fault cannot be made.</exception>
    public static async Task<ClusterRunAnswer> RunAsync(Workplace place, BrokerCommand node, ClusterRunRequest request)
    {
        var properties = request.Tests.Select(test => test.Property);
        foreach (var note in request.Notes.Concat(RepairRoom.Findings(request.Topology, properties)))
            place.Progress.Note(note);
        place.Progress.Note(Announcement(request));
        var options = new ClusterVerificationOptions
        {
            Tests = request.Tests,
            MostRuns = request.MostRuns,
            Budget = request.Budget,
            Seed = request.Seed,
            MostPerSecond = request.Access.LoadCap(request.Topology),
            IsMadeReady = BridgeNeeds.LoopOf(request.Topology) is null,
        };
        await using var cluster = await StartedCluster.StartAsync(
            place,
            node,
            request.Topology,
            request.Access,
            options
        );
        var result = await place.Progress.ProgressAsync(
            "Cluster",
            report => cluster.Verification.RunAsync(new CampaignRelay(report), place.Orderly)
        );
        return new(cluster.Description, result);
    }

    private static string Announcement(ClusterRunRequest request)
    {
        var run = ClusterVerification.RunTime(request.Topology);
        var text =
            Invariant($"{request.Topology.Name}: runs of about {run.TotalSeconds:0} s, at most ")
            + Invariant($"{request.MostRuns} ({(run * request.MostRuns).TotalMinutes:0.#} min), each up to ")
            + Invariant(
                $"{ClusterVerification.Drain(request.Topology).TotalSeconds:0} s longer where messages are missing"
            );
        if (request.Budget is { } budget)
            text += $"; none begins that would end after {TimeBudget.Duration(budget.Time)}";
        var decisions = request.Tests.Where(test => test.Property.IsDecision).ToList();
        return decisions.Count == 0
            ? text
            : text
                + Invariant($"; verdicts after {decisions.Max(test => test.RunsIfAllHold)} runs if all hold, ")
                + Invariant($"after {decisions.Max(test => test.RunsIfNoneHold)} if none does");
    }
}
