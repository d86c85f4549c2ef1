using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.LiveClusters.Runs;

namespace MqttCheck.LiveClusters.Tests.Runs;

/// <summary>What events of live faults say to monitors.</summary>
[TestFixture]
internal sealed class FaultScheduleTests
{
    private const long Second = 1_000_000_000;

    [TestCase("kill n1 at 20s for 1s", FaultKind.Kill)]
    [TestCase("stop n1 at 20s for 1s", FaultKind.Stop)]
    [TestCase("join n1 at 20s", FaultKind.Join)]
    [TestCase("freeze n1 at 20s for 1s", FaultKind.Freeze)]
    [TestCase("cut n1-n2 at 20s for 1s", FaultKind.Cut)]
    [TestCase("partition n1|n2,n3 at 20s for 1s", FaultKind.Partition)]
    [TestCase("slow n1-n2 delay=constant:5ms at 20s for 1s", FaultKind.Slow)]
    public void The_events_of_a_live_fault_have_its_kind(string text, FaultKind kind)
    {
        var fault = FaultText.Parse(text, "test");
        Assert.That(FaultSchedule.EventOf(fault, begins: true, 0, -1).Fault, Is.EqualTo(kind));
        Assert.That(FaultSchedule.EventOf(fault, begins: false, 0, -1).Fault, Is.EqualTo(kind));
    }

    // The publication of the frozen node begins to live when the node goes on. A topic lives 60 s and a calm second
    // more, so at 75 s the frozen publisher is a member still, and one that went on is not.
    [TestCase("freeze n1 at 10s for 20s", 0)]
    [TestCase("cut n1-n2 at 10s for 20s", 1)]
    public void The_interest_monitor_knows_a_live_freeze(string text, int violations)
    {
        var monitor = new InterestMonitor(TopologyFile.Read("mesh:3", ClusterSystem.TopicOverlay), 5 * Second);
        var fault = FaultText.Parse(text, "test");
        var peer = fault.IsOfNodes ? -1 : 1;
        ClusterEvent[] events =
        [
            Message(5, ClusterEventKind.Published, 0, message: 1),
            FaultSchedule.EventOf(fault, begins: true, 0, peer) with
            {
                Nanoseconds = 10 * Second,
            },
            Message(12, ClusterEventKind.Published, 0, message: 2),
            FaultSchedule.EventOf(fault, begins: false, 0, peer) with
            {
                Nanoseconds = 30 * Second,
            },
            Message(75, ClusterEventKind.Sent, 2, peer: 0, message: 2),
        ];
        foreach (var happened in events)
            monitor.Add(happened);
        Assert.That(monitor.ViolationCount, Is.EqualTo(violations));
    }

    private static ClusterEvent Message(long seconds, ClusterEventKind kind, int node, long message, int peer = -1) =>
        new()
        {
            Nanoseconds = seconds * Second,
            Kind = kind,
            Node = node,
            Peer = peer,
            Client = 1,
            Message = message,
            Topic = "t",
        };
}
