using System.Diagnostics;
using System.Diagnostics.Metrics;
using MqttCheck.Brokers.Fleets.Machine;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Signals;

namespace MqttCheck.LiveClusters.Verdicts;

/// <summary>Tells listeners of a cluster's run: the run and its faults as spans, and how long messages took.</summary>
internal static class ClusterSignals
{
    /// <summary>Makes a run, and tells of it where anybody listens.</summary>
    public static async Task<ClusterRunRecord?> RunAsync(
        Topology topology,
        int run,
        TimeProvider time,
        Func<Task<ClusterRunRecord?>> makeAsync
    )
    {
        if (!Instruments.AreHeard)
            return await makeAsync();
        using var span = Instruments.Source.StartActivity("run");
        span?.SetTag("mqttcheck.run", run)
            .SetTag("mqttcheck.profile", topology.Name)
            .SetTag("mqttcheck.clients", Clients(topology));
        if (await makeAsync() is not { } record)
            return null;
        var outcome = record.Outcome;
        span?.SetTag("mqttcheck.publications", outcome.Publications).SetTag("mqttcheck.lost", outcome.Lost);
        if (record.Failure is { } failure)
            span?.SetStatus(ActivityStatusCode.Error, failure);
        var offset = WallClock.OffsetNanoseconds(time);
        foreach (var fault in record.Faults)
            Tell(topology, record, fault, offset);
        var tags = new MessagingTags(endpoint: null, topology.Name, Clients(topology)).Of("publish");
        Record(Instruments.Operations, outcome.AcknowledgementMilliseconds, tags);
        Record(Instruments.Deliveries, outcome.DeliveryMilliseconds, tags);
        Instruments.Sent.Add(outcome.Publications, tags);
        Instruments.Consumed.Add(outcome.Deliveries, tags);
        return record;
    }

    private static void Tell(Topology topology, ClusterRunRecord record, ScheduledFault fault, double offset)
    {
        DateTimeOffset At(long nanoseconds) =>
            DateTimeOffset.UnixEpoch.AddTicks((long)((nanoseconds + offset) / TimeSpan.NanosecondsPerTick));
        var begin = record.StartNanoseconds + fault.AtNanoseconds;
        // A run that ended early did not come to its last faults.
        if (begin > record.EndNanoseconds)
            return;
        var end = Math.Min(record.StartNanoseconds + fault.HealsAtNanoseconds ?? long.MaxValue, record.EndNanoseconds);
        using var span = Instruments.Source.StartActivity(
            "fault",
            ActivityKind.Internal,
            parentContext: default,
            [
                new("mqttcheck.fault", fault.Fault.ToString()),
                new("mqttcheck.nodes", string.Join(',', fault.Nodes.Select(node => topology.Nodes[node].Name))),
                new("mqttcheck.links", string.Join(',', fault.Links)),
            ],
            links: null,
            At(begin)
        );
        span?.SetEndTime(At(end).UtcDateTime);
    }

    private static int Clients(Topology topology) => topology.Load.Publishers + topology.Load.Subscribers;

    private static void Record(Histogram<double> histogram, IReadOnlyList<double> milliseconds, TagList tags)
    {
        foreach (var one in milliseconds.Where(double.IsFinite))
            histogram.Record(one / 1000, tags);
    }
}
