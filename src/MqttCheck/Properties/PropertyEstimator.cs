using System.Diagnostics;
using MathNet.Numerics.Distributions;
using MqttCheck.Clients;
using MqttCheck.Latency;
using MqttCheck.Logs;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Properties.Traces;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.Properties;

/// <summary>Answers properties from simulated or live traces.</summary>
internal static class PropertyEstimator
{
    private static readonly double[] s_shares = [.01, .05, .1, .25, .5, .75, .9, .95, .99, .999];

    /// <summary>Answers a property by simulation, with the stated error.</summary>
    /// <param name="property">The property.</param>
    /// <param name="model">The latency model.</param>
    /// <param name="population">Who sends what, how often.</param>
    /// <param name="clients">How many clients share the broker, 1 or more.</param>
    /// <param name="options">How to answer.</param>
    /// <param name="cancellation">Stops the work.</param>
    /// <exception cref="InputException">
    /// A value is not allowed, or the property reads what a simulation does not know.
    /// </exception>
    /// <exception cref="OperationCanceledException">
    /// The work was stopped before the first replication; later the answer is partial.
    /// </exception>
    public static PropertyAnswer Simulate(
        TraceProperty property,
        LatencyModel model,
        Population population,
        int clients,
        PropertyOptions options,
        CancellationToken cancellation = default
    )
    {
        options.ThrowIfInvalid();
        PropertySense.RequireLatencies(property);
        PropertySense.RequireSense(property, population);
        var sequences = options.SequencesPerTrace ?? SimulatedTraces.SequencesFor(property, population);
        var traces = new SimulatedTraces(
            model,
            population,
            clients,
            sequences,
            options.Seed,
            options.TimerGridMilliseconds
        );
        var sampling = new ReplicationSampling(traces, property, options, cancellation);
        var answer = property.Kind switch
        {
            PropertyKind.Probability when options.Replications is null => sampling.StoppedByRule(),
            PropertyKind.Probability => sampling.FixedProbability(),
            PropertyKind.AtLeast or PropertyKind.AtMost => sampling.Decision(),
            PropertyKind.Expectation => Expectation(sampling.FixedSample(), options),
            PropertyKind.Quantile => sampling.Quantile(),
            PropertyKind.Distribution => sampling.Distribution(s_shares),
            _ => throw new UnreachableException(),
        };
        return Compared(answer) with
        {
            Notes = PropertySense.Notes(property, population),
            IsInterrupted = sampling.IsInterrupted,
        };
    }

    /// <summary>
    /// Answers a property for the broker that a model was learned from: by simulation, with the error of the model in
    /// the interval and in the decision, and with every caution that a prediction of the setup has.
    /// </summary>
    /// <param name="property">The property.</param>
    /// <param name="model">The model, and what is known of its errors.</param>
    /// <param name="population">Who sends what, how often.</param>
    /// <param name="clients">How many clients share the broker, 1 or more.</param>
    /// <param name="options">How to answer.</param>
    /// <param name="cancellation">Stops the work.</param>
    /// <exception cref="InputException">
    /// A value is not allowed, the property reads what a simulation does not know, or the model has never seen a kind
    /// of message that the population sends.
    /// </exception>
    /// <exception cref="OperationCanceledException">
    /// The work was stopped before the first replication; later the answer is partial.
    /// </exception>
    public static PropertyAnswer Predict(
        TraceProperty property,
        LearnedModel model,
        Population population,
        int clients,
        PropertyOptions options,
        CancellationToken cancellation = default
    )
    {
        // First, because an interrupted simulation has an answer too.
        var allowance = ModelAllowance.Of(property, model, population, clients, options, cancellation);
        var simulated = Simulate(property, model.Model, population, clients, options, cancellation);
        var answer = simulated.SaysNothing ? simulated : Allowing(simulated, allowance, options);
        return answer with { Notes = [.. allowance.Notes, .. answer.Notes] };
    }

