using System.Diagnostics;
using MqttCheck.Comparison;
using MqttCheck.Sequential;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.Clusters.Properties;

/// <summary>
/// The mean over independent runs with its interval. The interval is guaranteed where the plan of a run bounds its
/// values (<see cref="BoundedMean"/>), and approximate otherwise (<see cref="StudentInterval"/>).
/// </summary>
internal sealed class RunMean
{
    // A plan with more runs takes longer than it is worth.
    private const int MostPlanned = 5000;

    private readonly string _noun;
    private readonly int _count;
    private readonly string _limits;
    private readonly string _assumption;
    private readonly string? _equal;
    private readonly Func<double, string> _text;
    private readonly Func<double, Interval>? _guaranteed;

    private RunMean(
        string noun,
        int count,
        double estimate,
        (Func<double, Interval> Interval, string Limits)? guaranteed,
        (Interval? Interval, string Assumption) ifNormal,
        string? equal,
        Func<double, string> text
    )
    {
        (_noun, _count, Estimate, _equal, _text) = (noun, count, estimate, equal, text);
        (_guaranteed, _limits) = (guaranteed?.Interval, guaranteed?.Limits ?? "");
        (IfNormal, _assumption) = ifNormal;
        Interval = _guaranteed?.Invoke(1) ?? IfNormal;
        Kind =
            _guaranteed is not null ? IntervalPromise.Guaranteed
            : Interval is null ? null
            : IntervalPromise.Approximate;
    }

    /// <summary>The mean, the mean difference, or the ratio.</summary>
    public double Estimate { get; }

    /// <summary>Its interval; null where there is none.</summary>
    public Interval? Interval { get; }

    /// <summary>Whether the error of the interval is guaranteed or approximate; null without an interval.</summary>
    public IntervalPromise? Kind { get; }

    /// <summary>The interval of runs that are about normal; null where runs do not differ.</summary>
    public Interval? IfNormal { get; }

    /// <summary>The mean of a measure.</summary>
    /// <param name="values">The value of each run, at least one, finite.</param>
    /// <param name="measure">The measure of the values.</param>
    /// <param name="limits">The limits of a run; null where no bound is to be used.</param>
    /// <param name="error">The probability that the interval does not contain the mean.</param>
    public static RunMean OfValues(double[] values, ClusterMeasure measure, RunLimits? limits, double error)
    {
        // A value above the bound refutes it, so the bound is not used.
        var largest =
            measure.Largest(limits) is { } bound && values.All(value => value <= bound) ? bound : (double?)null;
        var student = StudentInterval.Of(values, error);
        return new(
            "run",
            values.Length,
            values.Average(),
            largest is { } most
                ? (
                    copies =>
                        Scaled(BoundedMean.Interval([.. values.Select(value => value / most)], error, copies), most),
                    $"each of which can have 0 to {measure.Text(most)}"
                )
                : null,
            // No measure is negative.
            (
                student is { } known ? new(Math.Max(0, known.Lower), known.Upper) : null,
                "the values of runs are about normal"
            ),
            Equal(values, measure, "run has", error),
            measure.Text
        );
    }

    /// <summary>The mean difference of two clusters, the first less the second.</summary>
    /// <param name="pairs">The values of each pair of runs, at least one, finite.</param>
    /// <param name="measure">The measure of the values.</param>
    /// <param name="limits">The limits of a run of each cluster; null where no bound is to be used.</param>
    /// <param name="error">The probability that the interval does not contain the mean.</param>
    public static RunMean OfDifferences(
        IReadOnlyList<(double First, double Second)> pairs,
        ClusterMeasure measure,
        (RunLimits First, RunLimits Second)? limits,
        double error
    )
    {
        double[] differences = [.. pairs.Select(pair => pair.First - pair.Second)];
        var bounds = BoundsOf(pairs, measure, limits);
        return new(
            "pair",
            pairs.Count,
            differences.Average(),
            bounds is var (first, second)
                ? (
                    copies =>
                    {
                        var interval = Scaled(
                            BoundedMean.Interval(
                                [.. differences.Select(one => Math.Clamp((one + second) / (first + second), 0, 1))],
                                error,
                                copies
                            ),
                            first + second
                        );
                        return new(interval.Lower - second, interval.Upper - second);
                    },
                    Limits(measure, first, second)
                )
                : null,
            (PairedMean.OfDifferences(pairs, error).Interval, "the differences of pairs are about normal"),
            Equal(differences, measure, "pair has the difference", error),
            measure.Text
        );
    }

