using MqttCheck.Reports.Charts;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;
using MqttCheck.Verification;

namespace MqttCheck.Reports.Page;

/// <summary>How each verdict came about: the evidence after each sequence, between the bounds of the test.</summary>
internal static class EvidenceSection
{
    private const int ChartLimit = 12;

    public static void Write(HtmlWriter html, ReportInput input)
    {
        Section.Open(
            html,
            "evidence",
            "Evidence",
            "Each sequence on the live broker moves the evidence up (as predicted) "
                + "or down (not as predicted); the verdict falls where it reaches a bound."
        );
        var verdicts = input.Verdicts.Where(verdict => verdict.Paths.Any(path => path.Samples.Count > 1)).ToList();
        if (input.Verdicts.Count == 0)
            Section.Missing(html, "There is no verdict yet.", "mqttcheck verify");
        else if (verdicts.Count == 0)
            html.Add($"""<p class="missing">No sequence was counted, so there is no evidence to show.</p>""");

        // The verdicts that need explaining come first when there are too many to draw.
        var drawn = verdicts.OrderBy(verdict => verdict.Kind.IsPassed()).Take(ChartLimit).ToHashSet();
        if (drawn.Count > 0)
        {
            html.Add($"""<div class="grid">""");
            foreach (var verdict in verdicts.Where(drawn.Contains))
                Evidence(input, verdict, wide: drawn.Count == 1).Write(html);
            html.Add($"</div>");
        }
        if (verdicts.Count > drawn.Count)
            html.Add(
                $"""<p class="fine">{drawn.Count} of {Words.Counted(verdicts.Count, "verdict")} are drawn, refuted and open ones first; the result table has all of them.</p>"""
            );
        Section.Close(html);
    }

    private static Figure Evidence(ReportInput input, VerdictReport verdict, bool wide)
    {
        var index = input
            .Verdicts.Select((item, position) => (item, position))
            .First(pair => ReferenceEquals(pair.item, verdict))
            .position;
        var rows = verdict.Paths.Select(path =>
            (IReadOnlyList<string>)
                [
                    path.Name,
                    Words.Count(path.Samples.Count > 0 ? path.Samples[^1] : 0),
                    Words.Number(path.LogRatios.Count > 0 ? path.LogRatios[^1] : double.NaN),
                    Bound(path.LowerBound, path.LowerMeaning),
                    Bound(path.UpperBound, path.UpperMeaning),
                ]
        );
        var inflation =
            double.IsFinite(verdict.Inflation) && verdict.Inflation >= 1.05
                ? $" The variance between runs is {Words.Number(verdict.Inflation)} "
                    + "times that of chance, so each sequence counts for less."
                : "";
        return new(
            $"evidence-{index}",
            Words.Point(verdict.Point),
            $"{Words.Capitalised(verdict.Kind.Word())}: {Words.Sentence(verdict.Reason)}{inflation}",
            new(
                $"Sequential test, {Words.Point(verdict.Point)}",
                ["test", "sequences", "log likelihood ratio at the end", "lower bound", "upper bound"],
                [.. rows]
            )
        )
        {
            Wide = wide,
            Chart = EvidenceChart.Of(verdict),
            StillName = $"evidence-{Words.Point(verdict.Point)}",
            StillTitle = $"Evidence: {Words.Point(verdict.Point)}",
        };
    }

    private static string Bound(double bound, string meaning) =>
        !double.IsFinite(bound) ? Words.Unknown
        : meaning.Length == 0 ? Words.Number(bound)
        : $"{Words.Number(bound)}: {meaning}";
}
