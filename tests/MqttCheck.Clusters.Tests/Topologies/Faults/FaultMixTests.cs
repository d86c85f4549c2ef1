using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Files;

namespace MqttCheck.Clusters.Tests.Topologies.Faults;

[TestFixture]
internal sealed class FaultMixTests
{
    private const ulong Seed = 53;
    private const long Second = 1_000_000_000;
    private const int Runs = 400;

    [Test]
    public void Every_fault_of_a_mix_lasts_up_to_15_seconds_and_is_over_when_the_mix_is()
    {
        foreach (var fault in Many("mix at 10s for 61s"))
        {
            Assert.That(fault.AtNanoseconds, Is.InRange(10 * Second, 70 * Second));
            Assert.That(fault.EndNanoseconds, Is.InRange(fault.AtNanoseconds + Second, 71 * Second));
            Assert.That(fault.EndNanoseconds - fault.AtNanoseconds, Is.AtMost(15 * Second));
            Assert.That(FaultText.Parse($"{fault.Fault}", "test"), Is.EqualTo(fault.Fault), "a run can be repeated");
        }
    }

    // Pieces of 5 to 15 s that are calm with probability 1/4: in 400 runs of 600 s there are some 24 000. Only calm is
    // without a fault here, where each kind can hit each number of nodes. The standard error of the share is below
    // sqrt(.75 * .25 / 20000) = .0031 times 1.04 for the pieces' lengths; wrong by 5 of these once in 1e6 seeds.
    [Test]
    public void A_quarter_of_a_mix_is_calm()
    {
        var covered = 0L;
        for (var run = 0; run < Runs; run++)
        {
            var until = 0L;
            foreach (var fault in ScheduledFault.Of(With("mix kinds=kill,freeze at 0s for 600s"), Seed, run))
            {
                covered += Math.Max(0, fault.EndNanoseconds!.Value - Math.Max(until, fault.AtNanoseconds));
                until = Math.Max(until, fault.EndNanoseconds.Value);
            }
        }
        Assert.That(covered / (600.0 * Second * Runs), Is.EqualTo(.75).Within(.017));
    }

    [Test]
    public void A_mix_hits_one_node_a_minority_a_majority_and_all_with_each_of_its_kinds()
    {
        var faults = Many("mix kinds=kill,power,fill,partition at 0s for 60s").ToList();
        Assert.That(
            faults.Select(fault => fault.Fault.Kind).Distinct(),
            Is.EquivalentTo([FaultKind.Kill, FaultKind.Power, FaultKind.Fill, FaultKind.Partition])
        );
        Assert.That(
            faults.Where(fault => fault.Fault.IsOfNodes).Select(fault => fault.Nodes.Count).Distinct(),
            Is.EquivalentTo([1, 2, 3])
        );
        Assert.That(faults.Where(fault => !fault.Fault.IsOfNodes).Select(fault => fault.Links.Count), Is.All.Positive);
    }

    [Test]
    public void A_node_of_a_mix_has_one_fault_at_a_time()
    {
        for (var run = 0; run < Runs; run++)
        {
            var faults = ScheduledFault.Of(With("mix kinds=kill,power,freeze at 0s for 60s"), Seed, run);
            foreach (var at in faults.GroupBy(fault => fault.AtNanoseconds))
                Assert.That(at.SelectMany(fault => fault.Nodes), Is.Unique);
        }
    }

    [Test]
    public void A_mix_keeps_to_its_nodes_and_a_seed_and_a_run_repeat_it()
    {
        Assert.That(Many("mix n1,n3 kinds=kill at 0s for 60s").SelectMany(fault => fault.Nodes), Is.All.Not.EqualTo(1));
        string[] Texts(int run) =>
            [.. ScheduledFault.Of(With("mix at 0s for 60s"), Seed, run).Select(fault => $"{fault.Fault}")];
        var first = Texts(1);
        Assert.That(Texts(1), Is.EqualTo(first));
        Assert.That(Texts(2), Is.Not.EqualTo(first));
    }

    [Test]
    public void A_mix_may_hit_every_node_that_it_says_it_may_hit()
    {
        var topology = TopologyFile.Read("aedes-redis-2") with
        {
            Scenario = new ClusterScenario { Faults = [FaultText.Parse("mix kinds=power at 0s for 60s", "test")] },
        };
        Assert.That(
            Enumerable
                .Range(0, Runs)
                .SelectMany(run => ScheduledFault.Of(topology, Seed, run))
                .SelectMany(fault => fault.Nodes)
                .Distinct()
                .ToList(),
            Is.EquivalentTo(topology.Scenario.Faults[0].Candidates(topology)).And.Count.EqualTo(topology.Nodes.Count)
        );
    }

    private static IEnumerable<ScheduledFault> Many(string mix) =>
        Enumerable.Range(0, Runs).SelectMany(run => ScheduledFault.Of(With(mix), Seed, run));

    private static Topology With(string fault) =>
        TopologyFile.Read("mesh:3") with
        {
            Scenario = new ClusterScenario { Faults = [FaultText.Parse(fault, "test")] },
        };
}
