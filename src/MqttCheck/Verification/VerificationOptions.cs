using System.Globalization;
using MqttCheck.Sequential.Runs;

namespace MqttCheck.Verification;

/// <summary>How predictions are verified.</summary>
public sealed record VerificationOptions
{
    /// <summary>Largest probability that some verdict of the whole family is wrong, in (0, .5). Default .01.</summary>
    public double Error { get; init; } = .01;

    /// <summary>
    /// How many points are verified together; each gets an equal part of <see cref="Error"/> (Bonferroni). At least 1,
    /// the default.
    /// </summary>
    public int Points { get; init; } = 1;

    /// <summary>
    /// How far from the predicted probability a truth may lie and still count as predicted, in (0, .5). Default .1.
    /// </summary>
    public double Indifference { get; init; } = .1;

    /// <summary>
    /// No verdict before this many runs, at least 3. Default 8: so many independent runs show a state that half of the
    /// runs are in, but for a probability of .5^8 = .004, which is less than the default error of a side.
    /// </summary>
    public int MinimumRuns { get; init; } = 8;

    /// <summary>
    /// The number of runs that the budget holds, known before the first run: the looks share the error up to there, see
    /// <see cref="RunLooks"/>. At least <see cref="MinimumRuns"/>; null, the default, where it is not known.
    /// </summary>
    public int? PlannedRuns { get; init; }

    /// <summary>
    /// Under which assumption the error is promised. Default: runs are independent and vary like a beta law.
    /// </summary>
    public Guarantee Guarantee { get; init; }

    /// <summary>
    /// With <see cref="Guarantee.Any"/>: the share below which no run of the broker lies, as the user vouches; below
    /// every tested threshold, see <see cref="VouchedWorst"/>. Null, the default, for none.
    /// </summary>
    public double? WorstRun { get; init; }

    /// <summary>By which test. Default: two-sided, with the run as the sampling unit.</summary>
    public VerdictTest Test { get; init; }

    /// <summary>
    /// The share of clients that must accept a prediction to confirm it, in (0, 1]. Default 1, all of them. Only
    /// <see cref="VerdictTest.Clients"/> uses it.
    /// </summary>
    public double AcceptingShare { get; init; } = 1;

    /// <summary>
    /// The share of the points' own intervals that hold what they are of, for the reasons of verdicts; null where it is
    /// not known.
    /// </summary>
    public double? IntervalLevel { get; init; }

    /// <summary>The error of one point's verdict.</summary>
    public double PointError => Error / Points;

    /// <summary>The error of one side of a point's verdict.</summary>
    internal double SideError => Test == VerdictTest.TwoSided ? PointError / 2 : PointError;

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
                (Points >= 1, "the number of points", Points, "at least 1"),
                (Indifference is > 0 and < .5, "the indifference", Indifference, "greater than 0 and less than 0.5"),
                (MinimumRuns >= 3, "the minimum number of runs", MinimumRuns, "at least 3"),
                (
                    !(PlannedRuns < MinimumRuns),
                    "the planned number of runs",
                    PlannedRuns ?? 0,
                    FormattableString.Invariant($"at least {MinimumRuns}, the minimum")
                ),
                (Enum.IsDefined(Guarantee), "the guarantee", (double)Guarantee, "Model or Any"),
                (
                    Guarantee == Guarantee.Model || Test != VerdictTest.Clients,
                    "the guarantee of a test of each client",
                    (double)Guarantee,
                    "Model: clients are not runs"
                ),
                (
                    AcceptingShare is > 0 and <= 1,
                    "the share of clients that must accept",
                    AcceptingShare,
                    "greater than 0 and at most 1"
                ),
                .. VouchedWorst.Checks(WorstRun, Guarantee),
            ]
        );
}
