using MathNet.Numerics.Distributions;
using MqttCheck.Checking;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Checking;

/// <summary>Outcomes of runs as a broker would give them: independent, correlated by the run, or correlated from one sequence to the next.</summary>
internal static class SimulatedBroker
{
    public const double ThresholdMilliseconds = 50;

    public static PredictedPoint Predicted(double probability, double halfWidth = 0) =>
        new("up1", 100, ThresholdMilliseconds, probability, new(probability - halfWidth, probability + halfWidth));

    /// <summary>One run whose probability is drawn from a beta law such that the variance of its successes is <paramref name="inflation"/> times binomial.</summary>
    public static Outcome[] BetaBinomialRun(int run, int sequences, double probability, double inflation, ref RandomStream random)
    {
        if (inflation > 1 && probability is > 0 and < 1)
        {
            var concentration = (sequences - 1) / (inflation - 1) - 1;
            probability = Beta.InvCDF(probability * concentration, (1 - probability) * concentration, random.NextOpenDouble());
        }
        var outcomes = new Outcome[sequences];
        for (var i = 0; i < sequences; i++) outcomes[i] = Of(run, i, random.NextDouble() < probability);
        return outcomes;
    }

    /// <summary>One run in which an outcome repeats its predecessor with probability <paramref name="correlation"/> and is new otherwise.</summary>
    public static Outcome[] AutoregressiveRun(int run, int sequences, double probability, double correlation, ref RandomStream random)
    {
        var outcomes = new Outcome[sequences];
        var hit = random.NextDouble() < probability;
        for (var i = 0; i < sequences; i++)
        {
            if (random.NextDouble() >= correlation) hit = random.NextDouble() < probability;
            outcomes[i] = Of(run, i, hit);
        }
        return outcomes;
    }

    public static Outcome Of(int run, int index, bool hit) =>
        new(run, index % 100, index / 100, index, new(hit ? 10 : 100, 0, 0), OutcomeStatus.Completed);
}