    /// <summary>
    /// Answers a property from the exchanges of live runs. The run is the sampling unit: traces of one run share the
    /// state of the broker.
    /// </summary>
    /// <param name="property">The property.</param>
    /// <param name="exchanges">The exchanges of all runs.</param>
    /// <param name="options">How to answer; what is about simulations does not matter.</param>
    /// <param name="cases">The runs as far as they are known: a run's population names the groups.</param>
    /// <exception cref="InputException">A value is not allowed, or there is no trace.</exception>
    public static PropertyAnswer OfLog(
        TraceProperty property,
        IEnumerable<Exchange> exchanges,
        PropertyOptions options,
        IReadOnlyList<RunCase> cases
    )
    {
        options.ThrowIfInvalid();
        PropertySense.RequireSense(property);
        var (runs, notCounted) = LoggedTraces.Of(
            exchanges,
            options.SequencesPerTrace ?? 1,
            run => cases.FirstOrDefault(one => one.Run == run)?.Population
        );
        if (runs.Count == 0)
            throw new InputException(
                "log: no finished counted sequence; allowed: the log of a "
                    + "verification, or of another run with counted sequences."
            );
        var sample = TraceSample.Of(runs, property);
        var answer =
            sample.Units.Count == 0
                ? sample.Nothing("runs")
                : property.Kind switch
                {
                    PropertyKind.Probability or PropertyKind.AtLeast or PropertyKind.AtMost => ProbabilityOfRuns(
                        sample,
                        options
                    ),
                    PropertyKind.Expectation => Expectation(sample, options, "runs"),
                    PropertyKind.Quantile => QuantilesOfRuns(sample, [property.Level], options) is var one
                        ? one with
                        {
                            Estimate = one.Quantiles[0].Value,
                            Interval = one.Quantiles[0].Interval,
                            Quantiles = [],
                        }
                        : null!,
                    PropertyKind.Distribution => QuantilesOfRuns(sample, s_shares, options),
                    _ => throw new UnreachableException(),
                };
        return Compared(answer) with { NotCounted = notCounted, Notes = PropertySense.Notes(property) };
    }

    // A bound is kept if the whole interval keeps it.
    private static PropertyAnswer Compared(PropertyAnswer answer)
    {
        if (answer.Property.Bound is not { } bound || answer.Interval is not { } interval)
            return answer;
        bool lower = bound.Admits(interval.Lower),
            upper = bound.Admits(interval.Upper);
        return answer with { Holds = lower == upper ? lower : null };
    }

    private static PropertyAnswer Allowing(PropertyAnswer simulated, ModelAllowance allowance, PropertyOptions options)
    {
        if (ModelAllowance.IsWorstLatency(simulated.Property) && allowance.IsReplayed)
            return Compared(Widened(simulated, allowance, allowance.WorstLatencyQuantile(simulated.Property.Level)));
        if (
            simulated.Property.Formula is null
            || simulated.Estimate is not { } estimate
            || allowance.Around(estimate, Variance(simulated, options)) is not { } interval
        )
            return simulated;
        var widened = Widened(simulated, allowance, Hull(simulated.Interval, interval));
        var holds = Holds(simulated.Property, widened.Interval!);
        return !simulated.Property.IsRequirement || simulated.Holds is null || simulated.Holds == holds
            ? widened
            : widened with
            {
                Holds = null,
                Notes =
                [
                    .. widened.Notes,
                    $"In the simulation it {(simulated.Holds == true ? "holds" : "does not hold")}; the model's own "
                        + "error leaves open whether it does on the broker.",
                ],
            };
    }

    // Whether a probability in the interval is what is required; null where it may be or not.
    private static bool? Holds(TraceProperty property, Interval interval) =>
        property.Kind switch
        {
            PropertyKind.AtLeast when interval.Lower >= property.Level => true,
            PropertyKind.AtLeast when interval.Upper < property.Level => false,
            PropertyKind.AtMost when interval.Upper <= property.Level => true,
            PropertyKind.AtMost when interval.Lower > property.Level => false,
            PropertyKind.Probability
            or PropertyKind.AtLeast
            or PropertyKind.AtMost
            or PropertyKind.Expectation
            or PropertyKind.Quantile
            or PropertyKind.Distribution => null,
            _ => throw new UnreachableException(),
        };

    // Near 0 and 1 the simulation's own interval of a probability reaches further: it is exact, and the other one is
    // symmetric and at a lower level.
    private static Interval Hull(Interval? simulated, Interval interval) =>
        simulated is { } own ? new(Math.Min(own.Lower, interval.Lower), Math.Max(own.Upper, interval.Upper)) : interval;

    private static PropertyAnswer Widened(PropertyAnswer simulated, ModelAllowance allowance, Interval interval) =>
        simulated with
        {
            Interval = interval,
            OfSimulation = simulated.Interval,
            Method =
                Invariant($"{allowance.Level:P0} interval of what one long measurement on the broker shows, if errors ")
                + "are like those of the replayed training cases. The simulation: "
                + simulated.Method,
        };

