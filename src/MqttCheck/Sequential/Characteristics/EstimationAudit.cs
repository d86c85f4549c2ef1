namespace MqttCheck.Sequential.Characteristics;

/// <summary>The exact behaviour of estimation rules, by dynamic programming over (samples, successes).</summary>
internal static class EstimationAudit
{
    // States this improbable are left out; all together they weigh less than 1e-14.
    private const double Negligible = 1e-20;

    /// <summary>The true error and the expected number of samples of a rule.</summary>
    /// <param name="rule">The rule; it must stop at some number of samples whatever is seen.</param>
    /// <param name="probability">The true probability of success, in 0 .. 1.</param>
    public static EstimationCharacteristics Compute(IEstimationRule rule, double probability)
    {
        return Compute(rule.IsEnough, rule.Epsilon, probability);
    }

    internal static EstimationCharacteristics Compute(
        Func<long, long, bool> isEnough,
        double epsilon,
        double probability
    )
    {
        Arguments.Require(probability is >= 0 and <= 1, probability, "must be in 0 .. 1");
        double error = 0,
            expected = 0,
            remaining = 1;
        var mass = new double[64];
        mass[0] = 1;
        int first = 0,
            last = 0;
        for (var n = 1; first <= last; n++)
        {
            expected += remaining;
            if (mass.Length <= last + 1)
                Array.Resize(ref mass, 2 * mass.Length);
            mass[last + 1] = 0;
            for (var successes = last + 1; successes >= first; successes--)
                mass[successes] =
                    mass[successes] * (1 - probability) + (successes > first ? mass[successes - 1] * probability : 0);
            last++;
            for (var successes = first; successes <= last; successes++)
                if (mass[successes] > 0 && (mass[successes] < Negligible || isEnough(successes, n)))
                    Stop(successes, n);
            while (first <= last && mass[first] == 0)
                first++;
            while (first <= last && mass[last] == 0)
                last--;
        }
        return new(error, expected);

        void Stop(int successes, int n)
        {
            remaining -= mass[successes];
            if (Math.Abs((double)successes / n - probability) > epsilon * (1 + 1e-12))
                error += mass[successes];
            mass[successes] = 0;
        }
    }
}
