using MqttCheck.ClusterProtocols.Pipeline.Simulating;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.Clusters.Topologies.Systems;

namespace MqttCheck.ClusterProtocols.Tests.Pipeline;

[TestFixture]
internal sealed class PipelineReplicationsTests
{
    private static readonly Topology s_topology = Short(TopologyFile.Read("pipeline-p2p", ClusterSystem.Pipeline));

    [Test]
    public void A_replication_depends_on_seed_and_number_alone()
    {
        var replications = new PipelineReplications(s_topology);
        var together = replications.Run(3, 0, 2);
        var alone = replications.Run(3, 2, 2)[0];
        Assert.That(
            alone.DeliveryMilliseconds,
            Is.EqualTo(together[2].DeliveryMilliseconds).And.Not.EqualTo(together[1].DeliveryMilliseconds)
        );
    }

    [Test]
    public void Nothing_is_lost_when_a_broker_dies_and_its_clients_move_on()
    {
        foreach (var outcome in new PipelineReplications(s_topology).Run(4, 0, 9))
        {
            Assert.That(outcome.Publications, Is.GreaterThan(100));
            Assert.That((outcome.Lost, outcome.Violations.Count), Is.EqualTo((0L, 0)));
        }
    }

    [TestCase(ClientReturn.Same)]
    [TestCase(ClientReturn.Next)]
    public void What_is_due_while_a_broker_is_down_is_sent_all_the_same(ClientReturn goes)
    {
        var scenario = s_topology.Scenario with { Return = goes };
        var calm = s_topology with { Scenario = scenario with { Faults = [] } };
        var killed = s_topology with
        {
            Scenario = scenario with { Faults = [FaultText.Parse("kill b1 at 1s for 1s", "test")] },
        };
        var (expected, outcome) = (Only(calm), Only(killed));
        Assert.That((outcome.Publications, outcome.Lost), Is.EqualTo((expected.Publications, 0L)));

        static ClusterOutcome Only(Topology topology) => new PipelineReplications(topology).Run(6, 0, 0)[0];
    }

    // A primary that does not come back has a replica, or has none.
    [TestCase(1, 0)]
    [TestCase(0, 1)]
    public void A_replica_takes_over_from_a_primary_that_does_not_come_back(int replicas, int leastLost)
    {
        var servers = Enumerable
            .Range(1, 3 * (1 + replicas))
            .Select(server => new TopologyNode { Name = $"r{server}", Kind = NodeKind.Store });
        var topology = s_topology with
        {
            Nodes = [.. s_topology.Nodes.Where(node => node.Kind != NodeKind.Store), .. servers],
            Links = [.. s_topology.Links.Where(link => s_topology.Nodes[link.To].Kind != NodeKind.Store)],
            Pipeline = new PipelineSettings { Store = PipelineSettings.RedisCluster, StoreReplicas = replicas },
            Scenario = s_topology.Scenario with { Faults = [FaultText.Parse("kill r1 at 1s", "test")] },
        };
        var outcome = new PipelineReplications(topology).Run(4, 0, 0)[0];
        Assert.That(outcome.Lost, leastLost == 0 ? Is.Zero : Is.GreaterThanOrEqualTo(leastLost));
    }

    [Test]
    public void A_message_waits_for_three_appends_and_the_way_through_the_log()
    {
        var calm = s_topology with { Scenario = s_topology.Scenario with { Faults = [] } };
        var delivery = new PipelineReplications(calm).Run(5, 0, 0)[0].DeliveryMilliseconds;
        // Two appends at least, each with a linger of 5 ms; the third one where the subscriber is elsewhere.
        Assert.That(delivery.Min(), Is.GreaterThan(10));
        Assert.That(delivery.Average(), Is.InRange(14, 40));
    }

    [Test]
    public void A_topology_without_a_log_and_a_fault_of_a_link_are_refused()
    {
        var family = TopologyFile.Read("mesh:3", ClusterSystem.Pipeline);
        Assert.That(
            () => new PipelineReplications(family),
            Throws.TypeOf<InputException>().With.Message.Contains("0 logs, 0 stores and 3 brokers")
        );
    }

    [TestCase("cut b1-log at 1s for 1s", "cut")]
    [TestCase("partition b1|log at 1s for 1s", "partition")]
    [TestCase("freeze b1 at 1s for 1s", "freeze")]
    public void A_fault_that_a_pipeline_does_not_know_is_refused_by_its_name(string text, string verb)
    {
        var topology = s_topology with
        {
            Scenario = s_topology.Scenario with { Faults = [FaultText.Parse(text, "test")] },
        };
        Assert.That(
            () => new PipelineReplications(topology),
            Throws
                .TypeOf<InputException>()
                .With.Message.Contains(
                    $"a fault that does '{verb}' is not simulated for a pipeline; allowed: kill, stop, join."
                )
        );
    }

    private static Topology Short(Topology topology) =>
        topology with
        {
            Scenario = topology.Scenario with
            {
                Duration = TimeSpan.FromSeconds(5),
                Faults = [FaultText.Parse("kill any at U(1s,3s) for 1s", "test")],
            },
        };
}
