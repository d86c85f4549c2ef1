using System.Diagnostics;
using MqttCheck.App.Compare;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Comparison;
using MqttCheck.Reports.Documents;
using MqttCheck.Reports.Formats;
using MqttCheck.Sequential;
using MqttCheck.Sequential.Runs;
using MqttCheck.Verification;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Cli.Compare;

/// <summary>Writes a comparison: a page, Markdown, JSON, and the table on the screen.</summary>
internal static class CompareReport
{
    /// <summary>Writes <c>comparison.html</c>, <c>comparison.md</c> and <c>comparison.json</c>.</summary>
    /// <param name="directory">The directory of the files, which is created if need be.</param>
    public static string Write(string directory, ReportOutput output)
    {
        output.Write(Path.Combine(directory, "comparison.json"), ReportFormat.Json);
        output.Write(Path.Combine(directory, "comparison.md"), ReportFormat.Markdown);
        var page = Path.Combine(directory, "comparison.html");
        output.Write(page, ReportFormat.Html);
        return page;
    }

    /// <summary>A comparison that can be written.</summary>
    public static ReportOutput Output(CompareDocument comparison)
    {
        var document = Document(comparison);
        return new(
            Cases(comparison),
            writer => HtmlDocument.Write(writer, document),
            writer => MarkdownDocument.Write(writer, document),
            stream => CompareFile.Write(stream, comparison),
            directory => ComparePlots.Draw(comparison, document, directory)
        );
    }

    /// <summary>Prints the comparisons, and then why.</summary>
    public static void Print(Screen screen, CompareDocument comparison)
    {
        var table = new TextTable(
            "profile",
            "clients",
            "threshold",
            "first",
            "in time",
            "second",
            "in time",
            "difference",
            "95 % interval",
            "verdict"
        );
        foreach (var point in comparison.Points)
        {
            table.Add(
                point.Profile,
                point.Clients,
                TableCell.Milliseconds(point.ThresholdMilliseconds),
                point.First,
                TableCell.Probability(point.FirstProbability ?? double.NaN),
                point.Second,
                TableCell.Probability(point.SecondProbability ?? double.NaN),
                TableCell.Difference(point.Difference),
                TableCell.Of(point.Difference is null ? null : point.Interval, Interval(point)),
                point.Words
            );
        }
        table.Print(screen);
        screen.Line();
        screen.Lines(comparison.Points.Select(point => $"{point.Words}: {Where(point)}: {point.Why}"));
        screen.Lines(CompareTrendText.Lines(comparison.Trends));
    }

    /// <summary>The answer in a few words.</summary>
    public static string Headline(CompareDocument comparison)
    {
        var faster = comparison
            .Points.Where(point => point.Verdict is TwoSampleVerdict.FirstFaster or TwoSampleVerdict.SecondFaster)
            .Select(point =>
                point.Verdict == TwoSampleVerdict.FirstFaster
                    ? $"{point.First} is faster than {point.Second}"
                    : $"{point.Second} is faster than {point.First}"
            )
            .Distinct()
            .ToArray();
        if (faster.Length > 0)
            return string.Join("; ", faster);
        return
            comparison.Points.Count > 0
            && comparison.Points.All(point => point.Verdict == TwoSampleVerdict.NoDifference)
            ? "No difference"
            : "Withheld";
    }

