using MqttCheck.Sequential.Runs;

namespace MqttCheck.Requirements;

/// <summary>A one-sided requirement, "in time with probability p or more", and how it is tested.</summary>
public sealed record RequirementOptions
{
    /// <summary>The required probability p, in (0, 1).</summary>
    public required double Probability { get; init; }

    /// <summary>Largest probability of each wrong verdict, in (0, .5). Default .01.</summary>
    public double Error { get; init; } = .01;

    /// <summary>
    /// d: a probability of p - d or less must be found violated. Between p - d and p either verdict may be given. In
    /// (0, p). Null, the default, is the smaller of .1 and 1 - p: at most twice the misses that the requirement allows.
    /// </summary>
    public double? Indifference { get; init; }

    /// <summary>Under which assumption the error is promised. Default: the model of beta-binomial runs.</summary>
    public Guarantee Guarantee { get; init; }

    /// <summary>
    /// With <see cref="Guarantee.Any"/>: the share below which no run of the broker lies, as the user vouches; less
    /// than p - d, see <see cref="VouchedWorst"/>. Null, the default, for none.
    /// </summary>
    public double? WorstRun { get; init; }

    /// <summary>
    /// No verdict before this many runs, at least 3. Null, the default, leaves it to <see cref="RequirementPlan"/>.
    /// </summary>
    public int? MinimumRuns { get; init; }

    /// <summary>
    /// The largest correlation of two samples of one run for which the error is promised, above 0, at most
    /// <see cref="RunLikelihood.LargestCorrelation"/>, the default. The larger it is, the more runs it takes to exclude
    /// a broker that fails rarely but then for a whole run.
    /// </summary>
    public double LargestCorrelation { get; init; } = RunLikelihood.LargestCorrelation;

    /// <summary>No verdict before this many runs, whatever the plan.</summary>
    internal int FewestRuns => MinimumRuns ?? 3;

    /// <summary>The indifference that applies.</summary>
    public double EffectiveIndifference => Indifference ?? Math.Min(.1, Math.Min(1 - Probability, Probability / 2));

    /// <summary>Every error in these options: what, the value given, the allowed range, where.</summary>
    /// <param name="where">The origin of the options.</param>
    /// <returns>One message per error; empty when all is well.</returns>
    public IReadOnlyList<string> Validate(string where) =>
        OptionChecks.Findings(
            where,
            [
                (
                    Probability is > 0 and < 1,
                    "the required probability",
                    Probability,
                    "greater than 0 and less than 1 (one late message would decide against 1)"
                ),
                (Error is > 0 and < .5, "the error", Error, "greater than 0 and less than 0.5"),
                (
                    !(Indifference is { } given) || (given > 0 && given < Probability),
                    "the indifference",
                    Indifference ?? 0,
                    "greater than 0 and less than the required probability"
                ),
                (MinimumRuns is not < 3, "the minimum number of runs", MinimumRuns ?? 0, "at least 3"),
                (Enum.IsDefined(Guarantee), "the guarantee", (double)Guarantee, "Model or Any"),
                (
                    LargestCorrelation is > 0 and <= RunLikelihood.LargestCorrelation,
                    "the largest correlation",
                    LargestCorrelation,
                    $"greater than 0 and at most {RunLikelihood.LargestCorrelation}"
                ),
                .. VouchedWorst.Checks(
                    WorstRun,
                    Guarantee,
                    Probability - EffectiveIndifference,
                    VouchedWorst.SmallestTested
                ),
            ]
        );
}
