using MathNet.Numerics.Distributions;

namespace MqttCheck.Checking;

/// <summary>How much a comparison of two brokers takes.</summary>
public static class TwoSamplePlan
{
    private const int LargestRun = 1 << 20;

    // One run in ten spreads more than this; one mean in forty lies farther off.
    private const double SpreadConfidence = .9, MeanDeviation = 1.96;

    /// <summary>
    /// The number of sequences in each run of each broker after which two equal, quiet brokers (variance 1.2 times binomial) are found equal with probability of about .9 at the first look.
    /// </summary>
    /// <param name="probability">The probability of a sequence to be in time, 0 .. 1; .5 takes most.</param>
    /// <param name="options">The error, the indifference and the number of runs of the first look.</param>
    /// <returns>Sequences per run, over all clients; 1 .. 1 048 576.</returns>
    public static int SequencesNeeded(double probability, TwoSampleOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        // Nearer to 0 or 1 a few correlated runs say less than their variance does.
        var p = Math.Clamp(probability, .1, .9);
        int runs = options.MinimumRuns;
        var spread = Math.Sqrt(ChiSquared.InvCDF(runs - 1, SpreadConfidence) / (runs - 1));
        var reach = Quantile(runs, 1, options.ComparisonError) * spread + MeanDeviation;
        var sequences = 2 * VerificationPlan.QuietInflation * p * (1 - p) / runs * Math.Pow(reach / options.Indifference, 2);
        return (int)Math.Clamp(Math.Ceiling(sequences), 1, LargestRun);
    }

    /// <summary>The number of standard errors that reject a difference at a look.</summary>
    /// <param name="runs">Runs of the smaller sample, at least 2.</param>
    /// <param name="look">The number of the look, from 1.</param>
    /// <param name="error">The error of the comparison; each side has half of it.</param>
    internal static double Quantile(int runs, int look, double error) => StudentT.InvCDF(0, 1, runs - 1, 1 - error / 2 * PredictionTest.ErrorShare(look));
}
