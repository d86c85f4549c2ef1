using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;
using MqttCheck.Reports.Marks;

namespace MqttCheck.Reports.Charts;

/// <summary>How the evidence of a verdict grew, between the bounds of its tests.</summary>
internal static class EvidenceChart
{
    private const double Height = 230;

    public static Chart? Of(VerdictReport verdict)
    {
        Path[] paths =
        [
            .. verdict.Paths.Select((path, i) => new Path(path, i, Values(path))).Where(path => path.Values.Length > 1),
        ];
        if (paths.Length == 0)
            return null;
        double[] uppers = [.. paths.Select(path => path.Report.UpperBound).Where(double.IsFinite).Distinct()];
        double[] lowers = [.. paths.Select(path => path.Report.LowerBound).Where(double.IsFinite).Distinct()];
        double[] values = [.. paths.SelectMany(path => path.Values), 0];
        var (top, bottom) = (values.Concat(uppers).Max(), values.Concat(lowers).Min());
        var slack = (top > bottom ? top - bottom : 1) * .12;
        var end = Math.Max(1, paths.Max(path => path.Samples[^1]));
        var (x, y) = (new Scale(0, end * 1.012), new Scale(bottom - slack, top + slack));
        return new()
        {
            X = [Axis.Across(x, "sequences, in the order they began")],
            Y = Axis.Up(y, "evidence (log likelihood ratio)", Height),
            Height = Height,
            Marks =
            [
                // Areas of decision, where all paths share a bound.
                .. uppers.Length == 1 ? [Mark.Box(0, x.High, uppers[0], y.High, Role.Good)] : (Mark[])[],
                .. lowers.Length == 1 ? [Mark.Box(0, x.High, y.Low, lowers[0], Role.Bad)] : (Mark[])[],
                Mark.Horizontal(x, uppers, Role.Good),
                Mark.Horizontal(x, lowers, Role.Bad),
                Mark.Horizontal(x, [0], Role.Soft) with
                {
                    Size = .8,
                },
                .. paths.SelectMany(Marks),
            ],
            Notes =
            [
                .. uppers.Select(bound =>
                    Note("upper", paths.Where(path => path.Report.UpperBound == bound), Role.Good)
                ),
                .. lowers.Select(bound =>
                    Note("lower", paths.Where(path => path.Report.LowerBound == bound), Role.Bad)
                ),
            ],
            Legend = paths.Length == 1 ? [] : [.. paths.Select(Key)],
            EndNames =
                paths.Length == 1
                    ? []
                    :
                    [
                        .. paths.Select(path => new EndName(
                            path.Report.Name,
                            path.Values[^1],
                            Looks.Series(path.Index)
                        )),
                    ],
        };
    }

    private static Mark[] Marks(Path path) =>
        [
            new(MarkShape.Steps, Looks.Series(path.Index), path.Samples, path.Values)
            {
                IsDashed = path.Index > 0,
                Tip = path.Report.Name + "\nafter {x} sequences\nevidence {y}",
            },
            new(MarkShape.Symbols, Looks.Series(path.Index), [path.Samples[^1]], [path.Values[^1]])
            {
                Symbol = Looks.Symbols(path.Index),
                Size = 8,
            },
        ];

    private static LegendKey Key(Path path) =>
        new(
            path.Report.Name,
            Looks.Series(path.Index),
            path.Index > 0 ? LegendShape.Dashed : LegendShape.Line,
            Looks.Symbols(path.Index)
        );

    private static Note Note(string which, IEnumerable<Path> paths, Role role)
    {
        var meanings = paths
            .Select(path => role == Role.Good ? path.Report.UpperMeaning : path.Report.LowerMeaning)
            .Where(meaning => meaning.Length > 0)
            .Distinct();
        return new($"{which} bound: {string.Join(" · ", meanings)}", role);
    }

    private static double[] Values(EvidencePath path) => [.. path.LogRatios.Where(double.IsFinite)];

    private sealed record Path(EvidencePath Report, int Index, double[] Values)
    {
        public double[] Samples { get; } =
        [
            .. Report
                .Samples.Zip(Report.LogRatios)
                .Where(step => double.IsFinite(step.Second))
                .Select(step => (double)step.First),
        ];
    }
}
