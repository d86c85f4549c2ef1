using MqttCheck.Clients;
using MqttCheck.Statistics;

namespace MqttCheck.Sequential.Runs;

/// <summary>The evidence of runs about thresholds, under the guarantee that was chosen.</summary>
internal static class RunEvidence
{
    /// <summary>
    /// Positive where the runs lie above the threshold, negative where they lie below: as the evidence of a verdict's
    /// side.
    /// </summary>
    /// <param name="runs">At least one run.</param>
    /// <param name="threshold">In (0, 1).</param>
    /// <param name="guarantee">The guarantee.</param>
    /// <param name="worst">The least share that a run of the broker can have, for bets.</param>
    public static double Of(ReadOnlySpan<RunCount> runs, double threshold, Guarantee guarantee, double worst = 0) =>
        guarantee == Guarantee.Any ? Bets(runs, threshold, worst) : RunLikelihood.SignedDeviance(runs, threshold);

    /// <summary>The evidence from which on a threshold is rejected.</summary>
    /// <param name="runs">The number of runs, at least 2.</param>
    /// <param name="error">The error of the side, or with bets on run means of the side and all looks.</param>
    /// <param name="threshold">In (0, 1).</param>
    /// <param name="areAbove">Whether the runs lie above the threshold.</param>
    /// <param name="guarantee">The guarantee.</param>
    public static double Bound(int runs, double error, double threshold, bool areAbove, Guarantee guarantee) =>
        guarantee == Guarantee.Any ? -Math.Log(error) : RunLikelihood.DevianceBound(runs, error, threshold, areAbove);

    /// <summary>The thresholds that are not rejected.</summary>
    /// <param name="runs">At least two runs.</param>
    /// <param name="error">The error of each side, as <see cref="Bound"/> takes it.</param>
    /// <param name="guarantee">The guarantee.</param>
    /// <param name="worst">The least share that a run of the broker can have, for bets.</param>
    public static Interval Interval(ReadOnlySpan<RunCount> runs, double error, Guarantee guarantee, double worst = 0)
    {
        if (guarantee == Guarantee.Model)
            return RunLikelihood.Interval(runs, error);
        var bound = -Math.Log(error);
        var all = runs.ToArray();
        // Evidence falls as the threshold rises.
        var (low, _) = Bisection.Narrow(worst, 1, threshold => Bets(all, threshold, worst) >= bound, _ => 1e-4);
        var (high, _) = Bisection.Narrow(1, low, threshold => Bets(all, threshold, worst) <= -bound, _ => 1e-4);
        return new(low, high);
    }

    // The largest gain of the bets counts, because one may look at them at any time. A run without samples stands for a
    // run that does not count. A run below the worst one leaves no verdict, so its evidence is only shown.
    private static double Bets(ReadOnlySpan<RunCount> runs, double threshold, double worst)
    {
        RunMeanBets above = new(threshold, above: true, worst),
            below = new(threshold, above: false, worst);
        double most = 0,
            least = 0;
        foreach (var run in runs)
        {
            var mean = Math.Max(worst, run.Share);
            most = Math.Max(most, run.Samples == 0 ? above.AddUnknown() : above.Add(mean));
            least = Math.Max(least, run.Samples == 0 ? below.AddUnknown() : below.Add(mean));
        }
        return most >= least ? most : -least;
    }
}
