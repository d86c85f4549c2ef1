using MqttCheck.App.Clusters.Compare;
using MqttCheck.Cli.Terminal;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Properties.Pairs;
using MqttCheck.LiveClusters.Verdicts;
using static System.FormattableString;

namespace MqttCheck.Cli.Cluster;

/// <summary>Live runs of two clusters in words.</summary>
internal static class ClusterCompareText
{
    /// <summary>Prints the runs, and what is said of them.</summary>
    public static void Print(Screen screen, ClusterCompareRequest request, ClusterCompareAnswer comparison)
    {
        var (pairs, answers) = (comparison.Pairs, comparison.Answers);
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
        screen.Lines(
            answers.Select(answer => Invariant($"{answer.Statement}: {answer.Count} runs of each; {answer.Reason}"))
        );
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
        screen.Line(Invariant($"pair {pair + 1}, {label}: {ClusterRunText.Seen(run)}"));
        if (run.Failure is { } failure)
            screen.Warn(Invariant($"pair {pair + 1}, {label}: {failure}; the pair does not count"));
        screen.Lines(
            run.Outcome.Violations.Take(2)
                .Select(violation => $"violated: {violation.Invariant}: {label}: {violation.What}")
        );
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
