using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.ClusterProtocols.Tests.Simulation;

[TestFixture]
internal sealed class ClusterReplicationsTests
{
    [Test]
    public void Any_part_of_the_replications_can_be_computed_by_itself()
    {
        var replications = new ClusterReplications(Mesh("kill any at U(1s,4s) for 2s"), probes: true);
        var together = replications.Run(7, 0, 5).Select(Text);
        var apart = replications.Run(7, 0, 1).Concat(replications.Run(7, 2, 2)).Concat(replications.Run(7, 3, 5));
        Assert.That(apart.Select(Text), Is.EqualTo(together));
    }

    // Mean propagation of the note on brokers in three regions: half of the traffic crosses, the root is in Oregon.
    [Test]
    public void Clients_at_their_nearest_broker_get_messages_after_the_times_of_the_paths()
    {
        var topology = Graphs.Of("12:35 13:62.5 23:34", 1, 0, 0) with
        {
            Sites = [Site("california", 0, 11), Site("germany", 2, 12.5)],
            Scenario = Fanned(),
        };
        var outcome = new ClusterReplications(topology, probes: false).Run(1, 0, 0)[0];
        Assert.That(outcome.DeliveryMilliseconds, Has.Count.GreaterThan(300));
        Assert.That(outcome.DeliveryMilliseconds.Average(), Is.EqualTo(54.75).Within(0.3));
        Assert.That(
            outcome.DeliveryMilliseconds.Select(time => Math.Round(time, 3)).Distinct().Order(),
            Is.EqualTo((double[])[22, 25, 86])
        );
    }

    [Test]
    public void A_killed_root_is_repaired_within_the_time_that_the_rules_promise()
    {
        var outcomes = new ClusterReplications(Mesh("kill n1 at 3s for 20s"), probes: true).Run(3, 0, 19);
        var repairs = outcomes.Select(outcome => outcome.RepairMilliseconds);
        Assert.That(repairs, Has.All.LessThan(2000));
        // Delays vary, so that nodes change to better parents as long as they run.
        Assert.That(outcomes.Select(outcome => outcome.ConvergenceMilliseconds), Has.All.InRange(1, 2000));
        Assert.That(outcomes.Sum(outcome => outcome.Duplicates), Is.Zero);
    }

    // Members agree on the topic of a probe at the next ping. A ping comes every 2 s, at a phase that no plan knows.
    [Test]
    public void Members_of_an_overlay_ping_at_another_phase_in_each_replication()
    {
        var topology = TopologyFile.Read("overlays-table");
        topology = topology with { Scenario = topology.Scenario with { Duration = TimeSpan.FromSeconds(4) } };
        var blackouts = new ClusterReplications(topology, probes: true)
            .Run(1, 0, 19)
            .Select(outcome => outcome.BlackoutMilliseconds!.Value)
            .ToList();
        // All of 20 uniform values in 2 s lie on one side of 1 s once in 500 000 seeds.
        Assert.That(blackouts.Min(), Is.LessThan(1000));
        Assert.That(blackouts.Max(), Is.InRange(1000, 2200));
    }

    // Nothing is probed after the last message is due, so the silence from there on is none.
    [TestCase("slow n2-n3 delay=constant:11ms at 5s")]
    [TestCase("slow n2-n3 delay=constant:11ms at 7900ms")]
    public void Pairs_that_all_work_show_no_blackout_and_no_repair_wherever_a_harmless_fault_is(string fault)
    {
        var outcomes = new ClusterReplications(Mesh(fault), probes: true).Run(3, 0, 4);
        Assert.That(
            outcomes.Select(outcome => (outcome.BlackoutMilliseconds, outcome.RepairMilliseconds)),
            Has.All.EqualTo(((double?)0, (double?)0))
        );
    }

    [Test]
    public void The_trees_of_topics_converge_after_their_root_has_died()
    {
        var topology = TopologyFile.Read("overlays-table", ClusterSystem.TopicOverlay);
        topology = topology with
        {
            Scenario = topology.Scenario with { Faults = [FaultText.Parse("kill any at 5s for 30s", "test")] },
        };
        var outcome = new ClusterReplications(topology, probes: false).Run(1, 0, 0)[0];
        Assert.That(outcome.ConvergenceMilliseconds, Is.Positive.And.LessThan(60_000));
    }

    // A live client keeps what is due while its node is down, and sends it when it has come back.
    [Test]
    public void Every_message_is_published_although_a_node_is_down_for_a_while()
    {
        ClusterOutcome Run(string fault) => new ClusterReplications(Mesh(fault), probes: false).Run(3, 0, 0)[0];
        var (killed, frozen) = (Run("kill n1 at 3s for 1s"), Run("freeze n3 at 7900ms for 1ms"));
        Assert.That(killed.Publications, Is.EqualTo(frozen.Publications).And.Positive);
        Assert.That(Run("kill n1 at 3s").Publications, Is.LessThan(frozen.Publications), "it does not come back");
    }

    [Test]
    public void A_closed_loop_is_refused_with_what_is_allowed()
    {
        var topology = Graphs.Of("12:10");
        topology = topology with
        {
            Scenario = topology.Scenario with { Workload = topology.Load with { Arrivals = default } },
        };
        Assert.That(
            () => new ClusterReplications(topology, probes: false),
            Throws.TypeOf<InputException>().With.Message.Contains("constant")
        );
    }

    [TestCase("link(n1,n2).delay=10..30ms:3", "link(n1,n2).delay=20ms")]
    [TestCase("node(n1).capability=0..2:3", "node(n1).capability=1")]
    [TestCase("keepalive=0.5..1.5s:3", "keepalive=1s")]
    public void A_variation_has_equally_spaced_values(string text, string second)
    {
        var variants = TopologyVariation.Of(Graphs.Of("12:10"), text, "--vary");
        Assert.That((variants.Count, variants[1].Label), Is.EqualTo((3, second)));
        Assert.That(variants[0].Topology, Is.Not.EqualTo(variants[2].Topology));
    }

    private static TopologySite Site(string name, int node, double milliseconds) =>
        new()
        {
            Name = name,
            Node = node,
            DelayMilliseconds = new ConstantLaw(milliseconds),
            Publishers = 1,
            Subscribers = 1,
        };

    // Everybody publishes to everybody.
    private static ClusterScenario Fanned() =>
        new()
        {
            Workload = new()
            {
                Name = "all",
                Shape = Profiles.Workloads.WorkloadShape.FanOut,
                Arrivals = Profiles.Workloads.ArrivalKind.Constant,
                MessagesPerSecond = 20,
                Publishers = 2,
                Subscribers = 2,
                Duration = TimeSpan.FromSeconds(10),
            },
        };

    private static Topology Mesh(string fault) =>
        Graphs.Of(Graphs.Mesh(5), new NormalLaw(10, 2.5)) with
        {
            KeepAliveSeconds = 0.2,
            Scenario = new() { Faults = [FaultText.Parse(fault, "test")], Duration = TimeSpan.FromSeconds(8) },
        };

    private static string Text(ClusterOutcome outcome) =>
        $"{outcome with { DeliveryMilliseconds = [], Violations = [] }} "
        + string.Join(' ', outcome.DeliveryMilliseconds);
}
