using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Properties;
using MqttCheck.LiveClusters.Verdicts;

namespace MqttCheck.LiveClusters.Tests.Verdicts;

/// <summary>Runs follow each other on a cluster that stays up, and number their messages alike.</summary>
public sealed class ClusterRunSinkTests
{
    private const string First = "mqttcheck/first/";
    private const string Second = "mqttcheck/second/";

    [Test]
    public void ACopyOfTheRunBeforeIsNoSecondArrivalOfThisRunsMessage()
    {
        var sink = new ClusterRunSink();
        Begin(sink, First);
        sink.Add(Arrival(First));
        var monitor = Begin(sink, Second);

        sink.Add(Arrival(First));
        sink.Add(Arrival(Second));

        Assert.That(monitor.Violations, Is.Empty);
    }

    [Test]
    public void TwoArrivalsInOneRunAreReported()
    {
        var sink = new ClusterRunSink();
        var monitor = Begin(sink, Second);

        sink.Add(Arrival(Second));
        sink.Add(Arrival(Second));

        Assert.That(monitor.Violations, Has.Count.EqualTo(1));
    }

    private static LoopMonitor Begin(ClusterRunSink sink, string prefix)
    {
        var monitor = new LoopMonitor(drainNanoseconds: 0, ["va", "or", "ie"]);
        sink.Begin(new ClusterOutcomeRecorder(TimeSpan.Zero, null, [monitor]), monitor, prefix, () => { });
        return monitor;
    }

    private static ClusterEvent Arrival(string prefix) =>
        new()
        {
            Nanoseconds = 1,
            Kind = ClusterEventKind.Received,
            Node = 2,
            Peer = 0,
            Message = 6,
            Topic = prefix + "1",
        };
}
