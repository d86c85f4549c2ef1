using MqttCheck.Clients;
using MqttCheck.Latency.Features;
using MqttCheck.Learning.Data;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;
using MqttCheck.Tests.Logs;

namespace MqttCheck.Tests.Learning;

/// <summary>
/// A broker whose latency law is known: a skewed service time that grows with the open exchanges, and a stall for some
/// publications with subscribers.
/// </summary>
internal static class SyntheticBroker
{
    private static readonly LogNormalLaw Service = new(1.5, 0.5);

    public static double Latency(in ExchangeFeatures features, ref RandomStream random)
    {
        var milliseconds =
            Service.Draw(ref random) * (1 + 0.15 * (features.Active - 1))
            + (features.Kind == MessageKind.Connect ? 1 : 0);
        if (features.Kind == MessageKind.Publish && features.Subscribers > 0 && random.NextDouble() < 0.1)
            milliseconds += 10 * random.NextDouble();
        return Math.Round(milliseconds, 4);
    }

    /// <summary>The log of the default training design for a profile.</summary>
    public static ExchangeLog TrainingLog(ulong seed, string profile, double seconds) =>
        SyntheticRun.Log(
            seed,
            TrainingDesign
                .Doe2(seed, TimeSpan.FromSeconds(seconds), ProfileFile.Read(profile))
                .Select(run => (run.Clients, run.Population, run.Duration!.Value.TotalMilliseconds)),
            Latency
        );
}
