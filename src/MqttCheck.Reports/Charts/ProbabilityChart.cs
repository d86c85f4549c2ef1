using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;
using MqttCheck.Reports.Marks;

namespace MqttCheck.Reports.Charts;

/// <summary>
/// Probability that all messages are in time against the number of clients: a line for each threshold, and one for the
/// threshold that is chosen.
/// </summary>
internal static class ProbabilityChart
{
    // A symbol at 1 stands wholly inside.
    private const double Top = 1.03;

    /// <summary>The chart of one profile.</summary>
    /// <param name="setups">The predictions, ascending in clients.</param>
    /// <param name="verdicts">The verdicts; those at other thresholds are left out.</param>
    /// <param name="thresholds">The thresholds that have a line.</param>
    /// <param name="trained">The number of clients up to which training went; beyond, a model extrapolates.</param>
    public static Chart? Of(
        IReadOnlyList<PredictionReport> setups,
        IEnumerable<VerdictReport> verdicts,
        IReadOnlyList<double> thresholds,
        double trained = double.PositiveInfinity
    )
    {
        Series[] series =
        [
            .. thresholds
                .Select((threshold, i) => new Series(setups, threshold, i))
                .Where(one => one.Places.Length > 0),
        ];
        VerdictReport[] measured =
        [
            .. verdicts.Where(verdict =>
                double.IsFinite(verdict.MeasuredProbability) && thresholds.Contains(verdict.Point.ThresholdMilliseconds)
            ),
        ];
        PredictionReport[] distributions = [.. setups.Where(setup => setup.SortedWorstMilliseconds.Count > 0)];
        if (series.Length == 0 && distributions.Length == 0)
            return null;
        double[] counts =
        [
            .. setups
                .Select(setup => (double)setup.Clients)
                .Concat(measured.Select(verdict => (double)verdict.Point.Clients))
                .Distinct()
                .Order(),
        ];
        var scale = Range(counts[0], counts[^1]);
        var isExtrapolated = trained < counts[^1];
        return new()
        {
            X = [Clients(scale, counts)],
            Y = Axis.Shares("probability", Top),
            Height = 270,
            Marks =
            [
                .. isExtrapolated
                    ? [Mark.Box(Math.Max(trained, scale.Low), scale.High, 0, Top, Role.Warn)]
                    : (Mark[])[],
                .. series.SelectMany(one => Predicted(one, Shift(one.Index, thresholds.Count), measured)),
                .. series.SelectMany(one => Measured(one, Shift(one.Index, thresholds.Count), measured)),
                .. distributions.Length == 0 ? (Mark[])[] : [Level(distributions, thresholds)],
            ],
            Notes = isExtrapolated ? [new("shaded: extrapolated", Role.Warn)] : [],
            Legend = Legend(series, measured),
            EndNames = [.. series.Select(one => new EndName(one.Name, one.Places[^1].P, one.Role))],
        };
    }

    private static LegendKey[] Legend(Series[] series, VerdictReport[] measured) =>
        [
            .. series.Select(one => new LegendKey($"{one.Name}, predicted", one.Role, LegendShape.Line)),
            .. series
                .Where(one => measured.Any(one.Has))
                .Select(one => new LegendKey(
                    $"{one.Name}, measured",
                    one.Role,
                    LegendShape.Hollow,
                    Looks.Symbols(one.Index)
                )),
        ];

    private static Scale Range(double least, double most)
    {
        if (least == most)
            return new(least * .5, most * 1.5);
        // Symbols at the ends stand wholly inside.
        var slack = (most - least) * .03;
        return most / least > 30 ? new(least / 1.08, most * 1.08, true) : new(least - slack, most + slack);
    }

    // The numbers of clients that were used, unless too few of them have room on a logarithmic axis.
    private static Axis Clients(Scale scale, double[] counts)
    {
        var used = Axis.With(scale, "clients", counts);
        return scale.IsLogarithmic
            ? used with
            {
                Ticks = [.. used.Ticks, .. Ticks.Candidates(scale, Words.Number)],
            }
            : used;
    }

