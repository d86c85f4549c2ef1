using MqttCheck.ClusterProtocols.Generation;
using MqttCheck.ClusterProtocols.Transport;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;

namespace MqttCheck.ClusterProtocols.Tests.Transport;

[TestFixture]
internal sealed class TransportCheckTests
{
    private static readonly Topology s_topology = TopologyFile.Read("transport-capacity", ClusterSystem.Transport);

    [TestCase("4.17")]
    [TestCase("separate-acknowledgements")]
    [TestCase("unbounded-queue")]
    [TestCase("4.18")]
    public void Each_design_keeps_what_a_transport_promises(string design)
    {
        var check = new TransportCheck(Of(design), 1, TransportMutant.None);
        for (var number = 0; number < 100; number++)
            Assert.That(check.Next()?.ToString(), Is.Null);
    }

    [Test]
    public void An_acknowledgement_over_a_gap_is_found_and_shrunk()
    {
        var topology = Of("4.17");
        var check = new TransportCheck(topology, 1, TransportMutant.AcknowledgesOverGaps);
        ClusterFinding? finding = null;
        for (var number = 0; number < 100 && finding is null; number++)
            finding = check.Next();
        Assert.That(finding, Is.Not.Null);
        TestContext.Out.WriteLine($"case {finding!.Number}: {finding.Violation}\n{finding.Shrunk}");
        var read = CaseText.Parse(finding.Shrunk.ToString(), topology, "test");
        Assert.Multiple(() =>
        {
            Assert.That(finding.Violation.Invariant, Is.EqualTo("transport"));
            Assert.That(finding.Shrunk.OperationCount, Is.LessThanOrEqualTo(finding.Found.OperationCount));
            Assert.That(TransportCheck.Judge(topology, read, finding.Seed, TransportMutant.None), Is.Empty);
            Assert.That(
                TransportCheck.Judge(topology, read, finding.Seed, TransportMutant.AcknowledgesOverGaps),
                Does.Contain(finding.Violation)
            );
        });
    }

    // A sender may be fast for as long as it has not heard: 23 messages wait in case 28 179 of the seed 1.
    [Test]
    [Category("Whole")]
    public void The_shipped_burst_is_right_in_thirty_thousand_cases()
    {
        var check = new TransportCheck(TopologyFile.Read("transport-burst"), 1, TransportMutant.None);
        for (var number = 0; number < 30_000; number++)
            Assert.That(check.Next()?.ToString(), Is.Null);
    }

    [Test]
    public void A_node_that_never_holds_back_is_found()
    {
        var check = new TransportCheck(TopologyFile.Read("transport-burst"), 1, TransportMutant.NeverHoldsBack);
        ClusterFinding? finding = null;
        for (var number = 0; number < 100 && finding is null; number++)
            finding = check.Next();
        Assert.That(finding?.Violation.What, Does.Contain("new messages after it had heard"));
    }

    private static Topology Of(string design) =>
        s_topology with
        {
            Transport = s_topology.Transport with { Design = design },
        };
}
