using MqttCheck.ClusterProtocols.Transport;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Files;

namespace MqttCheck.ClusterProtocols.Tests.Transport;

[TestFixture]
internal sealed class TransportReplicationsTests
{
    private static readonly Topology s_capacity = TopologyFile.Read("transport-capacity", ClusterSystem.Transport);

    // The ratio of the article; its tolerance is that of TransportSimulationTests, over three runs of 5 s.
    [Test]
    public void The_file_of_capacities_has_the_published_ratio_and_sends_nothing_again()
    {
        var after = new TransportReplications(s_capacity).Run(1, 0, 2);
        var old = s_capacity with { Transport = s_capacity.Transport with { Design = "4.17" } };
        var before = new TransportReplications(old).Run(1, 0, 2);
        var ratio = (double)after.Sum(run => run.Deliveries) / before.Sum(run => run.Deliveries);
        Assert.That(ratio, Is.EqualTo(1.8).Within(.05));
        Assert.That(after.Concat(before).Select(run => (run.Retransmitted, run.Lost)), Has.All.EqualTo((0L, 0L)));
        Assert.That(after.Concat(before).SelectMany(run => run.Violations), Is.Empty);
    }

    [Test]
    [Category("Whole")]
    public void After_the_burst_of_the_file_only_version_4_18_sends_nothing_again()
    {
        var burst = TopologyFile.Read("transport-burst", ClusterSystem.Transport);
        foreach (var design in TransportDesign.All)
        {
            var topology = burst with { Transport = burst.Transport with { Design = design.Name } };
            var outcome = new TransportReplications(topology).Run(2, 0, 0)[0];
            Assert.That(outcome.Violations, Is.Empty, design.Name);
            Assert.That(outcome.Retransmitted == 0, Is.EqualTo(design == TransportDesign.Version418), design.Name);
        }
    }

    // An independent model of the same rules hands 215 to 219 messages a second of each node upward in order.
    [Test]
    public void Most_of_the_burst_is_undelivered_at_the_end_of_version_4_17_and_nothing_of_4_18()
    {
        var burst = TopologyFile.Read("transport-burst", ClusterSystem.Transport);
        var after = new TransportReplications(burst).Run(1, 0, 0)[0];
        var old = burst with { Transport = burst.Transport with { Design = "4.17" } };
        var before = new TransportReplications(old).Run(1, 0, 0)[0];
        using var _ = Assert.EnterMultipleScope();
        Assert.That((before.Lost, after.Lost), Is.EqualTo((0L, 0L)));
        Assert.That(before.UndeliveredAtEnd, Is.GreaterThan(before.Publications / 2));
        Assert.That(before.Owed, Is.EqualTo(before.Publications));
        Assert.That(before.CaughtUpMilliseconds, Is.EqualTo(double.PositiveInfinity));
        Assert.That(before.Throughput / 3, Is.InRange(205, 225));
        Assert.That(after.UndeliveredAtEnd, Is.Zero);
        Assert.That(after.CaughtUpMilliseconds, Is.InRange(0, 1000));
    }

    [Test]
    public void A_lost_connection_loses_nothing_and_sends_again()
    {
        var cut = With("cut n1-n2 at U(1s,2s)");
        var outcome = new TransportReplications(cut).Run(3, 0, 0)[0];
        Assert.That((outcome.Lost, outcome.Violations.Count), Is.EqualTo((0L, 0)));
        Assert.That(outcome.Retransmitted, Is.Positive);
    }

    [Test]
    public void Other_faults_and_missing_links_are_refused()
    {
        WrongValue.AssertRefused(
            ("'cut A-B at TIME'", () => new TransportReplications(With("kill n1 at 1s for 1s"))),
            ("such as mesh:3", () => new TransportReplications(TopologyFile.Read("line:3", ClusterSystem.Transport)))
        );
    }

    private static Topology With(string fault) =>
        s_capacity with
        {
            Scenario = s_capacity.Scenario with { Faults = [FaultText.Parse(fault, "test")] },
        };
}
