using MqttCheck.Clients;
using MqttCheck.Predictions;
using MqttCheck.Sequential;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using MqttCheck.Verification;

namespace MqttCheck.Reports.Input;

/// <summary>The verdict of the live broker on one prediction.</summary>
public sealed record VerdictReport
{
    /// <summary>The prediction that was verified.</summary>
    public required PredictedPoint Point { get; init; }

    /// <summary>The confidence of the prediction's interval.</summary>
    public double PredictedConfidence { get; init; } = 0.95;

    /// <summary>The verdict.</summary>
    public required VerdictKind Kind { get; init; }

    /// <summary>The test that gave the verdict.</summary>
    public VerdictTest Test { get; init; }

    /// <summary>Why, in one sentence.</summary>
    public required string Reason { get; init; }

    /// <summary>
    /// The probability of a wrong verdict that the test promises not to exceed; NaN when it promises none.
    /// </summary>
    public double ErrorProbability { get; init; } = double.NaN;

    /// <summary>Under which assumption that holds.</summary>
    public Guarantee Guarantee { get; init; }

    /// <summary>The assumption, and what the runs cannot exclude, in words; null where nothing was decided.</summary>
    public string? Promise { get; init; }

    /// <summary>The runs that do not count, in a sentence; null where all do.</summary>
    public string? InvalidRuns { get; init; }

    /// <summary>
    /// The probabilities that count as predicted: those between the hypotheses "worse" and "better". Null when the test
    /// has no such range.
    /// </summary>
    public Interval? CountsAsPredicted { get; init; }

    /// <summary>Number of sequences that counted.</summary>
    public int Samples { get; init; }

    /// <summary>Number of sequences that had counted when the verdict was given; null without a verdict.</summary>
    public long? DecidedAfterSamples { get; init; }

    /// <summary>
    /// The number of sequences that a sequential test of independent ones with the same hypotheses and error takes on
    /// average when the prediction is right; NaN when not computed.
    /// </summary>
    public double ExpectedSamples { get; init; } = double.NaN;

    /// <summary>Number of runs that they were spread over.</summary>
    public int Runs { get; init; }

    /// <summary>The counts of each run, in the order of the runs; empty if they are not known.</summary>
    public IReadOnlyList<RunCount> RunCounts { get; init; } = [];

    /// <summary>The share of sequences in time; NaN when none was measured.</summary>
    public double MeasuredProbability { get; init; } = double.NaN;

    /// <summary>Its interval; null when none was measured.</summary>
    public Interval? MeasuredInterval { get; init; }

    /// <summary>The confidence of the measured interval.</summary>
    public double MeasuredConfidence { get; init; } = 0.95;

    /// <summary>
    /// Variance between runs over the binomial variance of a run: 1 when sequences are independent; NaN when not
    /// estimated.
    /// </summary>
    public double Inflation { get; init; } = double.NaN;

    /// <summary>
    /// The decision of a one-sided test on the same runs: H1, the prediction, against H0, worse. Null when there is no
    /// such test.
    /// </summary>
    public SprtDecision? OneSided { get; init; }

    /// <summary>
    /// The decisions of the single clients in the one-sided test of the method's original paper; null when they were
    /// not asked.
    /// </summary>
    public ClientVerdicts? Clients { get; init; }

    /// <summary>
    /// A Monte Carlo estimate of the same probability, made after the verdict; null when none was made.
    /// </summary>
    public MonteCarloReport? MonteCarlo { get; init; }

    /// <summary>How long the verification took, in seconds.</summary>
    public double ElapsedSeconds { get; init; } = double.NaN;

    /// <summary>How the evidence grew, one path for each test; a two-sided test has two.</summary>
    public IReadOnlyList<EvidencePath> Paths { get; init; } = [];
}
