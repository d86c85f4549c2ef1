namespace MqttCheck.Sequential.Characteristics;

/// <summary>
/// The exact behaviour of sequential tests of independent outcomes, by dynamic programming over (outcomes, successes):
/// no simulation, no approximation of the overshoot.
/// </summary>
internal static class SprtAudit
{
    private const double NegligibleMass = 1e-13;

    /// <summary>Error probabilities and expected number of samples of a sequential probability ratio test.</summary>
    /// <param name="plan">The test.</param>
    /// <param name="probability">The true probability of success, 0 .. 1.</param>
    /// <param name="truncateAt">
    /// The test gives up after this many outcomes; without a bound it ends with probability 1.
    /// </param>
    public static TestCharacteristics Compute(SprtPlan plan, double probability, int truncateAt = int.MaxValue)
    {
        return Compute(plan.Decide, probability, truncateAt);
    }

    /// <summary>
    /// Error probabilities and expected number of samples of any test that decides by the number of successes.
    /// </summary>
    /// <param name="decide">
    /// The decision after (successes, samples). The successes that leave it open are an interval.
    /// </param>
    /// <param name="probability">The true probability of success, 0 .. 1.</param>
    /// <param name="truncateAt">
    /// The computation gives up after this many outcomes; needed where the test may go on for ever.
    /// </param>
    public static TestCharacteristics Compute(Func<long, long, SprtDecision> decide, double probability, int truncateAt)
    {
        Arguments.Require(probability is >= 0 and <= 1, probability, "must be in 0 .. 1");
        // Mass of the undecided states after n outcomes, by successes from `first` on: a narrow window.
        double[] mass = [1];
        double[] next = new double[2];
        int first = 0,
            count = 1;
        double acceptH0 = 0,
            acceptH1 = 0,
            expected = 0,
            remaining = 1;
        for (var n = 1; n <= truncateAt && remaining > NegligibleMass; n++)
        {
            expected += remaining;
            if (next.Length < count + 1)
                next = new double[2 * count + 2];
            int nextFirst = 0,
                nextCount = 0;
            remaining = 0;
            for (var i = 0; i <= count; i++)
            {
                var here = (i < count ? mass[i] * (1 - probability) : 0) + (i > 0 ? mass[i - 1] * probability : 0);
                var successes = first + i;
                switch (decide(successes, n))
                {
                    case SprtDecision.AcceptH0:
                        acceptH0 += here;
                        break;
                    case SprtDecision.AcceptH1:
                        acceptH1 += here;
                        break;
                    default:
                        if (nextCount == 0)
                            nextFirst = successes;
                        next[nextCount++] = here;
                        remaining += here;
                        break;
                }
            }
            (mass, next) = (next, mass);
            (first, count) = (nextFirst, nextCount);
        }
        return new(acceptH0, acceptH1, expected, remaining);
    }

    /// <summary>
    /// The true probability at which a test takes longest on average, to about six digits, and its behaviour there.
    /// </summary>
    /// <param name="plan">The test.</param>
    public static (double Probability, TestCharacteristics Characteristics) Hardest(SprtPlan plan)
    {
        // The expected number of samples has one maximum, between the hypotheses: golden section.
        var ratio = (Math.Sqrt(5) - 1) / 2;
        double low = plan.P0,
            high = plan.P1;
        while (high - low > 1e-7)
        {
            double left = high - ratio * (high - low),
                right = low + ratio * (high - low);
            if (Compute(plan, left).ExpectedSamples > Compute(plan, right).ExpectedSamples)
                high = right;
            else
                low = left;
        }
        var probability = (low + high) / 2;
        return (probability, Compute(plan, probability));
    }

    /// <summary>
    /// The probabilities of the three verdicts of a two-sided test, and its expected number of samples.
    /// </summary>
    /// <param name="plan">The test.</param>
    /// <param name="probability">The true probability of success, 0 .. 1.</param>
    // Hot loop: every number of successes after every number of samples passes here.
    public static TwoSidedCharacteristics Compute(TwoSidedPlan plan, double probability)
    {
        Arguments.Require(probability is >= 0 and <= 1, probability, "must be in 0 .. 1");
        // One mass function over successes for each set of sides that have accepted the prediction: none, the lower,
        // the upper.
        const int None = 0,
            LowerAccepted = 1,
            UpperAccepted = 2,
            Both = 3;
        var start = (plan.Lower is null ? LowerAccepted : None) | (plan.Upper is null ? UpperAccepted : None);
        var mass = new double[3][];
        var next = new double[3][];
        for (var set = 0; set < 3; set++)
            (mass[set], next[set]) = (new double[64], new double[64]);
        mass[start][0] = 1;
        double confirmed = 0,
            worse = 0,
            better = 0,
            expected = 0,
            remaining = 1;
        int first = 0,
            last = 0; // The successes of undecided states.
        for (var n = 1; remaining > NegligibleMass; n++)
        {
            expected += remaining;
            remaining = 0;
            for (var set = 0; set < 3; set++)
            {
                if (next[set].Length <= n + 1)
                    Array.Resize(ref next[set], 2 * n);
                Array.Clear(next[set]);
                if (mass[set].Length < next[set].Length)
                    Array.Resize(ref mass[set], next[set].Length);
            }
            int nextFirst = int.MaxValue,
                nextLast = 0;
            for (var successes = first; successes <= last + 1; successes++)
            {
                var lower =
                    plan.Lower?.Decide(plan.Lower.LogLikelihoodRatio(successes, n - successes))
                    ?? SprtDecision.AcceptH1;
                var upper =
                    plan.Upper?.Decide(plan.Upper.LogLikelihoodRatio(successes, n - successes))
                    ?? SprtDecision.AcceptH0;
                for (var set = 0; set < 3; set++)
                {
                    var here =
                        mass[set][successes] * (1 - probability)
                        + (successes > 0 ? mass[set][successes - 1] * probability : 0);
                    if (here == 0)
                        continue;
                    if ((set & LowerAccepted) == 0 && lower == SprtDecision.AcceptH0)
                    {
                        worse += here;
                        continue;
                    }
                    if ((set & UpperAccepted) == 0 && upper == SprtDecision.AcceptH1)
                    {
                        better += here;
                        continue;
                    }
                    var now =
                        set
                        | (lower == SprtDecision.AcceptH1 ? LowerAccepted : None)
                        | (upper == SprtDecision.AcceptH0 ? UpperAccepted : None);
                    if (now == Both)
                    {
                        confirmed += here;
                        continue;
                    }
                    next[now][successes] += here;
                    remaining += here;
                    nextFirst = Math.Min(nextFirst, successes);
                    nextLast = successes;
                }
            }
            (first, last) = (nextFirst, nextLast);
            (mass, next) = (next, mass);
        }
        return new(confirmed, worse, better, expected);
    }
}
