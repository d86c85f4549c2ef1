namespace MqttCheck.Sequential;

/// <summary>
/// Draws independent outcomes, from whatever source, until a rule or a test is content: for example
/// <see cref="PropertySource.Next"/>.
/// </summary>
public static class SequentialSampling
{
    /// <summary>Estimates the probability of success.</summary>
    /// <param name="next">Draws the next outcome.</param>
    /// <param name="rule">Says when it is enough.</param>
    /// <param name="cancellation">Stops between two outcomes.</param>
    /// <returns>The counts. The share of successes lies within <see cref="IEstimationRule.Epsilon"/> of the truth,
    /// except with probability <see cref="IEstimationRule.Delta"/>.</returns>
    /// <exception cref="OperationCanceledException">It was stopped.</exception>
    public static SampleCount Estimate(Func<bool> next, IEstimationRule rule, CancellationToken cancellation = default)
    {
        var count = default(SampleCount);
        do
        {
            cancellation.ThrowIfCancellationRequested();
            count = count.Plus(next());
        } while (!rule.IsEnough(count.Successes, count.Samples));
        return count;
    }

    /// <summary>Decides between two hypotheses about the probability of success.</summary>
    /// <param name="next">Draws the next outcome.</param>
    /// <param name="decide">
    /// The decision after (successes, samples), for example of <see cref="SprtPlan"/>, <see cref="TruncatedSprt"/>,
    /// <see cref="MixtureTest"/> or <see cref="BayesFactorTest"/>.
    /// </param>
    /// <param name="largestSamples">After so many outcomes it gives up, 1 or more.</param>
    /// <param name="cancellation">Stops between two outcomes.</param>
    /// <returns>The decision, which may be <see cref="SprtDecision.Undecided"/>, and what was seen.</returns>
    /// <exception cref="OperationCanceledException">It was stopped.</exception>
    public static (SprtDecision Decision, SampleCount Count) Decide(
        Func<bool> next,
        Func<long, long, SprtDecision> decide,
        long largestSamples = long.MaxValue,
        CancellationToken cancellation = default
    )
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(largestSamples);
        var count = default(SampleCount);
        var decision = SprtDecision.Undecided;
        while (decision == SprtDecision.Undecided && count.Samples < largestSamples)
        {
            cancellation.ThrowIfCancellationRequested();
            count = count.Plus(next());
            decision = decide(count.Successes, count.Samples);
        }
        return (decision, count);
    }
}
