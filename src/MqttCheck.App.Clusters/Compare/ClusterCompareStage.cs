using MqttCheck.App.Clusters.Runs;
using MqttCheck.App.Progress;
using MqttCheck.Brokers.Processes;
using MqttCheck.Clusters.Topologies;
using MqttCheck.LiveClusters.Verdicts;
using static System.FormattableString;

namespace MqttCheck.App.Clusters.Compare;

/// <summary>The stage from two topologies to verdicts on pairs of their live runs.</summary>
internal static class ClusterCompareStage
{
    /// <summary>Makes the runs. Call <see cref="ClusterCompareRequest.Require"/> before.</summary>
    /// <param name="node">The program that serves one node.</param>
    /// <exception cref="InputException">A fault cannot be made.</exception>
    public static async Task<ClusterCompareAnswer> RunAsync(
        Workplace place,
        BrokerCommand node,
        ClusterCompareRequest request
    )
    {
        var time =
            ClusterVerification.RunTime(request.First.Topology) + ClusterVerification.RunTime(request.Second.Topology);
        place.Progress.Note(
            Invariant($"{request.Pairs} pairs of runs of {request.First.Label} and {request.Second.Label}, about ")
                + Invariant($"{request.Pairs * time.TotalSeconds / 60:0.#} min, longer where messages are missing")
        );
        await using var first = await StartAsync(request.First.Topology);
        await using var second = await StartAsync(request.Second.Topology);
        var pairs = await place.Progress.ProgressAsync(
            "Compare",
            report => PairsAsync(first, second, request, new CampaignRelay(report), place.Orderly)
        );
        return new(pairs, [.. request.Tests.Select(test => test.Answer)], place.Orderly.IsCancellationRequested);

        Task<StartedCluster> StartAsync(Topology topology) =>
            StartedCluster.StartAsync(
                place,
                node,
                topology,
                request.Access,
                new ClusterVerificationOptions
                {
                    Tests = [],
                    MostRuns = 1,
                    MostPerSecond = request.Access.LoadCap(topology),
                    Seed = request.Seed,
                }
            );
    }

    // A B, B A, A B ...: what the machine goes through falls on both alike.
    private static async Task<List<(ClusterRunRecord, ClusterRunRecord)>> PairsAsync(
        StartedCluster first,
        StartedCluster second,
        ClusterCompareRequest request,
        CampaignRelay progress,
        CancellationToken cancellation
    )
    {
        var pairs = new List<(ClusterRunRecord, ClusterRunRecord)>();
        for (var pair = 0; pair < request.Pairs && !cancellation.IsCancellationRequested; pair++)
        {
            progress.Report(new((double)pair / request.Pairs, Invariant($"pair {pair + 1} of {request.Pairs}")));
            var runs = new ClusterRunRecord?[2];
            int[] turns = pair % 2 == 0 ? [0, 1] : [1, 0];
            foreach (var turn in turns)
                runs[turn] = await (turn == 0 ? first : second).Verification.RunAsync(pair, cancellation);
            // A run that the user interrupted has no outcome.
            if (runs is not [{ } one, { } other])
                break;
            pairs.Add((one, other));
            // A load that failed says nothing of the cluster's figures.
            if (one.Failure is not null || other.Failure is not null)
                continue;
            foreach (var test in request.Tests)
                test.Add(one.Outcome, other.Outcome);
        }
        return pairs;
    }
}