    // An interval of the simulation gives the variance of the normal error with the same width. Without an interval,
    // the variance is bounded by that of independent replications.
    private static double Variance(PropertyAnswer simulated, PropertyOptions options)
    {
        if (simulated.Interval is { } interval)
            return Math.Pow((interval.Upper - interval.Lower) / 2 / Normal.InvCDF(0, 1, 1 - options.Error / 2), 2);
        var share = simulated.Estimate!.Value;
        return Math.Max(share * (1 - share), 1.0 / simulated.Units) / simulated.Units;
    }

    private static PropertyAnswer ProbabilityOfRuns(TraceSample sample, PropertyOptions options)
    {
        RunCount[] counts =
        [
            .. sample.Units.Select(values => new RunCount(values.Count(value => value == 1), values.Length)),
        ];
        var interval = OfRuns(counts, options.Error);
        return sample.Answer(
            "runs",
            counts.Length < 2
                ? "One run gives no interval: its traces share the state of the broker."
                : Invariant($"Interval at {1 - options.Error:P1} from {counts.Length} ")
                    + "runs, whose probabilities are taken to vary like a beta law."
        ) with
        {
            Estimate = (double)counts.Sum(count => (long)count.Successes) / counts.Sum(count => (long)count.Samples),
            Interval = interval,
            Holds = Holds(sample.Property, interval),
        };
    }

    private static Interval OfRuns(RunCount[] counts, double error) =>
        counts.Length < 2 ? new(0, 1) : RunLikelihood.Interval(counts, error / 2);

    // The interval of a quantile are the values x at which the share of runs up to x may be the share asked for; it
    // shrinks and grows with x.
    private static PropertyAnswer QuantilesOfRuns(
        TraceSample sample,
        IReadOnlyList<double> shares,
        PropertyOptions options
    )
    {
        double[] sorted = [.. sample.Units.SelectMany(values => values).Order()];
        double[][] runs = [.. sample.Units.Select(values => values.Order().ToArray())];
        return sample.Answer(
            "runs",
            Invariant($"Each interval at {1 - options.Error:P1} by itself, from {runs.Length} ")
                + "runs, whose probabilities are taken to vary like a beta law."
        ) with
        {
            Quantiles = [.. shares.Select(Row)],
        };

        QuantileRow Row(double share)
        {
            Interval At(double value, bool inclusive) =>
                OfRuns(
                    [
                        .. runs.Select(run => new RunCount(
                            (int)
                                Math.Round(
                                    run.Length
                                        * PredictionQuantiles.ShareBelow(
                                            run,
                                            inclusive ? Math.BitIncrement(value) : value
                                        )
                                ),
                            run.Length
                        )),
                    ],
                    options.Error
                );
            var low = IntegerSearch.FirstIndex(sorted.Length, i => At(sorted[i], true).Upper >= share);
            var high = IntegerSearch.FirstIndex(sorted.Length, i => At(sorted[i], true).Lower > share);
            var lower = low == 0 && At(sorted[0], false).Upper >= share ? 0 : sorted[Math.Min(low, sorted.Length - 1)];
            return new(
                share,
                PredictionQuantiles.Quantile(sorted, share),
                new(lower, high == sorted.Length ? double.PositiveInfinity : sorted[high])
            );
        }
    }

    internal static PropertyAnswer Expectation(
        TraceSample sample,
        PropertyOptions options,
        string unitName = "replications"
    )
    {
        double[] means = [.. sample.Units.Select(values => values.Average())];
        if (means.Length == 0)
            return sample.Nothing(unitName);
        var (mean, variance) = SampleMoments.Of(means);
        if (double.IsInfinity(mean))
            return sample.Answer(unitName, "Infinite: some traces have failed messages.") with { Estimate = mean };
        if (means.Length < 2)
            return sample.Answer(unitName, Invariant($"One of the {unitName} gives no interval.")) with
            {
                Estimate = mean,
            };
        return sample.Answer(
            unitName,
            Invariant($"Approximate interval at {1 - options.Error:P1} (Student's t of the ")
                + Invariant($"{unitName}' means); no bound holds for every law of an unbounded value.")
        ) with
        {
            Estimate = mean,
            Interval = StudentInterval.Around(mean, variance, means.Length, options.Error),
        };
    }
}