    // Measurements of several thresholds at one number of clients stand side by side.
    private static double Shift(int index, int count) => (index - (count - 1) / 2.0) * 7.5;

    private static IEnumerable<Mark> Predicted(Series one, double shift, VerdictReport[] measured)
    {
        double[] clients = [.. one.Places.Select(place => (double)place.Clients)];
        double[] p = [.. one.Places.Select(place => place.P)],
            lower = [.. one.Places.Select(place => place.Lower)],
            upper = [.. one.Places.Select(place => place.Upper)];
        if (clients.Length == 1)
            // A band over a single number of clients has no width.
            yield return new(MarkShape.Segments, one.Role, clients, lower)
            {
                X2 = clients,
                Y2 = upper,
                Size = 10,
                Opacity = .22,
                Dx = shift,
            };
        else
        {
            yield return new(MarkShape.Band, one.Role, clients, lower) { Y2 = upper, Opacity = .14 };
            yield return new(MarkShape.Line, one.Role, clients, p);
        }
        yield return new(MarkShape.Symbols, one.Role, clients, p)
        {
            Symbol = Looks.Symbols(one.Index),
            Size = 6,
            Dx = clients.Length == 1 ? shift : 0,
            Tips = [.. one.Places.Select(place => Tip(one, place, measured))],
        };
    }

    private static string Tip(Series one, Place place, VerdictReport[] measured)
    {
        var beside = measured.FirstOrDefault(verdict => one.Has(verdict) && verdict.Point.Clients == place.Clients);
        return $"{Words.Counted(place.Clients, "client")}, {one.Name}\n"
            + $"predicted {Words.Probability(place.P)} ({Words.Interval(new(place.Lower, place.Upper))})"
            + (beside is null ? "" : $"\nmeasured {Words.Probability(beside.MeasuredProbability)}");
    }

    private static IEnumerable<Mark> Measured(Series one, double shift, VerdictReport[] measured)
    {
        VerdictReport[] here = [.. measured.Where(one.Has)];
        if (here.Length == 0)
            yield break;
        double[] clients = [.. here.Select(verdict => (double)verdict.Point.Clients)];
        yield return new(
            MarkShape.Segments,
            one.Role,
            clients,
            [.. here.Select(verdict => Math.Max(0, verdict.MeasuredInterval?.Lower ?? double.NaN))]
        )
        {
            X2 = clients,
            Y2 = [.. here.Select(verdict => Math.Min(1, verdict.MeasuredInterval?.Upper ?? double.NaN))],
            Dx = shift,
        };
        yield return new(MarkShape.Symbols, one.Role, clients, [.. here.Select(verdict => verdict.MeasuredProbability)])
        {
            Symbol = Looks.Symbols(one.Index),
            IsHollow = true,
            Size = 9,
            Dx = shift,
        };
    }

    private static Mark Level(PredictionReport[] setups, IReadOnlyList<double> thresholds) =>
        new(MarkShape.Level, Role.Accent, [.. setups.Select(setup => (double)setup.Clients)], [])
        {
            Of = [.. setups.Select(Estimates.Of)],
            Except = thresholds,
            IsDashed = true,
            Tip = "{x} clients, the chosen threshold\npredicted {y:p}",
        };

    private sealed record Place(int Clients, double P, double Lower, double Upper);

    private sealed record Series(IReadOnlyList<PredictionReport> Setups, double Threshold, int Index)
    {
        public Place[] Places { get; } =
        [
            .. Setups
                .Select(setup => (setup.Clients, At: Estimates.InTime(setup, Threshold)))
                .Where(setup => double.IsFinite(setup.At.Probability))
                .Select(setup => new Place(setup.Clients, setup.At.Probability, setup.At.Lower, setup.At.Upper)),
        ];

        public Role Role => Looks.Series(Index);

        public string Name => Words.Milliseconds(Threshold);

        public bool Has(VerdictReport verdict) => verdict.Point.ThresholdMilliseconds == Threshold;
    }
}
