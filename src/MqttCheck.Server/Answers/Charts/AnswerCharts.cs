using MqttCheck.Predictions;
using MqttCheck.Reports.Charts;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;
using MqttCheck.Reports.Marks;
using MqttCheck.Server.Answers.Changes;
using static System.FormattableString;

namespace MqttCheck.Server.Answers.Charts;

/// <summary>The charts of answers to questions, in the marks of the report's charts.</summary>
internal static class AnswerCharts
{
    private const double RowHeight = 34,
        Height = 240;

    /// <summary>The report's chart of the probability against the number of clients.</summary>
    public static Chart? Curve(CurveAnswer curve) =>
        ProbabilityChart.Of(
            [
                .. curve.Points.Select(place => new PredictionReport
                {
                    Profile = "",
                    Clients = place.Clients,
                    Points =
                    [
                        new PredictedPoint(
                            "",
                            place.Clients,
                            curve.ThresholdMilliseconds,
                            place.Probability,
                            new(place.Lower, place.Upper)
                        ),
                    ],
                }),
            ],
            [],
            [curve.ThresholdMilliseconds],
            curve.TrainedUpToClients ?? 0
        );

    /// <summary>The probability of a scenario against the threshold.</summary>
    public static Chart? Thresholds(IReadOnlyList<ThresholdPlace> places, double asked)
    {
        if (places.Count < 2)
            return null;
        var y = Axis.Shares("probability");
        double[] at = [.. places.Select(place => place.Milliseconds)];
        return new()
        {
            X = [Axis.Across(Scale.Around([.. at, asked]), "in time means within, ms (log)")],
            Y = y,
            Height = Height,
            Hover = Hover.Across,
            Marks =
            [
                new(MarkShape.Band, Role.S1, at, [.. places.Select(place => place.Lower)])
                {
                    Y2 = [.. places.Select(place => place.Upper)],
                    Opacity = .16,
                },
                new(MarkShape.Line, Role.S1, at, [.. places.Select(place => place.Probability)])
                {
                    Tips = [.. places.Select(Tip)],
                },
                Mark.Vertical(y.Scale, [asked], Role.Accent) with
                {
                    IsDashed = true,
                    Size = 1.5,
                },
            ],
        };
    }

    /// <summary>Scenarios side by side, named by letters.</summary>
    public static Chart Comparison(IReadOnlyList<ScenarioAnswer> scenarios)
    {
        Row[] rows =
        [
            .. scenarios.Select((one, i) => new Row($"{(char)('A' + i)}", one.Probability, one.Lower, one.Upper)),
        ];
        return Of(rows, new(0, 1), "probability") with
        {
            Marks =
            [
                Interval(rows, Role.S1),
                new(MarkShape.Symbols, Role.S1, [.. rows.Select(row => row.Value)], Places(rows))
                {
                    Size = 10,
                    Tips = Tips(rows),
                },
            ],
        };
    }

    /// <summary>How much each change adds to the probability, in the order of the changes.</summary>
    public static Chart? Changes(IEnumerable<Sensitivity> changes)
    {
        Row[] rows =
        [
            .. changes
                .Where(change => change.Difference is not null)
                .Select(change => new Row(
                    change.Place is { } place ? Invariant($"{place}. {change.Change}") : change.Change,
                    change.Difference!.Value,
                    change.Lower!.Value,
                    change.Upper!.Value
                )),
        ];
        if (rows.Length == 0)
            return null;
        var reach = rows.SelectMany(row => (double[])[-row.Lower, row.Upper, .01]).Max();
        var chart = Of(rows, new(-reach, reach), "change of the probability");
        return chart with
        {
            Marks =
            [
                Mark.Vertical(chart.Y.Scale, [0], Role.Soft) with
                {
                    Size = 1,
                },
                new(MarkShape.Boxes, Role.S1, [.. rows.Select(_ => 0.0)], [.. Places(rows).Select(y => y - .35)])
                {
                    X2 = [.. rows.Select(row => row.Value)],
                    Y2 = [.. Places(rows).Select(y => y + .35)],
                    Tips = Tips(rows),
                },
                Interval(rows, Role.Ink),
            ],
        };
    }

    private static Chart Of(Row[] rows, Scale scale, string label) =>
        new()
        {
            X = [Axis.Across(scale, label)],
            Y = Axis.Rows([.. rows.Select(row => row.Name)]),
            Height = RowHeight * rows.Length,
            Hover = Hover.Row,
        };

    private static Mark Interval(Row[] rows, Role role) =>
        new(MarkShape.Segments, role, [.. rows.Select(row => row.Lower)], Places(rows))
        {
            X2 = [.. rows.Select(row => row.Upper)],
            Y2 = Places(rows),
        };

    private static double[] Places(Row[] rows) => [.. rows.Select((_, row) => -(double)row)];

    private static string[] Tips(Row[] rows) =>
        [.. rows.Select(row => $"{row.Name}\n{Words.Signed(row.Value)} ({Words.Interval(new(row.Lower, row.Upper))})")];

    private static string Tip(ThresholdPlace place) =>
        $"{Words.Probability(place.Probability)} within {Words.Milliseconds(place.Milliseconds)}\n"
        + Words.Interval(new(place.Lower, place.Upper));

    private sealed record Row(string Name, double Value, double Lower, double Upper);
}