    /// <summary>
    /// The ratio of two clusters, the first divided by the second: of their means where it is guaranteed, otherwise the
    /// geometric mean of the pairs' ratios.
    /// </summary>
    /// <param name="pairs">The values of each pair of runs, at least one; positive where nothing bounds them.</param>
    /// <param name="measure">The measure of the values.</param>
    /// <param name="limits">The limits of a run of each cluster; null where no bound is to be used.</param>
    /// <param name="error">The probability that the interval does not contain the ratio.</param>
    /// <returns>Null where there is no ratio, as a value is 0.</returns>
    public static RunMean? OfRatios(
        IReadOnlyList<(double First, double Second)> pairs,
        ClusterMeasure measure,
        (RunLimits First, RunLimits Second)? limits,
        double error
    )
    {
        var arePositive = pairs.All(pair => pair is { First: > 0, Second: > 0 });
        var bounds = BoundsOf(pairs, measure, limits);
        if (!arePositive && (bounds is null || pairs.All(pair => pair.Second == 0)))
            return null;
        var ratios = arePositive ? PairedMean.OfRatios(pairs, error) : default;
        return new(
            "pair",
            pairs.Count,
            bounds is null ? ratios.Value : pairs.Sum(pair => pair.First) / pairs.Sum(pair => pair.Second),
            bounds is var (first, second)
                ? (
                    copies =>
                        Scaled(
                            BoundedMean.Ratio(
                                [.. pairs.Select(pair => (pair.First / first, pair.Second / second))],
                                error,
                                copies
                            ),
                            first / second
                        ),
                    Limits(measure, first, second)
                )
                : null,
            (ratios.Interval, "the logarithms of pairs' ratios are about normal"),
            equal: null,
            value => Invariant($"{value:0.####}")
        );
    }

    /// <summary>How it was found, what it promises, and how many runs make it narrower: without a full stop.</summary>
    /// <param name="isEnough">
    /// Whether an interval decides what is asked; null where a value is asked for, whose interval is to be halved.
    /// </param>
    public string Reason(Func<Interval, bool>? isEnough = null)
    {
        List<string> parts =
        [
            Kind switch
            {
                IntervalPromise.Guaranteed => $"guaranteed for independent runs of every law, {_limits}",
                IntervalPromise.Approximate => $"approximate: it holds if {_assumption}",
                null => _count == 1
                    ? $"a single {_noun} has no interval"
                    : $"no interval, because no two {_noun}s differ and no bound is used",
                _ => throw new UnreachableException(),
            },
        ];
        if (Kind == IntervalPromise.Guaranteed && IfNormal is { } normal)
            parts.Add($"{_text(normal.Lower)} to {_text(normal.Upper)} if {_assumption}");
        if (_equal is not null)
            parts.Add(_equal);
        if (Plan(isEnough) is { } plan)
            parts.Add(plan);
        return string.Join("; ", parts);
    }

    private string? Plan(Func<Interval, bool>? isEnough)
    {
        if (Interval is not { } interval || _count > MostPlanned || isEnough?.Invoke(interval) == true)
            return null;
        if (_guaranteed is null)
            return isEnough is null
                ? $"half the width takes about {Counted.Of(4L * _count, _noun)}"
                : $"more {_noun}s make it narrower";
        if (isEnough is null && double.IsInfinity(interval.Upper))
            return $"more {_noun}s make it narrower";
        var runs = BoundedMean.RunsUntil(
            _count,
            _guaranteed,
            isEnough ?? (narrower => narrower.HalfWidth <= interval.HalfWidth / 2)
        );
        return runs is not { } known ? $"no number of {_noun}s like these decides it"
            : isEnough is null ? $"half the width takes about {Counted.Of(known, _noun)}"
            : $"it takes about {Counted.Of(known, _noun)} like these to decide it";
    }

    private static Interval Scaled(Interval interval, double by) => new(interval.Lower * by, interval.Upper * by);

    private static (double First, double Second)? BoundsOf(
        IReadOnlyList<(double First, double Second)> pairs,
        ClusterMeasure measure,
        (RunLimits First, RunLimits Second)? limits
    ) =>
        measure.Largest(limits?.First) is { } first
        && measure.Largest(limits?.Second) is { } second
        && pairs.All(pair => pair.First <= first && pair.Second <= second)
            ? (first, second)
            : null;

    private static string Limits(ClusterMeasure measure, double first, double second) =>
        first == second
            ? $"each of which can have 0 to {measure.Text(first)}"
            : $"which can have 0 to {measure.Text(first)} and 0 to {measure.Text(second)}";

    // A value of which all runs are: zero is known beforehand, another one only from the first run. Half of the error
    // is that of an interval's upper end, which is not below this where all are zero.
    private static string? Equal(double[] values, ClusterMeasure measure, string has, double error)
    {
        var trials = values[0] == 0 ? values.Length : values.Length - 1;
        if (trials == 0 || values.Any(value => value != values[0]))
            return null;
        var most = BinomialIntervals.UpperBound(0, trials, error / 2);
        return Invariant(
            $"every {has} {measure.Text(values[0])}, so others have a probability of {most:0.####} at most"
        );
    }
}
