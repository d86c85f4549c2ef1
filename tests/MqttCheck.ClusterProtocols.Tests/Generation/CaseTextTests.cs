using FsCheck;
using FsCheck.Fluent;
using MqttCheck.ClusterProtocols.Generation;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;

namespace MqttCheck.ClusterProtocols.Tests.Generation;

[TestFixture]
internal sealed class CaseTextTests
{
    [TestCase(ClusterSystem.SpanningTree)]
    [TestCase(ClusterSystem.SingleOverlay)]
    public void What_is_printed_is_read_again_also_after_shrinking(ClusterSystem system)
    {
        var topology = TopologyFile.Read("grid:2x3", system);
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(200).WithReplay(20261125, 27),
            Prop.ForAll(
                new ClusterCaseGenerator(topology).ToArbitrary(),
                tested =>
                {
                    ClusterCase[] variants = [tested, .. ClusterCaseShrinker.Shrink(topology, tested).Take(60)];
                    foreach (var variant in variants)
                        Assert.That(
                            CaseText.Parse($"{variant}", topology, "test").ToString(),
                            Is.EqualTo($"{variant}")
                        );
                }
            )
        );
    }

    [TestCase("n9 publish t qos=1 at 3s", "unknown node 'n9'")]
    [TestCase("n1 publish t/# qos=1 at 3s", "a publication has a topic")]
    [TestCase("n1 publish t qos=3 at 3s", "qos=0, qos=1, qos=2")]
    [TestCase("n1 publish t qos=1 at 3", "no time")]
    [TestCase("without n1-n6", "no link")]
    [TestCase("kill n9 at 3s", "unknown node 'n9'")]
    [TestCase("kick n1 at 3s", "there is no fault 'kick'")]
    public void A_wrong_line_is_named_with_what_is_allowed(string text, string problem) =>
        Assert.That(
            () => CaseText.Parse("n1 publish t qos=1 at 1s; " + text, TopologyFile.Read("grid:2x3"), "--steps"),
            Throws.TypeOf<InputException>().With.Message.Contains(problem).And.Message.Contains($"--steps: '{text}'")
        );
}
