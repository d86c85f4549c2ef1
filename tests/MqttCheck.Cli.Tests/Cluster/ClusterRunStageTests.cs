using MqttCheck.Cli.Cluster;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.LiveClusters.Verdicts;

namespace MqttCheck.Cli.Tests.Cluster;

/// <summary>A run in words.</summary>
[TestFixture]
internal sealed class ClusterRunStageTests
{
    private static readonly ClusterOutcome s_outcome = new()
    {
        Publications = 100,
        Deliveries = 95,
        Owed = 100,
        Missing = new MissingDeliveries(Lost: 1, BestEffort: 0, Racing: 2, Unacknowledged: 3),
        DeliveryMilliseconds = [],
        Lost = 1,
        LostSettled = 0,
        Duplicates = 1,
        Reordered = 0,
        Racing = 9,
        RepairMilliseconds = 0,
        BlackoutMilliseconds = 4_500,
        ProbeResolutionMilliseconds = 300,
        UnwatchedMilliseconds = 2_000,
    };

    [Test]
    public void Every_delivery_that_is_missing_has_a_reason_and_no_time_is_below_what_probes_see() =>
        Assert.That(
            Words(s_outcome),
            Is.EqualTo(
                "100 publications, 94 of 100 deliveries came, 1 lost (0 away from faults), 3 missing that were not "
                    + "acknowledged, 9 racing (2 of them missing), 1 repeated, 0 out of order, repair under 300 ms, "
                    + "blackout 4.5 s, no two brokers up for 2 s"
            )
        );

    [Test]
    public void A_cluster_that_does_not_come_back_is_a_lost_service_and_one_that_comes_back_late_is_not_repaired()
    {
        var never = s_outcome with { RepairMilliseconds = double.PositiveInfinity };
        Assert.That(Words(never), Does.Contain(", no repair before the end, "));
        Assert.That(Words(never with { IsServiceLost = true }), Does.Contain(", service lost: "));
    }

    [Test]
    public void The_reason_is_told_where_a_run_is_not_compared_with_a_simulation()
    {
        var screen = new TestScreen();
        var record = Record(s_outcome) with { WhyNotSimulated = "no simulation knows this fault" };
        ClusterRunText.Print(screen.Screen, TopologyFile.Read("bridge-pair"), new([record], [], IsInterrupted: false));
        Assert.That(
            screen.Output,
            Does.Contain("predicted and live: not compared: no simulation knows this fault").And.Not.Contain("agree")
        );
    }

    private static string Words(ClusterOutcome outcome) => ClusterRunText.Seen(Record(outcome));

    private static ClusterRunRecord Record(ClusterOutcome outcome)
    {
        var topology = TopologyFile.Read("bridge-pair");
        topology = topology with
        {
            Scenario = topology.Scenario with { Faults = [FaultText.Parse("kill a at 1s", "test")] },
        };
        return new ClusterRunRecord
        {
            Outcome = outcome,
            Faults = ScheduledFault.Of(topology, 1, 0),
            Links = [],
            FaultLatenessNanoseconds = 0,
        };
    }
}
