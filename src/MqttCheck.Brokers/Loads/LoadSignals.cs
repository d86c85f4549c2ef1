using System.Diagnostics;
using System.Diagnostics.Metrics;
using MqttCheck.Brokers.Wire;
using MqttCheck.Signals;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Loads;

/// <summary>Tells listeners of a load: the run as a span, and its durations.</summary>
internal static class LoadSignals
{
    /// <summary>Makes a run, and tells of it where anybody listens.</summary>
    public static LoadResult Run(LoadSetup setup, Func<LoadResult> run)
    {
        if (!Instruments.AreHeard)
            return run();
        using var span = Instruments.Source.StartActivity("run");
        span?.SetTag("mqttcheck.profile", setup.Workload.Name)
            .SetTag("mqttcheck.clients", Clients(setup))
            .SetTag("server.address", setup.Endpoint.Address.Address.ToString())
            .SetTag("server.port", setup.Endpoint.Address.Port);
        var result = run();
        span?.SetTag("mqttcheck.messages", result.Counters.Messages).SetTag("mqttcheck.valid", result.Health.IsValid);
        if (result.Failure is { } failure)
            span?.SetStatus(ActivityStatusCode.Error, failure);
        var tags = new MessagingTags(setup.Endpoint, setup.Workload.Name, Clients(setup)).Of("publish");
        Record(Instruments.Operations, result.Times.Acknowledgement, tags);
        Record(Instruments.Deliveries, result.Times.Service, tags);
        Instruments.Sent.Add(result.Counters.Sent, tags);
        Instruments.Consumed.Add(result.Counters.Deliveries, tags);
        return result;
    }

    private static int Clients(LoadSetup setup) => setup.Workload.Publishers + setup.Workload.Subscribers;

    // A histogram takes one duration at a time.
    private static void Record(Histogram<double> histogram, DurationCounts durations, in TagList tags)
    {
        foreach (var bucket in durations.Buckets)
            for (var left = bucket.Count; left > 0; left--)
                histogram.Record(bucket.ToNanoseconds / 1e9, tags);
    }
}
