using System.Globalization;
using MqttCheck.Clients;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;
using MqttCheck.Reports.Marks;

namespace MqttCheck.Reports.Charts;

/// <summary>
/// Normal score of each held-out exchange against the model's median for it, or against a feature of the reader's
/// choice.
/// </summary>
internal static class ResidualsChart
{
    private const double Height = 220;
    private const string Feature = "feature";

    public static Chart? Of(ResidualReport residuals)
    {
        Against[] all =
        [
            new(0, "predicted median, ms", "median of the model, ms (log)", residuals.PredictedMilliseconds),
            .. residuals.Features.Select(
                (feature, i) => new Against(i + 1, feature.Feature, feature.Feature, feature.Values)
            ),
        ];
        double[] known = [.. residuals.Scores.Where(double.IsFinite)];
        if (known.Length == 0)
            return null;
        var y = new Scale(-Reach(known), Reach(known));
        MessageKind[] kinds = [.. residuals.Kinds.Distinct().Order()];
        return new()
        {
            X = [.. all.Select(Horizontal)],
            Y = Axis.Up(y, "normal score", Height),
            Height = Height,
            Choices =
            [
                new(Feature, "Residuals against", [.. all.Select(one => KeyValuePair.Create(one.Value, one.Name))]),
                KindChoice.Of(kinds),
            ],
            Marks = [.. kinds.SelectMany(kind => Points(residuals, kind, all)), .. all.SelectMany(Rules)],
            Legend = [.. kinds.Select(KindChoice.Key)],
        };
    }

    private static double Reach(double[] scores) => Math.Max(3.2, scores.Max(Math.Abs)) * 1.04;

    private static Axis Horizontal(Against one) =>
        Axis.Across(one.Scale, one.Label, one.IsWhole ? Whole : Words.Number) with
        {
            When = one.When,
        };

    private static string Whole(double tick) => tick == Math.Floor(tick) ? Words.Number(tick) : "";

    private static IEnumerable<Mark> Points(ResidualReport residuals, MessageKind kind, Against[] all)
    {
        int[] shown =
        [
            .. Enumerable
                .Range(0, residuals.Scores.Count)
                .Where(i => (i < residuals.Kinds.Count ? residuals.Kinds[i] : MessageKind.Publish) == kind),
        ];
        double[] scores = [.. shown.Select(i => residuals.Scores[i])];
        return all.Select(one => new Mark(
            MarkShape.Dots,
            Looks.Series(Looks.Kind(kind)),
            [.. shown.Select(i => one.Values[i])],
            scores
        )
        {
            Symbol = Looks.Symbols(Looks.Kind(kind)),
            Size = 4,
            Opacity = .6,
            IsJittered = one.IsWhole,
            Tip = $"{kind.Name()}\nnormal score {{y:2}}\n{one.Name} {{{(one.IsWhole ? "x:0" : "x")}}}",
            When = new Dictionary<string, string>(one.When) { [KindChoice.Name] = kind.Name() },
        });
    }

    private static Mark[] Rules(Against one) =>
        [
            Mark.Horizontal(one.Scale, [0], Role.Ink) with
            {
                Size = 1,
                When = one.When,
            },
            Mark.Horizontal(one.Scale, [-2, 2], Role.Soft) with
            {
                Size = 1.4,
                IsDashed = true,
                When = one.When,
            },
        ];

    // The scores are shown against the median, or against a feature.
    private sealed record Against(int Index, string Name, string Label, IReadOnlyList<double> Values)
    {
        public string Value { get; } = Index.ToString(CultureInfo.InvariantCulture);

        public IReadOnlyDictionary<string, string> When => new Dictionary<string, string> { [Feature] = Value };

        public bool IsWhole { get; } =
            Index > 0 && Values.All(value => !double.IsFinite(value) || double.IsInteger(value));

        public Scale Scale
        {
            get
            {
                if (Index == 0)
                    return Scale.Around(Values);
                double[] known = [.. Values.Where(double.IsFinite)];
                var (low, high) = (known.DefaultIfEmpty().Min(), known.DefaultIfEmpty().Max());
                // Points stand up to half a step beside their whole number.
                return IsWhole || low == high ? new(low - 1, high + 1) : new(low, high);
            }
        }
    }
}
