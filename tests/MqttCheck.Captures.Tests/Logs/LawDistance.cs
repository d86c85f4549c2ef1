using MqttCheck.Clients;
using MqttCheck.Latency;
using MqttCheck.Learning;
using MqttCheck.Learning.Data;
using MqttCheck.Learning.Learners;
using MqttCheck.Logs;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Captures.Tests.Logs;

/// <summary>How far the model of a log is from the law of its broker.</summary>
internal static class LawDistance
{
    /// <summary>Learns a model, and compares its law of publications at the 99 percentiles of a law.</summary>
    /// <param name="log">The log.</param>
    /// <param name="law">The law.</param>
    /// <returns>The largest distance, and the error between blocks of time.</returns>
    public static (double Distance, double BlockError) Of(ExchangeLog log, Law law)
    {
        var learned = LatencyLearning.Learn([log], LearnerCatalogue.Default, 1);
        var found = (IConditionalLaw)learned.Model;
        var rows = TrainingData
            .From(log)
            .Rows.Where(row => row.Features.Kind == MessageKind.Publish)
            .Take(300)
            .ToList();
        var distance = Enumerable
            .Range(1, 99)
            .Select(percent => Quantile(law, percent / 100.0))
            .Max(at =>
                Math.Abs(
                    rows.Average(row => found.CumulativeProbability(row.Features, at)) - law.CumulativeProbability(at)
                )
            );
        return (distance, learned.Replay!.Error);
    }

    private static double Quantile(Law law, double share) =>
        Bisection.Narrow(0, 1000, at => law.CumulativeProbability(at) < share, at => 1e-6).Fails;
}