    private static ReportedCases Cases(CompareDocument comparison) =>
        new()
        {
            Suite = "compare",
            GeneratedUtc = comparison.Generated,
            Headline = Headline(comparison),
            Detail =
                Invariant($"{comparison.Points.Count} comparisons of ")
                + Invariant($"{string.Join(", ", comparison.Brokers.Select(broker => broker.Label))}."),
            Warnings = [.. Notes(comparison).Select(note => ("Note", note))],
            Cases =
            [
                .. comparison.Points.Select(point => new ReportedCase(
                    point.Profile,
                    $"{point.First} and {point.Second}, {Where(point)}",
                    point.Verdict switch
                    {
                        TwoSampleVerdict.NoDifference => CaseOutcome.Passed,
                        TwoSampleVerdict.FirstFaster or TwoSampleVerdict.SecondFaster => CaseOutcome.Failed,
                        TwoSampleVerdict.Withheld or TwoSampleVerdict.Partial => CaseOutcome.Skipped,
                        _ => throw new UnreachableException(),
                    },
                    point.Words,
                    point.Why,
                    [
                        $"in time: {point.First} {Probability(point.FirstProbability)}, "
                            + $"{point.Second} {Probability(point.SecondProbability)}",
                        $"difference: {Difference(point.Difference)} (95 % interval {Interval(point)})",
                        Invariant($"samples: {Counted.Of(point.Sequences, "sequence")} in ")
                            + Invariant($"{point.FirstRuns} and {Counted.Of(point.SecondRuns, "run")}"),
                        $"repeat: {comparison.Repeat}",
                    ]
                )),
            ],
        };

    private static ReportDocument Document(CompareDocument comparison) =>
        new()
        {
            Title = "Which broker answers in time more often?",
            Headline = Headline(comparison),
            Tone = comparison.Conclusion.Tone(),
            Lead =
                Invariant($"In time means: all {comparison.SequenceLength} messages of a client's sequence ")
                + "are answered within the threshold. All verdicts together are wrong with a "
                + Invariant($"probability of at most {comparison.Error:0.####}, {Assumption(comparison)}; ")
                + Invariant($"differences below {comparison.Indifference:0.###} do not ")
                + "matter. The brokers took turns; one run is one observation.",
            GeneratedUtc = comparison.Generated,
            ToolVersion = comparison.ToolVersion,
            Warnings = [.. Notes(comparison)],
            Sections =
            [
                Result(comparison),
                .. CompareTrendText.Sections(comparison.Trends),
                Models(comparison),
                Environment(comparison),
            ],
        };

    private static DocumentSection Result(CompareDocument comparison) =>
        new(
            "Result",
            "For each threshold and pair: how often each was in time, and whether they differ.",
            [
                new DocumentTable(
                    "Comparisons",
                    ["point", "first", "in time", "second", "in time", "verdict"],
                    [
                        .. comparison.Points.Select(point =>
                            (IReadOnlyList<string>)
                                [
                                    Where(point),
                                    point.First,
                                    Probability(point.FirstProbability),
                                    point.Second,
                                    Probability(point.SecondProbability),
                                    point.Words,
                                ]
                        ),
                    ]
                ),
                Differences(comparison),
                new DocumentTable(
                    "Reasons",
                    ["point", "why"],
                    [
                        .. comparison.Points.Select(point =>
                            (IReadOnlyList<string>)[$"{point.First} and {point.Second}, {Where(point)}", point.Why]
                        ),
                    ]
                ),
            ]
        );

    private static IntervalChart Differences(CompareDocument comparison) =>
        new IntervalChart(
            "Difference of the probabilities",
            "The first minus the second with its 95 % interval: to the right the "
                + "first is in time more often. Pale: differences that do not matter.",
            -Reach(comparison),
            Reach(comparison),
            [
                .. comparison.Points.Select(point => new IntervalLine(
                    $"{point.First} − {point.Second}, {Where(point)}",
                    point.Difference ?? double.NaN,
                    point.Difference is null ? null : point.Interval,
                    point.Verdict switch
                    {
                        TwoSampleVerdict.NoDifference => DocumentTone.Good,
                        TwoSampleVerdict.FirstFaster or TwoSampleVerdict.SecondFaster => DocumentTone.Bad,
                        TwoSampleVerdict.Withheld or TwoSampleVerdict.Partial => DocumentTone.Warning,
                        _ => throw new UnreachableException(),
                    }
                )),
            ]
        )
        {
            Marks = [new("no difference", 0)],
            Band = new(-comparison.Indifference, comparison.Indifference),
        };

