using MqttCheck.Auditing;
using MqttCheck.Clients;
using MqttCheck.Predictions;
using MqttCheck.Statistics;
using MqttCheck.Verification;

namespace MqttCheck.Tests.Requirements;

/// <summary>Outcomes of runs as a broker would give them.</summary>
internal static class SimulatedBroker
{
    public const double ThresholdMilliseconds = 50;

    public static PredictedPoint Predicted(double probability, double halfWidth = 0) =>
        new("up1", 100, ThresholdMilliseconds, probability, new(probability - halfWidth, probability + halfWidth));

    public static Outcome Of(int run, int index, bool hit) =>
        new(run, index % 100, index / 100, index, new(hit ? 10 : 100, 0, 0), OutcomeStatus.Completed);

    /// <summary>A run of 1000 sequences, of which this share is in time.</summary>
    /// <remarks>207 has no common divisor with 1000, so hits are spread evenly over the run.</remarks>
    public static Outcome[] Run(int run, double share) =>
        [.. Enumerable.Range(0, 1000).Select(i => Of(run, i, i * 207 % 1000 < Math.Round(1000 * share)))];

    /// <summary>A run of so many sequences, each of which is in time where that is said.</summary>
    public static Outcome[] Run(int run, int sequences, Func<int, bool> isHit) =>
        [.. Enumerable.Range(0, sequences).Select(i => Of(run, i, isHit(i)))];

    /// <summary>The test of a prediction after runs of 1000 sequences with these shares in time.</summary>
    public static PredictionTest After(PredictedPoint point, VerificationOptions options, params double[] shares) =>
        After(point, options, shares.Length, run => Run(run, shares[run]));

    /// <summary>The test of a prediction after so many runs.</summary>
    public static PredictionTest After(
        PredictedPoint point,
        VerificationOptions options,
        int runs,
        Func<int, Outcome[]> made
    )
    {
        var test = new PredictionTest(point, options);
        for (var run = 0; run < runs; run++)
            test.AddRun(made(run));
        return test;
    }
}
