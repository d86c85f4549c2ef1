using MqttCheck.Plots.Drawing;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;
using MqttCheck.Reports.Page;
using ScottPlot;

namespace MqttCheck.Plots.Charts;

/// <summary>How the evidence of a verdict grew, between the bounds of its tests.</summary>
internal static class EvidenceChart
{
    public static Picture? Of(ReportInput input, Figure figure)
    {
        var verdict = input.Verdicts[
            int.Parse(figure.Data["index"], System.Globalization.CultureInfo.InvariantCulture)
        ];
        var paths = verdict
            .Paths.Select(path => new Path(path, Steps(path)))
            .Where(path => path.Steps.Count > 1)
            .ToArray();
        var title = $"Evidence: {figure.Title}";
        return paths.Length == 0
            ? null
            : new(
                $"evidence-{Picture.FileName(Words.Point(verdict.Point))}",
                title,
                figure.StillCaption,
                () => Draw(paths, title, figure.StillCaption)
            );
    }

    private static Sheet Draw(Path[] paths, string title, string caption)
    {
        double[] uppers = [.. paths.Select(path => path.Report.UpperBound).Where(double.IsFinite).Distinct()];
        double[] lowers = [.. paths.Select(path => path.Report.LowerBound).Where(double.IsFinite).Distinct()];
        var values = paths.SelectMany(path => path.Steps.Select(step => step.Value)).Append(0).ToArray();
        var (top, bottom) = (values.Concat(uppers).Max(), values.Concat(lowers).Min());
        var slack = (top > bottom ? top - bottom : 1) * .12;
        var end = Math.Max(1, paths.Max(path => path.Steps[^1].Samples));
        var sheet = new Sheet(title, caption) { DataHeight = 230, Right = paths.Length > 1 ? 96 : 24 };
        sheet.SetY(new(bottom - slack, top + slack), "evidence (log likelihood ratio)");
        sheet.SetX(new(0, end * 1.012), "sequences, in the order they began", Ticks.Linear(0, end, 7));
        // Areas of decision, where all paths share a bound.
        if (uppers is [var upper])
            sheet.Box(0, end, upper, top + slack, Palette.Good, .12);
        if (lowers is [var lower])
            sheet.Box(0, end, bottom - slack, lower, Palette.Bad, .12);
        foreach (var bound in uppers)
            sheet.Segment(0, bound, end, bound, Palette.Good, 1.6f);
        foreach (var bound in lowers)
            sheet.Segment(0, bound, end, bound, Palette.Bad, 1.6f);
        sheet.Segment(0, 0, end, 0, Palette.Soft, .8f);
        for (var i = 0; i < paths.Length; i++)
        {
            var steps = paths[i].Steps;
            sheet.Steps(
                [.. steps.Select(step => step.Samples)],
                [.. steps.Select(step => step.Value)],
                Palette.Series(i),
                1.8f
            );
            sheet.Mark(steps[^1].Samples, steps[^1].Value, Palette.Symbol(i), Palette.Series(i));
            if (paths.Length > 1)
                sheet.Explain(paths[i].Report.Name, Palette.Series(i), LegendShape.Line, Palette.Symbol(i));
        }
        if (paths.Length > 1)
            sheet.NameEnds([.. paths.Select((path, i) => (path.Report.Name, path.Steps[^1].Value, Palette.Series(i)))]);
        Meanings(sheet, paths, uppers, path => path.UpperBound, path => path.UpperMeaning, Palette.Good, above: true);
        Meanings(sheet, paths, lowers, path => path.LowerBound, path => path.LowerMeaning, Palette.Bad, above: false);
        return sheet;
    }

    // Bounds that lie near each other are named with one distance, so that no name covers another.
    private static void Meanings(
        Sheet sheet,
        Path[] paths,
        double[] bounds,
        Func<EvidencePath, double> bound,
        Func<EvidencePath, string> meaning,
        Color colour,
        bool above
    )
    {
        double[] places = [.. bounds.Select(value => (1 - sheet.Y.Share(value)) * sheet.DataHeight + (above ? -9 : 9))];
        var spread = Ticks.Spread(places, 17, sheet.DataHeight);
        for (var i = 0; i < bounds.Length; i++)
        {
            var words = paths
                .Where(path => bound(path.Report) == bounds[i])
                .Select(path => meaning(path.Report))
                .Where(text => text.Length > 0)
                .Distinct();
            sheet.Write(
                string.Join(" · ", words),
                (0, sheet.Y.High),
                Alignment.MiddleLeft,
                colour,
                dx: 6,
                dy: spread[i]
            );
        }
    }

    private static List<(double Samples, double Value)> Steps(EvidencePath path) =>
        [
            .. path
                .Samples.Zip(path.LogRatios, (samples, value) => ((double)samples, value))
                .Where(step => double.IsFinite(step.value)),
        ];

    private sealed record Path(EvidencePath Report, List<(double Samples, double Value)> Steps);
}
