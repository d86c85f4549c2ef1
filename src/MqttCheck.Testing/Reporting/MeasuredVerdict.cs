using System.Globalization;
using MqttCheck.Clients;
using MqttCheck.Properties.Live;
using MqttCheck.Sequential;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using MqttCheck.Verification;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Testing.Reporting;

/// <summary>The verdict on a requirement, in the form that messages and reports need.</summary>
internal sealed record MeasuredVerdict
{
    /// <summary>Whether the requirement is met; null without a verdict.</summary>
    public required bool? IsMet { get; init; }

    /// <summary>The property that was tested; null where samples are asked to be in time.</summary>
    public LivePropertyResult? Property { get; init; }

    /// <summary>Which latency.</summary>
    public required MeasuredLatency Latency { get; init; }

    /// <summary>Whether a sample is a message.</summary>
    public required bool PerMessage { get; init; }

    /// <summary>The name of the steps that count; null for all.</summary>
    public string? Step { get; init; }

    /// <summary>The threshold in milliseconds; infinite where no deadline is asked for.</summary>
    public required double ThresholdMilliseconds { get; init; }

    /// <summary>The verdict on a prediction; null where a requirement is tested.</summary>
    public VerdictKind? Kind { get; init; }

    /// <summary>The warnings of the prediction that is tested, such as that it lies outside of training.</summary>
    public IReadOnlyList<string> Warnings { get; init; } = [];

    /// <summary>The required or predicted probability.</summary>
    public required double Probability { get; init; }

    /// <summary>Whether the probability is a prediction; otherwise a requirement.</summary>
    public bool IsPrediction { get; init; }

    /// <summary>The probabilities between the hypotheses.</summary>
    public required Interval Indifferent { get; init; }

    /// <summary>The promise of the verdict about its error, in one sentence.</summary>
    public required string Promise { get; init; }

    /// <summary>
    /// The deviation that these runs cannot exclude, in one sentence; null without a run, or where the reason says it.
    /// </summary>
    public string? NotExcluded { get; init; }

    /// <summary>Why, in one sentence.</summary>
    public required string Reason { get; init; }

    /// <summary>The counts of the runs.</summary>
    public required IReadOnlyList<RunCount> Runs { get; init; }

    /// <summary>How much the runs differ.</summary>
    public required RunVariation Variation { get; init; }

    /// <summary>The 95 % interval of the probability.</summary>
    public required Interval Interval { get; init; }

    /// <summary>The runs themselves, and those that were not counted.</summary>
    public required RunTally<MeasuredRun> Tally { get; init; }

    /// <summary>The runs that do not count, in a sentence; null where all do.</summary>
    public string? Remark => Tally.InvalidInWords();

    /// <summary>The name of the samples, in the plural.</summary>
    public required string Samples { get; init; }

    /// <summary>How many samples are as required, in words.</summary>
    public string Seen =>
        Property?.Seen
        ?? string.Create(
            CultureInfo.InvariantCulture,
            $"{InTime} of {Count} {Samples} in time, in {Counted.Of(Runs.Count, "run")}"
        );

    /// <summary>The number of samples.</summary>
    public long Count => Runs.Sum(run => (long)run.Samples);

    /// <summary>The number of samples in time.</summary>
    public long InTime => Runs.Sum(run => (long)run.Successes);

    /// <summary>The share in time; NaN without a sample.</summary>
    public double Observed => Count == 0 ? double.NaN : (double)InTime / Count;
}
