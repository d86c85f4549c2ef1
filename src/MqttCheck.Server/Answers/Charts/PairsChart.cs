using MqttCheck.ClusterProtocols.Predicting;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Marks;

namespace MqttCheck.Server.Answers.Charts;

/// <summary>Medians of delivery times as cells: a row publishes, a column subscribes.</summary>
internal static class PairsChart
{
    private const double HighRow = 40,
        LowRow = 18;

    // More rows than this would not fit on a screen with what is missing written into each.
    private const int MostHighRows = 10;

    /// <summary>The chart of pairs of places; null without one.</summary>
    public static Chart? Of(IReadOnlyList<PairPrediction> pairs)
    {
        if (pairs.Count == 0)
            return null;
        string[] places = [.. pairs.SelectMany(pair => (string[])[pair.From, pair.To]).Distinct()];
        var slowest = pairs.Max(pair => pair.MedianMilliseconds ?? 0);
        double Row(PairPrediction pair) => -Array.IndexOf(places, pair.From);
        double Column(PairPrediction pair) => Array.IndexOf(places, pair.To);
        var isHigh = places.Length <= MostHighRows;
        Mark Texts(Func<PairPrediction, string> text, double aside) =>
            new(MarkShape.Texts, Role.Ink, [.. pairs.Select(Column)], [.. pairs.Select(pair => Row(pair) + aside)])
            {
                Texts = [.. pairs.Select(text)],
            };
        return new()
        {
            X = [Axis.Columns(places)],
            Y = Axis.Rows(places),
            Height = places.Length * (isHigh ? HighRow : LowRow),
            Marks =
            [
                .. pairs.Select(pair =>
                    Mark.Box(
                        Column(pair) - .48,
                        Column(pair) + .48,
                        Row(pair) - .48,
                        Row(pair) + .48,
                        Role.S1,
                        .06 + (slowest > 0 ? .4 * (pair.MedianMilliseconds ?? 0) / slowest : 0)
                    ) with
                    {
                        Tips = [Tip(pair)],
                    }
                ),
                Texts(pair => Words.Number(pair.MedianMilliseconds ?? double.NaN), isHigh ? .18 : 0),
                .. isHigh ? [Texts(pair => pair.Missing > 0 ? $"−{Words.Count(pair.Missing)}" : "", -.22)] : (Mark[])[],
            ],
        };
    }

    private static string Tip(PairPrediction pair) =>
        $"{pair.From} to {pair.To}\n"
        + $"median {Words.Latency(pair.MedianMilliseconds ?? double.NaN)}, "
        + $"99 % within {Words.Latency(pair.P99Milliseconds ?? double.NaN)}\n"
        + $"{Words.Count(pair.Missing)} of {Words.Count(pair.Owed)} never came";
}
