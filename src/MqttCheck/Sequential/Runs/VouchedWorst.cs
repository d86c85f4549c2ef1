using static System.FormattableString;

namespace MqttCheck.Sequential.Runs;

/// <summary>
/// The share that no run of a broker falls below, as the user vouches. It makes larger bets safe, so a verdict without
/// an assumption on the law takes fewer runs; one run below it refutes the statement.
/// </summary>
internal static class VouchedWorst
{
    /// <summary>The condition that the user vouches for, in one sentence.</summary>
    /// <param name="worst">The share, in (0, 1).</param>
    public static string Vouched(double worst) =>
        Invariant($"It holds if no run of this broker has a share below {worst:0.####}, which you vouch for.");

    /// <summary>The same, with a space before it, for texts that go on; empty where nobody vouches.</summary>
    /// <param name="worst">The share; null for none.</param>
    public static string AfterSpace(double? worst) => worst is { } given ? " " + Vouched(given) : "";

    /// <summary>Why there is no verdict after a run below it, in one sentence.</summary>
    /// <param name="worst">The share, in (0, 1).</param>
    /// <param name="below">The run.</param>
    public static string Refuted(double worst, RunBelowWorst below) =>
        Invariant($"{(below.Of is { } whose ? $"Of {whose}, run" : "Run")} {below.Run} had a share of ")
        + Invariant($"{below.Share:0.000}, below the {worst:0.####} that you vouched for: ")
        + "the error of a verdict rests on that, so there is none.";

    /// <summary>The upper limit of a value, in words: the smallest threshold that is tested.</summary>
    internal const string SmallestTested = "the smallest share that is tested";

    /// <summary>Whether a value can be used, and with which guarantee, for the options of tests.</summary>
    /// <param name="worst">The value; null for none.</param>
    /// <param name="guarantee">The guarantee.</param>
    /// <param name="below">The upper limit of the value, in (0, 1].</param>
    /// <param name="what">The upper limit in words.</param>
    internal static (bool Holds, string What, double Value, string Allowed)[] Checks(
        double? worst,
        Guarantee guarantee,
        double below = 1,
        string? what = null
    ) =>
        [
            (
                worst is not { } given || (given > 0 && given < below),
                "the worst run",
                worst ?? 0,
                Invariant($"greater than 0 and less than {below:0.####}{(what is null ? "" : ", ")}{what}")
            ),
            (
                worst is null || guarantee == Guarantee.Any,
                "the worst run with the guarantee of a model",
                worst ?? 0,
                "left out, or given with the guarantee Any: the model does not use it"
            ),
        ];
}
