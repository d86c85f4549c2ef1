using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Clusters.Tests.Topologies.Files;

[TestFixture]
internal sealed class TopologyWriterTests
{
    [TestCase("mesh:5", TreeRules.Safe, PeerHopMode.Qos0)]
    [TestCase("grid:3x3", TreeRules.Paper, PeerHopMode.Qos2)]
    [TestCase("line:3", TreeRules.Silent, PeerHopMode.Transport418)]
    public void A_node_reads_the_cluster_that_was_written(string family, TreeRules rules, PeerHopMode hop)
    {
        var topology = TopologyFile.Read(family);
        topology = topology with
        {
            Rules = rules,
            Hop = hop,
            KeepAliveSeconds = .2,
            HasIds = false,
            Nodes = [.. topology.Nodes.Select((node, i) => node with { Capability = i - 1.5 })],
            Links =
            [
                .. topology.Links.Select(
                    (link, i) =>
                        link with
                        {
                            DelayMilliseconds = new NormalLaw(10 + i, 2.5),
                            BitsPerSecond = i % 2 == 0 ? 10e6 : null,
                            Loss = .01 * i,
                        }
                ),
            ],
        };
        var read = TopologyFile.Parse(TopologyWriter.Write(topology), "test");
        Assert.Multiple(() =>
        {
            Assert.That(read.Nodes, Is.EqualTo(topology.Nodes));
            Assert.That(
                read.Links.Select(link => link with { Topics = [] }),
                Is.EqualTo(topology.Links.Select(link => link with { Topics = [] }))
            );
            Assert.That(
                (read.Name, read.System, read.Rules, read.Hop, read.KeepAliveSeconds, read.HasIds),
                Is.EqualTo((topology.Name, topology.System, rules, hop, .2, false))
            );
        });
    }
}
