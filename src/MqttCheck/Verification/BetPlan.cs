using MathNet.Numerics;
using MqttCheck.Sequential;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;

namespace MqttCheck.Verification;

/// <summary>
/// How many runs bets on run means take, by simulation: what bets win depends on the whole law of the runs, and on the
/// best moment so far. The seed is fixed, so the same question has the same answer.
/// </summary>
internal static class BetPlan
{
    // The standard error of the share that is confirmed is .007.
    private const int Simulations = 1000,
        LargestTable = 2000;

    private const double Confirmed = .95,
        LargestCorrelation = .99;

    private const ulong Seed = 41;

    /// <summary>After how many runs .95 of all right predictions are confirmed, where runs are beta-binomial.</summary>
    /// <param name="plan">The prediction, which is right, and the thresholds.</param>
    /// <param name="options">The smallest number of runs, and the worst run.</param>
    /// <param name="sequences">Sequences in each run, at least 1.</param>
    /// <param name="inflation">The variance of a run's share relative to the binomial one, at least 1.</param>
    /// <param name="most">More runs than this are not tried.</param>
    /// <returns>At least the smallest number of runs; null where <paramref name="most"/> do not suffice.</returns>
    public static int? RunsNeeded(
        TwoSidedPlan plan,
        VerificationOptions options,
        int sequences,
        double inflation,
        int most
    )
    {
        var shares = Cumulative(plan.Tested, sequences, inflation);
        var runs = new int[Simulations];
        var late = 0;
        for (var i = 0; i < Simulations; i++)
        {
            var random = RandomStream.For(Seed, (ulong)i);
            runs[i] = Confirm(plan, options.WorstRun ?? 0, shares, most, ref random);
            if (runs[i] > most && ++late > (1 - Confirmed) * Simulations)
                return null;
        }
        Array.Sort(runs);
        return Math.Max(options.MinimumRuns, runs[(int)(Confirmed * Simulations) - 1]);
    }

    /// <summary>
    /// The largest number of runs, among some, that may not count while bets still reject: all others show the same
    /// share.
    /// </summary>
    /// <param name="runs">All runs that fit into the time.</param>
    /// <param name="bound">The logarithm of what must be won.</param>
    /// <param name="bets">Bets without runs so far, and the mean of the others; all of them must win.</param>
    /// <returns>Less than half of the runs, at least 0.</returns>
    public static int InvalidBorne(int runs, double bound, params (Func<RunMeanBets> Begin, double Mean)[] bets)
    {
        var invalid = 0;
        while (2 * (invalid + 1) < runs && bets.All(bet => Wins(bet.Begin(), bet.Mean, invalid + 1)))
            invalid++;
        return invalid;

        bool Wins(RunMeanBets begun, double mean, int unknown)
        {
            for (var run = 0; run < unknown; run++)
                begun.AddUnknown();
            for (var run = unknown; run < runs; run++)
                begun.Add(mean);
            return begun.LogWealth >= bound;
        }
    }

    private static int Confirm(TwoSidedPlan plan, double worst, double[] shares, int most, ref RandomStream random)
    {
        var bound = -Math.Log(plan.SideError);
        var lower = plan.Worse is { } worse ? new RunMeanBets(worse, above: true, worst) : null;
        var upper = plan.Better is { } better ? new RunMeanBets(better, above: false, worst) : null;
        for (var run = 1; run <= most; run++)
        {
            var index = Array.BinarySearch(shares, random.NextDouble());
            var mean = Math.Max(worst, (double)(index < 0 ? ~index : index) / (shares.Length - 1));
            // A side that has once won its bound stays won, because bets may stop at any time.
            if (lower?.Add(mean) >= bound)
                lower = null;
            if (upper?.Add(mean) >= bound)
                upper = null;
            if (lower is null && upper is null)
                return run;
        }
        return most + 1;
    }

    // The distribution function of the successes of a run. Longer runs than the table holds have their variance, or,
    // where they hardly differ, that of the table.
    private static double[] Cumulative(double probability, int sequences, double inflation)
    {
        var size = Math.Min(sequences, LargestTable);
        inflation = Math.Max(1, inflation * size / sequences);
        var rho = size == 1 ? 0 : Math.Min(LargestCorrelation, (inflation - 1) / (size - 1));
        var concentration = 1 / Math.Max(rho, 1e-6) - 1;
        double a = probability * concentration,
            b = (1 - probability) * concentration;
        var cumulative = new double[size + 1];
        var sum = 0.0;
        for (var successes = 0; successes <= size; successes++)
        {
            sum += Math.Exp(
                SpecialFunctions.BinomialLn(size, successes)
                    + SpecialFunctions.BetaLn(successes + a, size - successes + b)
                    - SpecialFunctions.BetaLn(a, b)
            );
            cumulative[successes] = sum;
        }
        cumulative[size] = 1;
        return cumulative;
    }
}
