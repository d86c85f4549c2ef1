using System.Globalization;
using MqttCheck.Reports.Documents;
using MqttCheck.Reports.Marks;

namespace MqttCheck.Plots;

/// <summary>The charts of a document as pictures.</summary>
internal static class DocumentPictures
{
    private static readonly Dictionary<DocumentTone, (string Name, Role Role)> s_tones = new()
    {
        [DocumentTone.Good] = ("as hoped for", Role.Good),
        [DocumentTone.Bad] = ("as feared", Role.Bad),
        [DocumentTone.Warning] = ("not decided", Role.Warn),
        [DocumentTone.Plain] = ("one run", Role.S1),
    };

    private const double RowHeight = 26,
        CurveHeight = 280;

    /// <summary>The pictures of a document; a chart with nothing to draw is left out.</summary>
    /// <param name="document">The document.</param>
    public static IReadOnlyList<Picture> Of(ReportDocument document)
    {
        return
        [
            .. document
                .Sections.SelectMany(section => section.Blocks)
                .Select(Of)
                .OfType<Picture>()
                .DistinctBy(picture => picture.Name),
        ];
    }

    /// <summary>The picture of a part of a document; null where it is no chart, or has nothing to draw.</summary>
    /// <param name="block">The part.</param>
    public static Picture? Of(DocumentBlock block) =>
        block switch
        {
            IntervalChart { Lines.Count: > 0 } chart => Picture(
                chart.Title,
                $"{chart.Explanation} {IntervalDrawing.Marks(chart)}".TrimEnd(),
                Intervals(chart)
            ),
            CurveChart chart when chart.Lines.Any(line => line.Points.Count > 0) => Picture(
                chart.Title,
                chart.Explanation,
                Curves(chart, [.. chart.Lines.Where(line => line.Points.Count > 0)])
            ),
            _ => null,
        };

    private static Picture Picture(string title, string caption, Chart chart) =>
        new(Plots.Picture.FileName(title.ToLowerInvariant()), title, caption, chart);

    // Estimates with their intervals, one row each.
    private static Chart Intervals(IntervalChart chart)
    {
        var (x, y) = (new Scale(chart.Minimum, chart.Maximum), Axis.Rows([.. chart.Lines.Select(line => line.Label)]));
        var tones = chart
            .Lines.Select((line, row) => (Line: line, Row: row))
            .GroupBy(row => row.Line.Tone)
            .OrderBy(group => group.Key);
        return new()
        {
            X =
            [
                Axis.Across(x, "", value => value.ToString("0.0##", CultureInfo.InvariantCulture)) with
                {
                    HasGrid = true,
                },
            ],
            Y = y,
            Height = chart.Lines.Count * RowHeight,
            Marks =
            [
                .. chart.Band is { } band
                    ?
                    [
                        Mark.Box(
                            Math.Max(band.Lower, x.Low),
                            Math.Min(band.Upper, x.High),
                            y.Scale.Low,
                            y.Scale.High,
                            Role.Accent,
                            .13
                        ),
                    ]
                    : (Mark[])[],
                Mark.Vertical(y.Scale, [.. chart.Marks.Select(mark => mark.Value)], Role.Soft) with
                {
                    IsDashed = true,
                    Size = 1.5,
                },
                .. tones.SelectMany(group => Estimates([.. group], x, s_tones[group.Key].Role)),
            ],
            Legend =
            [
                .. chart.Band is null ? (LegendKey[])[] : [new("pale", Role.Accent, LegendShape.Band)],
                .. chart.Marks.Select(mark => new LegendKey(mark.Key, Role.Soft, LegendShape.Dashed)),
                .. tones.Select(group => new LegendKey(
                    s_tones[group.Key].Name,
                    s_tones[group.Key].Role,
                    LegendShape.Line,
                    Symbol.Circle
                )),
            ],
        };
    }

    private static Mark[] Estimates((IntervalLine Line, int Row)[] rows, Scale x, Role role)
    {
        double[] y = [.. rows.Select(row => -(double)row.Row)];
        return
        [
            new(
                MarkShape.Segments,
                role,
                [.. rows.Select(row => Math.Max(x.Low, row.Line.Interval?.Lower ?? double.NaN))],
                y
            )
            {
                X2 = [.. rows.Select(row => Math.Min(x.High, row.Line.Interval?.Upper ?? double.NaN))],
                Y2 = y,
                Size = 2.5,
            },
            new(MarkShape.Symbols, role, [.. rows.Select(row => Math.Clamp(row.Line.Estimate, x.Low, x.High))], y)
            {
                IsHollow = true,
                Size = 9,
            },
        ];
    }

    // Curves on logarithmic axes.
    private static Chart Curves(CurveChart chart, CurveLine[] lines)
    {
        var y = Scale.Around(lines.SelectMany(line => line.Points.Select(point => point.Y)), 1.2);
        var x = Scale.Around(
            lines
                .SelectMany(line => line.Points.Select(point => point.X))
                .Concat(chart.Marks.Select(mark => mark.Value)),
            1.1
        );
        return new()
        {
            X = [Axis.Across(x, chart.XLabel)],
            Y = Axis.Up(y, chart.YLabel, CurveHeight),
            Height = CurveHeight,
            Marks =
            [
                .. lines.SelectMany(Curve),
                Mark.Vertical(y, [.. chart.Marks.Select(mark => mark.Value)], Role.Bad) with
                {
                    IsDashed = true,
                    Size = 1.5,
                },
            ],
            Legend =
            [
                .. lines.Select(
                    (line, i) => new LegendKey(line.Label, Looks.Series(i), LegendShape.Line, Looks.Symbols(i))
                ),
                .. chart.Marks.Select(mark => new LegendKey(mark.Key, Role.Bad, LegendShape.Dashed)),
            ],
            EndNames = [.. lines.Select((line, i) => new EndName(line.Label, line.Points[^1].Y, Looks.Series(i)))],
        };
    }

    private static Mark[] Curve(CurveLine line, int series)
    {
        double[] x = [.. line.Points.Select(point => point.X)],
            y = [.. line.Points.Select(point => point.Y)];
        return
        [
            new(MarkShape.Line, Looks.Series(series), x, y),
            new(MarkShape.Symbols, Looks.Series(series), x, y)
            {
                Symbol = Looks.Symbols(series),
                IsHollow = true,
                Size = 7,
            },
        ];
    }
}
