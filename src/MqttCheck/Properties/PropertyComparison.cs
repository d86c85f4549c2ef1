using System.Diagnostics;
using MathNet.Numerics.Distributions;
using MqttCheck.Latency;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Properties.Traces;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.Properties;

/// <summary>
/// Asks one property of two models with common random numbers: replication i of both has the same clients with the same
/// choices and the same streams of latencies, so that what is due to chance falls out of the difference as far as it
/// moves both alike. The pair of replications is the sampling unit.
/// </summary>
internal static class PropertyComparison
{
    /// <summary>Compares.</summary>
    /// <param name="property">
    /// A probability, an expectation, or a quantile with a bound, which is the probability of keeping it.
    /// </param>
    /// <param name="first">One model.</param>
    /// <param name="second">The other.</param>
    /// <param name="population">Who sends what, how often.</param>
    /// <param name="clients">How many clients share the broker, 1 or more.</param>
    /// <param name="options">
    /// The seed, the error, and the number of replications; Okamoto's for the half width where it is not given.
    /// </param>
    /// <param name="cancellation">Stops the work.</param>
    /// <exception cref="InputException">A value is not allowed, or the property cannot be compared.</exception>
    /// <exception cref="OperationCanceledException">The work was stopped.</exception>
    public static PairedAnswer Compare(
        TraceProperty property,
        LatencyModel first,
        LatencyModel second,
        Population population,
        int clients,
        PropertyOptions options,
        CancellationToken cancellation = default
    )
    {
        options.ThrowIfInvalid();
        PropertySense.RequireLatencies(property);
        if (
            property.Kind == PropertyKind.Distribution
            || (property.Kind == PropertyKind.Quantile && property.Bound is null)
        )
            throw new InputException(
                $"property '{property}' cannot be compared pair by pair; allowed: P[ formula ], P>=p, "
                    + "P<=p, E[ measure ], and a quantile with a bound such as Q0.95[ max latency ] < 50ms."
            );
        PropertySense.RequireSense(property, population);
        var sequences = options.SequencesPerTrace ?? SimulatedTraces.SequencesFor(property, population);
        var (ofFirst, ofSecond) = (Sample(first), Sample(second));
        var pairs = ofFirst
            .Zip(ofSecond)
            .Where(pair => pair.First.Mean is not null && pair.Second.Mean is not null)
            .Select(pair => (pair.First.Mean!.Value, pair.Second.Mean!.Value))
            .ToArray();
        var judged = JudgedTraces.Sum(ofFirst.Concat(ofSecond).Select(replication => replication.Judged));
        return Describe(property, pairs, judged, options.Error) with
        {
            Notes = PropertySense.Notes(property, population),
        };

        // The mean of each replication; null where the property says nothing about any of its traces.
        (double? Mean, JudgedTraces Judged)[] Sample(LatencyModel model)
        {
            var traces = new SimulatedTraces(
                model,
                population,
                clients,
                sequences,
                options.Seed,
                options.TimerGridMilliseconds
            );
            return
            [
                .. traces
                    .Values(property, options.ShardRunner, options.FixedReplications, cancellation)
                    .Select(unit => (Mean(property, unit.Values), JudgedTraces.Of([unit]))),
            ];
        }
    }

    internal static PairedAnswer Describe(
        TraceProperty property,
        IReadOnlyList<(double First, double Second)> pairs,
        JudgedTraces judged,
        double error
    )
    {
        var isProbability = property.Kind != PropertyKind.Expectation;
        if (pairs.Count < 2)
            return new()
            {
                Property = property,
                First = null,
                Second = null,
                Judged = judged,
                Pairs = pairs.Count,
                Method =
                    "No answer: the property says nothing about any of the traces, or there are fewer than two pairs.",
            };
        double[] differences = [.. pairs.Select(pair => pair.First - pair.Second)];
        var (mean, variance) = SampleMoments.Of(differences);
        var apart =
            SampleMoments.Of([.. pairs.Select(pair => pair.First)]).Variance
            + SampleMoments.Of([.. pairs.Select(pair => pair.Second)]).Variance;
        var interval = isProbability
            ? OfShares(mean, variance, pairs.Count, error)
            : StudentInterval.Around(mean, variance, pairs.Count, error);
        return new()
        {
            Property = property,
            First = pairs.Average(pair => pair.First),
            Second = pairs.Average(pair => pair.Second),
            Judged = judged,
            Interval = double.IsFinite(mean) ? interval : null,
            Pairs = pairs.Count,
            Narrowing = apart > 0 && double.IsFinite(apart) ? Math.Sqrt(variance / apart) : null,
            IsFirstBetter =
                IsLargerBetter(property) is { } larger && double.IsFinite(mean) && !interval.Contains(0)
                    ? mean > 0 == larger
                    : null,
            Method = isProbability
                ? Invariant($"Interval of the difference at {1 - error:P1}, valid for every law: ")
                    + Invariant($"{pairs.Count} pairs of replications with the same random numbers.")
                : Invariant($"Approximate interval of the difference at {1 - error:P1} (Student's t ")
                    + Invariant($"of {pairs.Count} pairs of replications with the same random numbers)."),
        };
    }

    // A difference in -1 .. 1 is a mean in 0 .. 1, stretched.
    private static Interval OfShares(double mean, double variance, int count, double error)
    {
        double middle = (mean + 1) / 2,
            sum = middle * count;
        var bounds = PredictionBounds.OfMeans(sum, variance / 4 * (count - 1) + sum * middle, count, error);
        return new(2 * bounds.Lower - 1, 2 * bounds.Upper - 1);
    }

    private static double? Mean(TraceProperty property, double[] values)
    {
        double[] known =
        [
            .. values
                .Where(value => !double.IsNaN(value))
                .Select(value =>
                    property.Kind == PropertyKind.Quantile
                        ? property.Bound!.Value.Admits(value)
                            ? 1
                            : 0
                        : value
                ),
        ];
        return known.Length == 0 ? null : known.Average();
    }

    // Slow and failed messages are bad in any question. A probability without a bound may be good or bad, so it gets no
    // preference.
    private static bool? IsLargerBetter(TraceProperty property) =>
        property.Kind switch
        {
            PropertyKind.AtLeast or PropertyKind.Quantile => true,
            PropertyKind.AtMost => false,
            PropertyKind.Expectation when property.Bound is { } bound => !bound.IsUpper,
            PropertyKind.Expectation
                when property.Measure!.IsDuration || property.Measure.Quantity == TraceQuantity.Failures => false,
            PropertyKind.Probability or PropertyKind.Expectation or PropertyKind.Distribution => null,
            _ => throw new UnreachableException(),
        };
}
