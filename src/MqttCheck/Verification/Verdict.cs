using MqttCheck.Clients;
using MqttCheck.Predictions;
using MqttCheck.Sequential;
using MqttCheck.Sequential.Characteristics;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;

namespace MqttCheck.Verification;

/// <summary>The result of a verification for one predicted point after some runs, with its reason.</summary>
public sealed record Verdict
{
    /// <summary>The verdict. <see cref="VerdictKind.Withheld"/> also while more runs are needed.</summary>
    public required VerdictKind Kind { get; init; }

    /// <summary>The prediction.</summary>
    public required PredictedPoint Point { get; init; }

    /// <summary>The hypotheses and the error of this point.</summary>
    public required TwoSidedPlan Plan { get; init; }

    /// <summary>By which test it was found.</summary>
    public VerdictTest Test { get; init; }

    /// <summary>Under which assumption its error holds.</summary>
    public Guarantee Guarantee { get; init; }

    /// <summary>The share below which the user vouches that no run lies; null where nobody does.</summary>
    public double? WorstRun { get; init; }

    /// <summary>The runs that do not count, in a sentence; null where all do, or nobody judged them.</summary>
    public string? InvalidRuns { get; init; }

    /// <summary>The run that refutes the worst run, after which there is no verdict; null while none does.</summary>
    public RunBelowWorst? BelowWorst { get; init; }

    /// <summary>
    /// The verdict of the runs that count and that of all runs, if they differ and so neither is given; otherwise null.
    /// </summary>
    public TwoAnswers<VerdictKind>? Differing { get; init; }

    /// <summary>
    /// The verdicts of single clients, by the one-sided test of the method's original paper; null where the
    /// indifference leaves no worse hypothesis.
    /// </summary>
    public ClientVerdicts? Clients { get; init; }

    /// <summary>
    /// Whether the prediction's own interval is so wide that it cannot be confirmed, only refuted: see
    /// <see cref="PredictedPoint.LargestReach"/>.
    /// </summary>
    public bool IsVague { get; init; }

    /// <summary>Sequences counted, over all runs.</summary>
    public required long Samples { get; init; }

    /// <summary>Sequences in time among them.</summary>
    public required long Successes { get; init; }

    /// <summary>Sequences among them in which an exchange failed or timed out; they are misses.</summary>
    public required long Failed { get; init; }

    /// <summary>
    /// Sequences not counted: the first unfinished one of each run and all that were issued after it. The fast ones
    /// among those finish first, so counting the finished ones would favour them.
    /// </summary>
    public required long NotCounted { get; init; }

    /// <summary>The runs with at least one counted sequence.</summary>
    public required IReadOnlyList<RunCount> Runs { get; init; }

    /// <summary>After how many runs the verdict was given; null without one.</summary>
    public int? DecidedAfterRuns { get; init; }

    /// <summary>
    /// Sequences counted until the verdict was given; null without one. Later runs, made for other points of the setup,
    /// are counted in <see cref="Samples"/> only.
    /// </summary>
    public long? DecidedAfterSamples =>
        DecidedAfterRuns is { } runs ? Runs.Take(runs).Sum(run => (long)run.Samples) : null;

    /// <summary>Whether the runs were steady: the first halves against the second ones.</summary>
    public RunHalves Halves { get; init; }

    /// <summary>Whether the runs drifted: the later ones against the earlier ones.</summary>
    public RunDrift Drift { get; init; }

    /// <summary>How much the runs differ.</summary>
    public required RunVariation Variation { get; init; }

    /// <summary>Observed share of sequences in time; null without a counted sequence.</summary>
    public double? Observed => Samples == 0 ? null : (double)Successes / Samples;

    /// <summary>
    /// The 95 % interval of the probability over these runs, the run being the sampling unit; [0, 1] before the second
    /// run.
    /// </summary>
    public required Interval Interval { get; init; }

    /// <summary>
    /// The interval on which the verdict rests: at all looks together it covers the probability with confidence 1 -
    /// <see cref="TwoSidedPlan.Error"/>; [0, 1] before the smallest number of runs.
    /// </summary>
    public required Interval VerdictInterval { get; init; }

    /// <summary>
    /// Whether the broker is worse than predicted; null when the prediction is so low that there is no such side.
    /// </summary>
    public VerdictSide? Lower { get; init; }

    /// <summary>
    /// Whether the broker is better than predicted; null when the prediction is so high that there is no such side.
    /// </summary>
    public VerdictSide? Upper { get; init; }

    /// <summary>Why there is this verdict, or none: one or two sentences for the user.</summary>
    public required string Reason { get; init; }

    /// <summary>
    /// Under which assumption the verdict keeps its error, and what the runs cannot exclude, in words; null where
    /// nothing was decided.
    /// </summary>
    public string? Promise => VerdictPromise.Of(this);

    /// <summary>
    /// The way to the verdict in issue order, at most 2000 points. While the test goes on, ends of runs only.
    /// </summary>
    public required IReadOnlyList<VerdictPathPoint> Path { get; init; }

    /// <summary>
    /// The expected number of samples of the sequential test of independent outcomes with the same hypotheses and
    /// error, if the prediction is right: what a verdict would take if sequences were not correlated. Computed exactly,
    /// which takes some milliseconds. The sequences of one client where clients decide for themselves. NaN where the
    /// prediction is so vague that no side of it can be tested.
    /// </summary>
    public double ExpectedSamples =>
        Plan is { Lower: null, Upper: null } ? double.NaN : SprtAudit.Compute(Plan, Plan.Tested).ExpectedSamples;

    /// <summary>
    /// The number of runs of this length that would confirm a right prediction, if runs differ as much as these. It is
    /// given with a verdict that is withheld at the end of its budget. It is null if unknown, or if no number is
    /// enough.
    /// </summary>
    public int? RunsNeeded { get; init; }

    /// <summary>
    /// The largest share of runs in a state of the broker that these runs may not have shown at all, with more than the
    /// error of a side: see <see cref="UnseenShare"/>. Null without a run.
    /// </summary>
    public double? Unseen => Runs.Count == 0 ? null : UnseenShare.After(DecidedAfterRuns ?? Runs.Count, Plan.SideError);

    /// <summary>Whether no run can change anything: the prediction is vague, or the worst run is refuted.</summary>
    public bool IsHopeless => IsVague || BelowWorst is not null;

    /// <summary>Whether the prediction is confirmed or refuted.</summary>
    public bool IsDecided => Kind.IsDecided();
}
