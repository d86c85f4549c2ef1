using MqttCheck.Predictions;
using MqttCheck.Properties.Traces;
using MqttCheck.Sequential;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.Properties;

/// <summary>
/// Samples replications for one property, as many as its question needs, in parallel and in a fixed order.
/// </summary>
internal sealed class ReplicationSampling(
    SimulatedTraces traces,
    TraceProperty property,
    PropertyOptions options,
    CancellationToken cancellation
)
{
    /// <summary>Whether sampling was stopped before it had enough.</summary>
    public bool IsInterrupted { get; private set; }

    /// <summary>A probability, one client of each replication, until the rule says that it is enough.</summary>
    public PropertyAnswer StoppedByRule()
    {
        var rule = options.Rule(options.Epsilon, options.Error);
        var units = new List<TraceValues>();
        long successes = 0,
            judged = 0;
        var isEnough = false;
        foreach (var unit in All())
        {
            var one = unit.Only(ClientOf(units.Count, unit.Values.Length));
            var value = one.Values[0];
            units.Add(one);
            if (!double.IsNaN(value))
            {
                judged++;
                if (value == 1)
                    successes++;
                isEnough = rule.IsEnough(successes, judged);
            }
            if (isEnough || units.Count >= (judged == 0 ? options.FixedReplications : options.LargestReplications))
                break;
        }
        var sample = TraceSample.Of(units, property);
        if (judged == 0)
            return sample.Nothing("replications");
        var estimate = (double)successes / judged;
        if (!isEnough && IsInterrupted)
        {
            return sample.Answer(
                "replications",
                Invariant($"Interrupted: interval at {1 - options.Error:P1} (Clopper and Pearson), one client of each ")
                    + "replication made so far."
            ) with
            {
                Estimate = estimate,
                Interval = BinomialIntervals.ClopperPearson(successes, judged, options.Error),
            };
        }
        if (!isEnough)
        {
            return sample.Answer(
                "replications",
                Invariant($"Not answered within {options.LargestReplications} replications: too ")
                    + "few traces of one client have a message that the property asks about."
            ) with
            {
                Estimate = estimate,
            };
        }
        return sample.Answer(
            "replications",
            Invariant($"Stopped by the rule '{rule.Name}', one client of each replication: ")
                + Invariant($"{(rule.IsGuarantee ? "" : "approximately ")}within ")
                + Invariant($"{options.Epsilon} of the truth with probability {1 - options.Error}.")
        ) with
        {
            Estimate = estimate,
            Interval = new(Math.Max(0, estimate - options.Epsilon), Math.Min(1, estimate + options.Epsilon)),
        };
    }

    /// <summary>A probability from a fixed number of replications, all clients of each.</summary>
    public PropertyAnswer FixedProbability()
    {
        TraceValues[] units = [.. All(options.FixedReplications)];
        var sample = TraceSample.Of(units, property);
        if (sample.Units.Count == 0)
            return sample.Nothing("replications");
        return sample.Answer(
            "replications",
            Invariant($"Interval at {1 - options.Error:P1}, valid for every law: all clients ")
                + "of each replication, the replication being the sampling unit."
        ) with
        {
            Estimate = sample.Share,
            // Replications of a single client about which nothing is said can be left out: the others are independent
            // of each other.
            Interval =
                traces.Clients == 1
                    ? NeutralShares.Bounds(sample.Units, Bounds(sample.Units))
                    : NeutralShares.Bounds([.. units.Select(unit => unit.Values)], OfMeans(units.Length)),
        };
    }

    /// <summary>A comparison of a probability with a number.</summary>
    public PropertyAnswer Decision()
    {
        var isAtLeast = property.Kind == PropertyKind.AtLeast;
        var plan = options.Indifference is { } indifference ? Plan(indifference, isAtLeast) : null;
        var wald = plan is null ? null : new SequentialProbabilityRatioTest(plan);
        var bet = new BoundedMeanTest(property.Level, options.Error);
        var units = new List<TraceValues>();
        var decision = SprtDecision.Undecided;
        var isSilent = true;
        foreach (var all in All())
        {
            var unit = wald is null ? all : all.Only(ClientOf(units.Count, all.Values.Length));
            units.Add(unit);
            isSilent = isSilent && Array.TrueForAll(unit.Values, double.IsNaN);
            if (wald is null)
                decision = bet.Add(NeutralShares.Mean(unit.Values, property.Level));
            else if (!double.IsNaN(unit.Values[0]))
                decision = wald.Add(unit.Values[0] == 1);
            if (
                decision != SprtDecision.Undecided
                || units.Count >= (isSilent ? options.FixedReplications : options.LargestReplications)
            )
                break;
        }
        var sample = TraceSample.Of(units, property);
        if (isSilent)
            return sample.Nothing("replications");
        var method = plan is null
            ? "Bets on the replications' means, no indifference; a wrong "
                + Invariant($"decision has a probability of at most {options.Error}.")
            : Invariant($"Wald's test of {plan.P0:0.#####} against {plan.P1:0.#####}, strict bounds, one client ")
                + Invariant($"of each replication; a wrong decision has a probability of at most {options.Error}.");
        if (decision == SprtDecision.Undecided && IsInterrupted)
            method += " Interrupted before it was decided.";
        else if (decision == SprtDecision.Undecided)
            method +=
                Invariant($" Not decided within {options.LargestReplications} ")
                + Invariant($"replications: the probability lies near {property.Level}.");
        return sample.Answer("replications", method) with
        {
            Estimate = sample.Share,
            Holds = decision == SprtDecision.Undecided ? null : decision == SprtDecision.AcceptH1 == isAtLeast,
        };
    }

    /// <summary>A quantile from all clients of a fixed number of replications.</summary>
    public PropertyAnswer Quantile()
    {
        var sample = FixedSample();
        if (sample.Units.Count == 0)
            return sample.Nothing("replications");
        var row = QuantileBounds.OfMeans(sample.Units, property.Level, Bounds(sample.Units));
        return sample.Answer(
            "replications",
            Invariant($"Interval at {1 - options.Error:P1}, valid for every law: the replication is the sampling unit.")
        ) with
        {
            Estimate = row.Value,
            Interval = row.Interval,
        };
    }

    /// <summary>
    /// Some quantiles with the band that holds for all of them together: one client of each replication.
    /// </summary>
    public PropertyAnswer Distribution(IReadOnlyList<double> shares)
    {
        var sample = TraceSample.Of(
            [
                .. All(options.FixedReplications)
                    .Select((unit, replication) => unit.Only(ClientOf(replication, unit.Values.Length))),
            ],
            property
        );
        if (sample.Units.Count == 0)
            return sample.Nothing("replications");
        double[] sorted = [.. sample.Units.Select(values => values[0]).Order()];
        var half = ConcentrationBounds.DkwHalfWidth(sorted.Length, options.Error);
        return sample.Answer(
            "replications",
            "One client of each replication; every share of the whole distribution is right within "
                + Invariant(
                    $"{half:0.0000} with probability {1 - options.Error} (Dvoretzky, Kiefer, Wolfowitz, Massart)."
                )
        ) with
        {
            Quantiles =
            [
                .. shares.Select(share => new QuantileRow(
                    share,
                    PredictionQuantiles.Quantile(sorted, share),
                    new(
                        share - half <= 0 ? 0 : PredictionQuantiles.Quantile(sorted, share - half),
                        share + half >= 1
                            ? double.PositiveInfinity
                            : PredictionQuantiles.Quantile(sorted, Math.Min(1, share + half + 1.0 / sorted.Length))
                    )
                )),
            ],
        };
    }

    /// <summary>All clients of a fixed number of replications.</summary>
    public TraceSample FixedSample() => TraceSample.Of([.. All(options.FixedReplications)], property);

    private Func<double, double, Interval> Bounds(IReadOnlyList<double[]> units) =>
        units.All(values => values.Length == 1)
            ? (sum, _) => BinomialIntervals.ClopperPearson((long)Math.Round(sum), units.Count, options.Error)
            : OfMeans(units.Count);

    private Func<double, double, Interval> OfMeans(int units) =>
        (sum, squares) => PredictionBounds.OfMeans(sum, squares, units, options.Error);

    private SprtPlan Plan(double indifference, bool isAtLeast)
    {
        var (p0, p1) = isAtLeast
            ? (property.Level - indifference, property.Level)
            : (property.Level, property.Level + indifference);
        if (p0 <= 0 || p1 >= 1)
            throw new InputException(
                Invariant($"property '{property}' with an indifference of {indifference} compares {p0:0.#####} ")
                    + Invariant($"with {p1:0.#####}; allowed: hypotheses between 0 and 1, both excluded.")
            );
        return new(p0, p1, options.Error, options.Error);
    }

    // Beside the clients' own streams.
    private int ClientOf(int replication, int count) =>
        RandomStream.For(options.Seed, (ulong)replication, (ulong)traces.Clients).NextInt(count);

    // Once there is something, an interruption ends the sample instead of throwing it away.
    private IEnumerable<TraceValues> All(int? replications = null)
    {
        using var units = traces.Values(property, options.ShardRunner, replications, cancellation).GetEnumerator();
        for (var count = 0; ; count++)
        {
            try
            {
                if (!units.MoveNext())
                    yield break;
            }
            catch (OperationCanceledException) when (count > 0)
            {
                IsInterrupted = true;
                yield break;
            }
            yield return units.Current;
        }
    }
}
