using static System.FormattableString;

namespace MqttCheck.Sequential.Runs;

/// <summary>The assumption of <see cref="Guarantee.Model"/>, in the words of every verdict and page.</summary>
internal static class ModelAssumption
{
    /// <summary>The assumption as a condition, without a full stop.</summary>
    public static string Text { get; } = UpTo(RunLikelihood.LargestCorrelation);

    /// <summary>The same where a correlation is given.</summary>
    /// <param name="correlation">The largest correlation of two samples of one run, in (0, 1).</param>
    public static string UpTo(double correlation) =>
        "if runs are independent of each other and vary around one level like a beta law, "
        + Invariant($"with a correlation of at most {correlation:#.###} inside a run");
}
