using MqttCheck.Sequential.Runs;

namespace MqttCheck.Comparison;

/// <summary>How two brokers are compared.</summary>
public sealed record TwoSampleOptions
{
    /// <summary>Largest probability that some verdict of the whole family is wrong, in (0, .5). Default .01.</summary>
    public double Error { get; init; } = .01;

    /// <summary>
    /// How many comparisons (points times pairs of brokers) are made together; each gets an equal part of
    /// <see cref="Error"/> (Bonferroni). At least 1, the default.
    /// </summary>
    public int Comparisons { get; init; } = 1;

    /// <summary>The smallest difference of two probabilities that matters, in (0, .5). Default .1.</summary>
    public double Indifference { get; init; } = .1;

    /// <summary>
    /// No verdict before this many runs of each broker, at least 3. Default 8: with fewer, the spread between runs is
    /// so badly known that the test asks for far more sequences.
    /// </summary>
    public int MinimumRuns { get; init; } = 8;

    /// <summary>
    /// The number of runs of each broker that the budget holds, known before the first run: the looks share the error
    /// up to there, see <see cref="RunLooks"/>. At least <see cref="MinimumRuns"/>; null, the default, where it is not
    /// known.
    /// </summary>
    public int? PlannedRuns { get; init; }

    /// <summary>Under which assumption the error is promised. Default: the model of beta-binomial runs.</summary>
    public Guarantee Guarantee { get; init; }

    /// <summary>
    /// With <see cref="Guarantee.Any"/>: the share below which no run of either lies, as the user vouches; less than 1
    /// minus the indifference, see <see cref="VouchedWorst"/>. Null, the default, for none.
    /// </summary>
    public double? WorstRun { get; init; }

    /// <summary>The names of the two in the reason of a verdict.</summary>
    public (string First, string Second) Names { get; init; } = ("the first", "the second");

    /// <summary>The error of one comparison.</summary>
    public double ComparisonError => Error / Comparisons;

    /// <summary>When one looks at the runs, and what each look may spend.</summary>
    internal RunLooks Looks => new(MinimumRuns, PlannedRuns);

    /// <summary>Every error in these options: what, the value given, the allowed range, where.</summary>
    /// <param name="where">The origin of the options, for example a command.</param>
    /// <returns>One message per error; empty when all is well.</returns>
    public IReadOnlyList<string> Validate(string where) =>
        OptionChecks.Findings(
            where,
            [
                (Error is > 0 and < .5, "the error", Error, "greater than 0 and less than 0.5"),
                (Comparisons >= 1, "the number of comparisons", Comparisons, "at least 1"),
                (Indifference is > 0 and < .5, "the indifference", Indifference, "greater than 0 and less than 0.5"),
                (Enum.IsDefined(Guarantee), "the guarantee", (double)Guarantee, "Model or Any"),
                (MinimumRuns >= 3, "the minimum number of runs", MinimumRuns, "at least 3"),
                (
                    !(PlannedRuns < MinimumRuns),
                    "the planned number of runs",
                    PlannedRuns ?? 0,
                    FormattableString.Invariant($"at least {MinimumRuns}, the minimum")
                ),
                .. VouchedWorst.Checks(WorstRun, Guarantee, 1 - Indifference, "1 minus the indifference"),
            ]
        );
}
