using MathNet.Numerics.Distributions;
using MqttCheck.Clients;
using MqttCheck.Sequential.Runs;
using MqttCheck.Verification;

namespace MqttCheck.Requirements;

/// <summary>
/// How a requirement is measured: how long the runs are, and after how many of them there may be a verdict. At its
/// first look a broker that is always in time is found to meet the requirement, and at another one, that is never in
/// time to violate it; at the planned number of runs, one whose probability is just the required one, or less by just
/// the indifference. Later looks come each time after half as many more runs. With <see cref="Guarantee.Any"/> every
/// run is followed by a look, and the numbers say how many runs such brokers take.
/// </summary>
/// <param name="FirstViolatedLook">Runs before the first look that may find a violation, at least 3.</param>
/// <param name="FirstMetLook">Runs before the first look that may find the requirement met, at least 3.</param>
/// <param name="Runs">The planned number of runs, at least as many as before the first looks.</param>
/// <param name="Rounds">How long each run is, in rounds: one sequence of every client; at least 1.</param>
public sealed record RequirementPlan(int FirstViolatedLook, int FirstMetLook, int Runs, int Rounds)
{
    private const int LargestRuns = 2000,
        LargestRounds = 100_000;

    // Two looks before the later ones, each of which gets a part of the rest.
    private const double FirstShare = .5,
        SecondShare = .375;

    // Quantiles of the variance between runs, with how far the mean is off in standard deviations: points of the curve
    // beyond which lie 5 % of all cases.
    private static readonly (double SpreadQuantile, double MeanDeviation)[] s_scenarios = [(.99, 0), (.93, 1), (.6, 2)];

    /// <summary>
    /// The plan that takes the least time, half of the weight on a broker that is always in time and half on one whose
    /// probability is just the required one.
    /// </summary>
    /// <param name="options">The requirement and the error, valid.</param>
    /// <param name="samplesPerRound">Samples in one round, above 0.</param>
    /// <param name="overheadRounds">
    /// How long the part of a run takes that yields no samples, relative to a round; at least 0.
    /// </param>
    /// <param name="rounds">How long each run is where that is given; null to choose it.</param>
    public static RequirementPlan For(
        RequirementOptions options,
        double samplesPerRound,
        double overheadRounds,
        int? rounds = null
    )
    {
        if (rounds is { } given)
            return WithRounds(options, samplesPerRound, given);
        RequirementPlan? best = null;
        // Bets on the means of very long runs still take their number.
        var fewest =
            2
            * (
                options.Guarantee == Guarantee.Any
                    ? IntegerSearch.Smallest(
                        options.FewestRuns,
                        LargestRuns,
                        runs => Decides(options, runs, new(1, 1), RequirementVerdict.Met)
                    )
                    : 3
            );
        var leastTime = double.PositiveInfinity;
        for (var length = 1; length <= LargestRounds; length = Math.Max(length + 1, length * 5 / 4))
        {
            // So many runs at least, however long they are, take longer than the best plan.
            if (fewest * (length + overheadRounds) >= leastTime)
                break;
            var plan = WithRounds(options, samplesPerRound, length);
            var time = (plan.FirstMetLook + plan.Runs) * (length + overheadRounds);
            if (time >= leastTime)
                continue;
            (best, leastTime) = (plan, time);
        }
        return best!;
    }

    /// <summary>
    /// With <see cref="Guarantee.Any"/>: the runs that the time holds where nobody says, as bets have no planned end.
    /// </summary>
    public int RunsInTime => Runs * 5 / 4 + 2;

    /// <summary>
    /// With <see cref="Guarantee.Any"/>: how many runs that do not count a verdict can bear. With so many a broker that
    /// is in time just as often as required is still found to meet the requirement in the planned time.
    /// </summary>
    /// <param name="options">The requirement.</param>
    public int InvalidRunsBorne(RequirementOptions options) =>
        BetPlan.InvalidBorne(
            RunsInTime,
            -Math.Log(options.Error),
            (
                () => new(options.Probability - options.EffectiveIndifference, above: true, options.WorstRun ?? 0),
                options.Probability
            )
        );

