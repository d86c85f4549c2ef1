using System.Text;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.Clusters.Topologies.Systems;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Clusters.Tests.Topologies.Files;

[TestFixture]
internal sealed class TopologyFormatTests
{
    [Test]
    public void What_a_tree_says_of_signalling_and_of_machines_is_written_and_read_again()
    {
        var read = TopologyFile.Parse(
            """
            { "name": "x", "system": "spanning-tree", "signalling": "in-band",
              "machine": { "alpha": 2, "sampleSeconds": 1, "hysteresis": 0.25 },
              "nodes": [ { "name": "a", "capability": 0 }, { "name": "b" } ], "links": [ { "between": ["a", "b"] } ] }
            """u8,
            "test"
        );
        foreach (var topology in (Topology[])[read, TopologyFile.Parse(TopologyFile.Write(read), "written")])
        {
            Assert.That(topology.IsInBand, Is.True);
            Assert.That(
                topology.Machine,
                Is.EqualTo(
                    new MachineCapability
                    {
                        Alpha = 2,
                        SampleSeconds = 1,
                        Hysteresis = .25,
                    }
                )
            );
            Assert.That(topology.Nodes.Select(node => node.HasOwnCapability), Is.EqualTo([true, false]));
        }
    }

    [TestCase("spanning-tree", "\"signalling\": \"loud\"", "allowed: \"publish\", \"in-band\"")]
    [TestCase("flood", "\"signalling\": \"in-band\"", "allowed: with 'spanning-tree'")]
    [TestCase("spanning-tree", "\"signalling\": \"in-band\", \"hop\": \"transport-4.18\"", "with the hops \"qos0\"")]
    [TestCase("spanning-tree", "\"machine\": { \"alpha\": -1 }", "allowed: a number, 0 .. 1000000")]
    [TestCase("flood", "\"machine\": { }", "allowed: with 'spanning-tree' or 'single-overlay'")]
    public void Wrong_signalling_and_machines_are_named(string system, string keys, string message)
    {
        var text = $$"""{ "name": "x", "system": "{{system}}", "family": "line:3", {{keys}} }""";
        var wrong = Assert.Throws<InputException>(() => TopologyFile.Parse(Encoding.UTF8.GetBytes(text), "test"))!;
        Assert.That(wrong.Message, Does.Contain(message));
    }

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
            Transport =
                hop == PeerHopMode.Transport418
                    ? new()
                    {
                        SendQueue = 3,
                        ReceivesPerSecond = 17.5,
                        RetransmissionMilliseconds = 60,
                    }
                    : new(),
            Nodes =
            [
                .. topology.Nodes.Select((node, i) => node with { Capability = i - 1.5, HasOwnCapability = true }),
            ],
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
        var read = TopologyFile.Parse(TopologyFile.Write(topology), "test");
        Assert.Multiple(() =>
        {
            Assert.That(
                (read.Nodes, read.Links.Select(link => link with { Topics = [] })),
                Is.EqualTo((topology.Nodes, topology.Links.Select(link => link with { Topics = [] })))
            );
            Assert.That(
                (read.Name, read.System, read.Rules, read.Hop, read.KeepAliveSeconds, read.HasIds),
                Is.EqualTo((topology.Name, topology.System, rules, hop, .2, false))
            );
            Assert.That(read.Transport, Is.EqualTo(topology.Transport));
        });
    }

    [TestCase("4.17")]
    [TestCase("4.18")]
    public void A_node_of_a_transport_reads_its_design(string design)
    {
        var topology = TopologyFile.Read("transport-capacity");
        topology = topology with { Transport = topology.Transport with { Design = design, Shed = 9 } };
        var read = TopologyFile.Parse(TopologyFile.Write(topology), "test");
        Assert.That((read.System, read.Transport), Is.EqualTo((topology.System, topology.Transport)));
    }

    [Test]
    public void A_node_of_a_pipeline_reads_the_role_of_each_node_and_how_brokers_use_log_and_store()
    {
        var topology = TopologyFile.Read("pipeline-p2p");
        topology = topology with
        {
            Pipeline = new PipelineSettings
            {
                LingerMilliseconds = 2.5,
                PackSize = 7,
                Partitions = 3,
                HasSynchronousStore = true,
                SessionLimit = 11,
                StoreBatch = 13,
                Log = "kafka://127.0.0.1:9092",
                Store = "redis://127.0.0.1:6379",
                StoreReplicas = 2,
                WaitsForReplicas = false,
            },
        };
        var read = TopologyFile.Parse(TopologyFile.Write(topology), "test");
        Assert.That(
            (read.Pipeline, read.Nodes.Select(node => node.Kind)),
            Is.EqualTo((topology.Pipeline, topology.Nodes.Select(node => node.Kind)))
        );
    }

    [TestCase(6, 1, true)]
    [TestCase(3, 0, true)]
    [TestCase(5, 0, true)]
    [TestCase(5, 1, false)]
    [TestCase(2, 0, false)]
    [TestCase(4, 1, false)]
    public void A_Redis_Cluster_has_three_primaries_or_more_with_as_many_replicas_as_each_has(
        int stores,
        int replicas,
        bool isRight
    )
    {
        var nodes = string.Concat(
            Enumerable.Range(1, stores).Select(store => $$""", { "name": "r{{store}}", "kind": "store" }""")
        );
        var text = $$"""
            { "name": "x", "system": "pipeline",
              "pipeline": { "store": "redis-cluster", "storeReplicas": {{replicas}} },
              "nodes": [ { "name": "b" }, { "name": "log", "kind": "log" }{{nodes}} ],
              "links": [ { "between": ["b", "log"] } ] }
            """;
        Assert.That(
            () => TopologyFile.Parse(System.Text.Encoding.UTF8.GetBytes(text), "x.json"),
            isRight ? Throws.Nothing : Throws.TypeOf<InputException>().With.Message.Contains("and at least 3 primaries")
        );
    }
}
