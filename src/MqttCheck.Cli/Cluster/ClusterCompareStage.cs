using MqttCheck.App.Progress;
using MqttCheck.Cli.Terminal;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Properties.Pairs;
using MqttCheck.Clusters.Topologies;
using MqttCheck.LiveClusters.Verdicts;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Cli.Cluster;

/// <summary>The stage from two topologies to verdicts on pairs of their live runs.</summary>
internal static class ClusterCompareStage
{
    /// <summary>Runs, prints and writes; returns the exit code.</summary>
    public static async Task<Conclusion> RunAsync(
        Screen screen,
        Interruption interruption,
        ClusterCompareRequest request
    )
    {
        (string Label, Topology Topology)[] clusters = [request.First, request.Second];
        foreach (var (_, topology) in clusters)
        {
            ClusterRunStage.RequireNoLoop(topology, allowLoops: false);
            ClusterRunStage.RequireReach(topology);
        }
        var json = Path.Combine(request.Directory, "cluster-comparison.json");
        OutputPath.RequireWritable(json, "--out");
        var time = clusters.Sum(cluster => ClusterVerification.RunTime(cluster.Topology).TotalSeconds);
        screen.Note(
            Invariant($"{request.Pairs} pairs of runs of {request.First.Label} and {request.Second.Label}, about ")
                + Invariant($"{request.Pairs * time / 60:0.#} min, longer where messages are missing")
        );
        List<(ClusterRunRecord First, ClusterRunRecord Second)> pairs;
        var options = new ClusterVerificationOptions
        {
            Tests = [],
            MostRuns = 1,
            Seed = request.Seed,
        };
        await using (var first = await StartedCluster.StartAsync(request.First.Topology, options, screen, interruption))
        await using (
            var second = await StartedCluster.StartAsync(request.Second.Topology, options, screen, interruption)
        )
            pairs = await screen.ProgressAsync(
                "Compare",
                report => PairsAsync(first, second, request, new CampaignRelay(report), interruption.Orderly)
            );
        List<PairAnswer> answers = [.. request.Tests.Select(test => test.Answer)];
        var isInterrupted = interruption.Orderly.IsCancellationRequested;
        var conclusion = Conclude(pairs, answers, isInterrupted);
        Print(screen, request, pairs, answers);
        ClusterResultFile.Write(json, request, pairs, answers, conclusion);
        screen.Line($"result: {json}");
        screen.Line($"repeat: {request.Repeat}");
        if (isInterrupted)
            screen.Note("interrupted: the result is partial");
        return conclusion;
    }

    /// <summary>
    /// The conclusion. It is refuted by a violation of an invariant, or by a statement that does not hold. It is
    /// withheld while a statement is undecided.
    /// </summary>
    internal static Conclusion Conclude(
        IReadOnlyList<(ClusterRunRecord First, ClusterRunRecord Second)> pairs,
        IReadOnlyList<PairAnswer> answers,
        bool isInterrupted
    )
    {
        var isRefuted =
            answers.Any(answer => answer.Holds == false)
            || pairs.Any(pair => pair.First.Outcome.Violations.Count + pair.Second.Outcome.Violations.Count > 0);
        bool? isMet =
            isRefuted ? false
            : answers.Any(answer => answer.Count == 0 || (answer.Statement.IsDecision && answer.Holds is null)) ? null
            : true;
        return Conclusions.Of(isMet, isInterrupted && !isRefuted);
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

    private static void Print(
        Screen screen,
        ClusterCompareRequest request,
        List<(ClusterRunRecord First, ClusterRunRecord Second)> pairs,
        List<PairAnswer> answers
    )
    {
        for (var pair = 0; pair < pairs.Count; pair++)
        {
            PrintRun(screen, request.First.Label, pair, pairs[pair].First);
            PrintRun(screen, request.Second.Label, pair, pairs[pair].Second);
        }
        screen.Line();
        var (first, second) = (request.First.Label, request.Second.Label);
        var table = new TextTable("statement", first, second, "answer", "interval", "verdict");
        foreach (var answer in answers)
        {
            var isTime = answer.Statement.Kind != PairStatementKind.Ratio && IsTime(answer.Statement);
            table.Add(
                $"{answer.Statement}",
                Value(answer.First, IsTime(answer.Statement)),
                Value(answer.Second, IsTime(answer.Statement)),
                Value(answer.Estimate, isTime),
                TableCell.Of(
                    answer.Interval,
                    answer.Interval is { } interval
                        ? $"{Text(interval.Lower, isTime)} to {Text(interval.Upper, isTime)}"
                        : "-"
                ),
                ClusterText.Word(answer.Holds, answer.Statement.IsDecision, answer.Kind)
            );
        }
        table.Print(screen);
        foreach (var answer in answers)
            screen.Line(Invariant($"{answer.Statement}: {answer.Count} runs of each; {answer.Reason}"));
        screen.Line(
            ClusterText.Promise(
                request.Error,
                "Some answer is",
                [.. answers.Where(answer => answer.Statement.IsOfMean).Select(answer => answer.Kind)]
            )
        );
        screen.Line();
    }

    private static void PrintRun(Screen screen, string label, int pair, ClusterRunRecord run)
    {
        screen.Line(Invariant($"pair {pair + 1}, {label}: {ClusterRunStage.Seen(run)}"));
        if (run.Failure is { } failure)
            screen.Warn(Invariant($"pair {pair + 1}, {label}: {failure}; the pair does not count"));
        foreach (var violation in run.Outcome.Violations.Take(2))
            screen.Line($"violated: {violation.Invariant}: {label}: {violation.What}");
    }

    private static bool IsTime(PairStatement statement) =>
        statement.Property is { } property
            ? property.Measure is { } measure && measure.Quantity.IsDuration
            : statement.Measure.Quantity.IsDuration;

    private static TableCell Value(double? value, bool isTime) => TableCell.Of(value, Text(value, isTime));

    private static string Text(double? value, bool isTime) =>
        value is not { } known ? "-"
        : isTime ? Invariant($"{known:0.##} ms")
        : Invariant($"{known:0.####}");
}
