using System.Globalization;
using MqttCheck.Latency;
using MqttCheck.Predictions;
using MqttCheck.Testing.Reporting;
using MqttCheck.Verification;
using MqttCheck.Verification.Deciding;
using MqttCheck.Verification.Planning;

namespace MqttCheck.Testing.Requirements;

/// <summary>
/// The requirement that the broker behaves as a prediction says: two-sided, so a broker that is better violates it too,
/// because the prediction is then too low.
/// </summary>
public sealed class PredictionRequirement : MeasuringRequirement
{
    private readonly Prediction _prediction;
    private VerificationOptions _options;
    private double? _thresholdMilliseconds;

    internal PredictionRequirement(Prediction prediction)
    {
        ArgumentNullException.ThrowIfNull(prediction);
        (_prediction, _options) = (
            prediction,
            new() { Indifference = prediction.Indifference, IntervalLevel = prediction.Level }
        );
    }

    /// <inheritdoc/>
    public override string Description =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"every message of a sequence is answered in "
                + $"{(_thresholdMilliseconds is { } given ? $"less than {given:0.###} ms" : "time")} with the "
                + $"probability that {_prediction.Model.Broker} was predicted to have"
        );

    /// <summary>
    /// The threshold, one of the prediction's; by default the most informative one of the measured setup.
    /// </summary>
    /// <param name="threshold">The threshold.</param>
    public PredictionRequirement Below(TimeSpan threshold)
    {
        _thresholdMilliseconds = threshold.TotalMilliseconds;
        return this;
    }

    /// <summary>The largest probability of a wrong verdict, in (0, .5). Default .01.</summary>
    /// <param name="probability">The probability.</param>
    public PredictionRequirement WithError(double probability) => Change(_options with { Error = probability });

    /// <summary>
    /// How far from the predicted probability the truth may lie and still count as predicted, in (0, .5). Default: that
    /// of the prediction.
    /// </summary>
    /// <param name="distance">The distance.</param>
    public PredictionRequirement WithIndifference(double distance) => Change(_options with { Indifference = distance });

    /// <summary>The smallest number of runs, at least 3. Default 8.</summary>
    /// <param name="runs">The number.</param>
    public PredictionRequirement WithRuns(int runs) => Change(_options with { MinimumRuns = runs });

    /// <summary>How long the runs may take. Default 60 s.</summary>
    /// <param name="budget">The time.</param>
    public PredictionRequirement Within(TimeSpan budget)
    {
        Budget = budget;
        return this;
    }

    internal override MeasuredVerdict Judge(Measurement measurement, TimeProvider time)
    {
        foreach (var warning in _prediction.Warnings)
            measurement.Host.WriteProgress($"MqttCheck: {warning}");
        if (measurement.Logged is { } measured)
            foreach (var finding in TrainedBroker.Unlike(_prediction.Model.LearnedFrom, measured))
                measurement.Host.WriteProgress($"MqttCheck: {finding.Sentence}");
        var point = PointOf(measurement);
        var budget = Budget ?? DefaultBudget;
        var wanted = SequencesWanted(point, measurement);
        if (Budget is { } given)
            Require(new(given), wanted, measurement);
        var sequences = SequencesOf(wanted, measurement, budget);
        var held = (int)(budget / measurement.RunTimeOf(sequences));
        var series = new PredictionSeries<MeasuredRun>(
            [point],
            _options with
            {
                PlannedRuns = Math.Max(_options.MinimumRuns, held),
            },
            turn => measurement.Run(turn.Index, sequences)
        );
        var tally = MakeRuns(measurement, series, budget, time);
        var verdict = series.Conclude(tally, interrupted: false, budget)[0];
        return new()
        {
            IsMet = verdict.IsDecided ? verdict.Kind.IsPassed() : null,
            Latency = MeasuredLatency.Any,
            PerMessage = false,
            Samples = "sequences",
            ThresholdMilliseconds = point.ThresholdMilliseconds,
            Probability = point.Probability,
            IsPrediction = true,
            Warnings = _prediction.Warnings,
            Indifferent = new(
                verdict.Plan.Tested - verdict.Plan.LowerIndifference,
                verdict.Plan.Tested + verdict.Plan.UpperIndifference
            ),
            Promise = string.Create(
                CultureInfo.InvariantCulture,
                $"a verdict is wrong with a probability of at most {_options.Error:0.####}"
            ),
            Reason = verdict.Reason,
            Kind = verdict.Kind,
            Runs = verdict.Runs,
            Variation = verdict.Variation,
            Interval = verdict.Interval,
            Tally = tally,
        };
    }

    // The number is the one that the verdict needs, or that fits into the budget with the smallest number of runs.
    private int SequencesOf(int wanted, Measurement measurement, TimeSpan budget) =>
        (int)Math.Min(wanted, Math.Max(1, budget / _options.MinimumRuns / measurement.SequenceTime - 1));

    private int SequencesWanted(PredictedPoint point, Measurement measurement)
    {
        var needed = VerificationPlan.SequencesNeeded(
            point,
            _options with
            {
                PlannedRuns = _options.MinimumRuns,
            },
            _options.MinimumRuns
        );
        return Math.Max(1, (int)Math.Ceiling((double)needed / measurement.Clients));
    }

    // Less time than the smallest number of shortest runs takes gives no verdict.
    private void Require(TimeBudget budget, int wanted, Measurement measurement)
    {
        var missing = Math.Max(0, _options.MinimumRuns - measurement.Runs.Count);
        var planned = _options.MinimumRuns * measurement.RunTimeOf(wanted);
        budget.Require(
            BudgetName,
            missing * measurement.RunTimeOf(measurement.SequencesPerClient ?? 1),
            planned,
            string.Create(
                CultureInfo.InvariantCulture,
                $"a verdict takes {_options.MinimumRuns} runs at least, about {planned.TotalSeconds:0} s as planned"
            ),
            "or fewer WithRuns(...)"
        );
    }

    private PredictedPoint PointOf(Measurement measurement)
    {
        var setups = _thresholdMilliseconds is { } wanted
            ? _prediction.Points.Where(point => point.ThresholdMilliseconds == wanted)
            : _prediction.MostInformativePoints;
        return setups.FirstOrDefault(point =>
                point.Profile == measurement.Profile && point.Clients == measurement.Clients
            )
            ?? throw new InputException(
                $"prediction: there is no point for {measurement}{Below(_thresholdMilliseconds)}; allowed: "
                    + string.Join(
                        ", ",
                        _prediction.Points.Select(point =>
                            FormattableString.Invariant($"{point.Profile} with {point.Clients} clients")
                            + Below(point.ThresholdMilliseconds)
                        )
                    )
            );
    }

    private static string Below(double? milliseconds) =>
        milliseconds is { } given ? FormattableString.Invariant($" below {given:0.###} ms") : "";

    private PredictionRequirement Change(VerificationOptions options)
    {
        InputException.ThrowIfAny(options.Validate("prediction"));
        _options = options;
        return this;
    }
}
