using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Files;

namespace MqttCheck.Clusters.Tests.Topologies.Faults;

[TestFixture]
internal sealed class ScheduledFaultTests
{
    private const ulong Seed = 26;
    private const long Second = 1_000_000_000;

    [Test]
    public void Fixed_faults_happen_when_and_where_they_say_in_order_of_time()
    {
        var faults = ScheduledFault.Of(
            With("cut n2-n3 at 9s", "kill n2 at 5s for 2s", "partition n1|n2,n3 at 7s for 1s"),
            Seed,
            run: 0
        );
        Assert.That(
            faults.Select(fault => (fault.AtNanoseconds / Second, fault.EndNanoseconds / Second)),
            Is.EqualTo(((long, long?)[])[(5, 7), (7, 8), (9, null)])
        );
        Assert.That(
            (faults.Select(fault => fault.Nodes.Count), faults[0].Nodes),
            Is.EqualTo(((int[])[1, 0, 0], (int[])[1]))
        );
        Assert.That(faults[1].Links, Is.EqualTo([0, 1]), "mesh:3 has the links n1-n2, n1-n3 and n2-n3");
        Assert.That(faults[2].Links, Is.EqualTo([2]));
    }

    [Test]
    public void Drawn_faults_are_uniform_over_brokers_and_time()
    {
        const int runs = 3000;
        var topology = With("kill any at U(10s,50s) for 1s");
        var faults = Enumerable.Range(0, runs).Select(run => ScheduledFault.Of(topology, Seed, run)[0]).ToList();
        // Three equal shares: a standard error of sqrt(2/9/3000) = .0086; wrong by 5 of these once in 1e6 seeds.
        foreach (var node in (int[])[0, 1, 2])
            Assert.That(faults.Count(fault => fault.Nodes[0] == node) / (double)runs, Is.EqualTo(1 / 3.0).Within(.043));
        Assert.That(faults.Select(fault => fault.AtNanoseconds), Is.All.InRange(10 * Second, 50 * Second));
        // The mean of uniform times: a standard error of 40 s / sqrt(12 * 3000) = .21 s.
        Assert.That(faults.Average(fault => fault.AtNanoseconds), Is.EqualTo(30.0 * Second).Within(1.05 * Second));
    }

    [Test]
    public void A_seed_and_a_run_repeat_the_faults_and_one_more_fault_changes_none()
    {
        var one = ScheduledFault.Of(With("kill any at U(10s,50s)"), Seed, run: 3);
        var two = ScheduledFault.Of(With("kill any at U(10s,50s)", "cut any at U(1s,59s)"), Seed, run: 3);
        Assert.That(two.Single(fault => fault.Fault.IsOfNodes).AtNanoseconds, Is.EqualTo(one[0].AtNanoseconds));
        Assert.That(
            ScheduledFault.Of(With("kill any at U(10s,50s)"), Seed, run: 4)[0].AtNanoseconds,
            Is.Not.EqualTo(one[0].AtNanoseconds)
        );
    }

    [Test]
    public void A_majority_is_drawn_and_all_are_all()
    {
        const int runs = 300;
        var majorities = Enumerable
            .Range(0, runs)
            .Select(run => ScheduledFault.Of(With("kill majority at 1s"), Seed, run)[0].Nodes)
            .ToList();
        Assert.That(majorities, Is.All.Count.EqualTo(2).And.All.Unique.And.All.Ordered);
        // Each pair has a share of 1/3; that one of the three is missing in 300 runs happens once in 1e52 seeds.
        Assert.That(majorities.Select(nodes => string.Join(',', nodes)).Distinct().Count(), Is.EqualTo(3));
        Assert.That(ScheduledFault.Of(With("power all at 1s"), Seed, run: 0)[0].Nodes, Is.EqualTo([0, 1, 2]));
        Assert.That(ScheduledFault.Of(With("stop n3,n1 at 1s"), Seed, run: 0)[0].Nodes, Is.EqualTo([2, 0]));
    }

    [Test]
    public void Clients_are_parted_from_nodes_and_one_direction_from_links()
    {
        var clients = ScheduledFault.Of(With("partition clients|n2 at 1s"), Seed, run: 0)[0];
        Assert.That((clients.Nodes, clients.Links), Is.EqualTo(((int[])[1], (int[])[])));
        var oneWay = ScheduledFault.Of(With("partition n3>n1,n2 at 1s"), Seed, run: 0)[0];
        Assert.That((oneWay.Nodes.Count, oneWay.Links), Is.EqualTo((0, (int[])[1, 2])));
    }

    private static Topology With(params string[] faults) =>
        TopologyFile.Read("mesh:3") with
        {
            Scenario = new ClusterScenario { Faults = [.. faults.Select(text => FaultText.Parse(text, "test"))] },
        };
}
