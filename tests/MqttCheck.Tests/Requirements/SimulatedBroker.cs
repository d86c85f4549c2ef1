using MqttCheck.Auditing;
using MqttCheck.Clients;
using MqttCheck.Predictions;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Requirements;

/// <summary>Outcomes of runs as a broker would give them.</summary>
internal static class SimulatedBroker
{
    public const double ThresholdMilliseconds = 50;

    public static PredictedPoint Predicted(double probability, double halfWidth = 0) =>
        new("up1", 100, ThresholdMilliseconds, probability, new(probability - halfWidth, probability + halfWidth));

    /// <summary>
    /// One run whose probability is drawn from a beta law such that the variance of its successes is
    /// <paramref name="inflation"/> times binomial.
    /// </summary>
    public static Outcome[] BetaBinomialRun(
        int run,
        int sequences,
        double probability,
        double inflation,
        ref RandomStream random
    ) => OutcomeDependence.BetweenRuns(inflation).Run(run, sequences, probability, ThresholdMilliseconds, ref random);

    /// <summary>
    /// One run in which an outcome repeats its predecessor with probability <paramref name="correlation"/> and is new
    /// otherwise.
    /// </summary>
    public static Outcome[] AutoregressiveRun(
        int run,
        int sequences,
        double probability,
        double correlation,
        ref RandomStream random
    ) => OutcomeDependence.InsideRuns(correlation).Run(run, sequences, probability, ThresholdMilliseconds, ref random);

    public static Outcome Of(int run, int index, bool hit) =>
        new(run, index % 100, index / 100, index, new(hit ? 10 : 100, 0, 0), OutcomeStatus.Completed);
}