    private static DocumentSection Models(CompareDocument comparison) =>
        new(
            "Models",
            "How well the latency model of each broker fits exchanges that it "
                + "has not seen, and whether its predictions hold on the compared runs.",
            [
                new DocumentTable(
                    "Quality of fit",
                    ["broker", "learned from", "off by at most", "above the 99 % quantile"],
                    [
                        .. comparison.Brokers.Select(broker =>
                            (IReadOnlyList<string>)
                                [
                                    broker.Label,
                                    broker.TrainingExchanges is { } exchanges
                                        ? Invariant($"{exchanges} exchanges")
                                        : "not learned",
                                    broker.KolmogorovSmirnov is { } distance ? Invariant($"{distance:P1}") : "–",
                                    broker.AboveNinetyNinePercent is { } above ? Invariant($"{above:P1}") : "–",
                                ]
                        ),
                    ]
                ),
                new DocumentTable(
                    "Predictions",
                    ["broker", "point", "predicted", "interval", "measured", "verdict"],
                    [
                        .. comparison.Brokers.SelectMany(broker =>
                            broker.Predictions.Select(point =>
                                (IReadOnlyList<string>)
                                    [
                                        broker.Label,
                                        Invariant($"{point.Profile}, {Counted.Of(point.Clients, "client")}, ")
                                            + Invariant($"{NumberText.Milliseconds(point.ThresholdMilliseconds)}"),
                                        Probability(point.Predicted),
                                        NumberText.Probability(point.Interval)
                                            + (point.Level is { } level ? Invariant($" ({level:P0})") : ""),
                                        Probability(point.Measured),
                                        point.Verdict.Word(),
                                    ]
                            )
                        ),
                    ]
                ),
            ]
        );

    private static DocumentSection Environment(CompareDocument comparison) =>
        new(
            "Environment",
            "The results hold for these brokers, these settings and this machine.",
            [
                new DocumentTable(
                    "Environment",
                    ["what", "value"],
                    [
                        .. comparison.Brokers.Select(broker =>
                            (IReadOnlyList<string>)[broker.Label, broker.Description]
                        ),
                        ["machine", comparison.Machine],
                        ["seed", Invariant($"{comparison.Seed}")],
                    ]
                ),
                new DocumentCommand("To repeat the comparison", comparison.Repeat),
            ]
        );

    private static string Assumption(CompareDocument comparison) =>
        comparison.Guarantee == Guarantee.Any
            ? VerdictPromise.AnyLaw
            : $"{VerdictPromise.ModelLaw}; each reason says what its runs cannot exclude";

    private static IEnumerable<string> Notes(CompareDocument comparison)
    {
        if (comparison.Interrupted)
            yield return "The comparison was interrupted; the result is partial.";
        if (comparison.Coarse)
            yield return "The exploration was short: the models are coarse. The comparisons do not depend on them.";
        foreach (var warning in comparison.Warnings)
            yield return warning;
    }

    private static double Reach(CompareDocument comparison)
    {
        var farthest = comparison
            .Points.Where(point => point.Difference is not null)
            .SelectMany(point => (double[])[Math.Abs(point.Interval.Lower), Math.Abs(point.Interval.Upper)])
            .Append(1.5 * comparison.Indifference)
            .Max();
        return Math.Min(1, Math.Ceiling(farthest * 10) / 10);
    }

    private static string Where(CompareDocument.Point point) =>
        Invariant($"{point.Profile}, {Counted.Of(point.Clients, "client")}, ")
        + Invariant($"{NumberText.Milliseconds(point.ThresholdMilliseconds)}");

    private static string Probability(double? probability) => NumberText.Probability(probability ?? double.NaN);

    private static string Difference(double? difference) =>
        difference is { } known ? NumberText.Difference(known) : "-";

    private static string Interval(CompareDocument.Point point) =>
        point.Difference is null
            ? "-"
            : $"{NumberText.Difference(point.Interval.Lower)} to {NumberText.Difference(point.Interval.Upper)}";
}