    /// <summary>
    /// The share of the error of one verdict that the look after some runs spends, 0 where there is none.
    /// </summary>
    /// <param name="runs">The number of runs.</param>
    /// <param name="verdict">Met or violated.</param>
    internal double ErrorShare(int runs, RequirementVerdict verdict)
    {
        var firstLook = verdict == RequirementVerdict.Met ? FirstMetLook : FirstViolatedLook;
        var (first, second) =
            firstLook == Runs ? (FirstShare + SecondShare, FirstShare + SecondShare) : (FirstShare, SecondShare);
        return runs < firstLook || (runs > firstLook && runs < Runs) ? 0
            : runs == firstLook ? first
            : runs == Runs ? second
            : RunLooks.LaterShare(runs, Runs, 1 - FirstShare - SecondShare);
    }

    /// <summary>The number of runs at a look: this one, or the next where there is none after so many.</summary>
    /// <param name="runs">The number of runs.</param>
    /// <param name="verdict">Met or violated.</param>
    internal int NextLook(int runs, RequirementVerdict verdict) =>
        runs > Runs ? RunLooks.LaterLook(runs, Runs)
        : ErrorShare(runs, verdict) > 0 ? runs
        : Math.Max(runs, verdict == RequirementVerdict.Met ? FirstMetLook : FirstViolatedLook) is var next
        && ErrorShare(next, verdict) > 0
            ? next
        : Runs;

    private static RequirementPlan WithRounds(RequirementOptions options, double samplesPerRound, int rounds)
    {
        var samples = (int)Math.Max(1, Math.Round(rounds * samplesPerRound));
        var least = options.FewestRuns;
        var firstMet = IntegerSearch.Smallest(
            least,
            LargestRuns,
            runs => Decides(options, runs, new(samples, samples), RequirementVerdict.Met)
        );
        var firstViolated = IntegerSearch.Smallest(
            least,
            LargestRuns,
            runs => Decides(options, runs, new(0, samples), RequirementVerdict.Violated)
        );
        return new(
            firstViolated,
            firstMet,
            IntegerSearch.Smallest(
                Math.Max(firstMet, firstViolated),
                LargestRuns,
                runs => DecidesAtTheHypotheses(options, runs, samples)
            ),
            rounds
        );
    }

    private static bool Decides(RequirementOptions options, int runs, RunCount run, RequirementVerdict verdict) =>
        RequirementTest.Look([.. Enumerable.Repeat(run, runs)], options, _ => FirstShare) == verdict;

    private static bool DecidesAtTheHypotheses(RequirementOptions options, int runs, int samples)
    {
        var counts = new RunCount[runs];
        var scores = Enumerable.Range(0, runs).Select(i => Normal.InvCDF(0, 1, (i + .5) / runs)).ToArray();
        var unit = Math.Sqrt(scores.Sum(score => score * score) / (runs - 1));
        foreach (var (spreadQuantile, meanDeviation) in s_scenarios)
        {
            var spread = Math.Sqrt(ChiSquared.InvCDF(runs - 1, spreadQuantile) / (runs - 1));
            if (
                At(options.Probability, -1) != RequirementVerdict.Met
                || At(options.Probability - options.EffectiveIndifference, 1) != RequirementVerdict.Violated
            )
                return false;

            RequirementVerdict At(double truth, int towardsTheOther)
            {
                var deviation = Math.Sqrt(VerificationPlan.QuietInflation * truth * (1 - truth) / samples);
                var mean = truth + towardsTheOther * meanDeviation * deviation / Math.Sqrt(runs);
                for (var i = 0; i < runs; i++)
                    counts[i] = new(
                        (int)Math.Round(Math.Clamp(mean + spread * deviation * scores[i] / unit, 0, 1) * samples),
                        samples
                    );
                return RequirementTest.Look(counts, options, _ => SecondShare);
            }
        }
        return true;
    }
}
