using System.Globalization;
using System.Text;
using MqttCheck.Clusters.Tests.Topologies.Files;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Bridges;
using MqttCheck.Clusters.Topologies.Files;

namespace MqttCheck.Clusters.Tests.Topologies.Bridges;

[TestFixture]
internal sealed class BridgeRoutesTests
{
    [TestCase("bridge-pair", 1)]
    [TestCase("bridge-chain", 2)]
    public void Everything_reaches_every_broker_once_over_a_tree_of_bridges(string name, int messages)
    {
        var topology = TopologyFile.Read(name);
        var routes = BridgeRoutes.Of(topology);
        Assert.That(routes.Select(route => route.Node), Is.EqualTo(topology.Brokers));
        Assert.That(routes.Select(route => route.Filter), Is.All.EqualTo("#"));
        Assert.That(routes.Select(route => route.Messages.Sum()), Is.All.EqualTo(messages));
        Assert.That(routes.SelectMany(route => route.Copies), Is.All.EqualTo(1));
        Assert.That(routes.SelectMany(route => route.Loop), Is.Empty);
        Assert.That(LinkLoads.PerPublication(topology)!.Sum(), Is.EqualTo((double)messages).Within(1e-9));
    }

    [Test]
    public void A_triangle_of_bridges_is_a_loop_from_each_of_its_brokers()
    {
        var topology = TopologyFile.Read("bridge-triangle");
        var routes = BridgeRoutes.Of(topology);
        Assert.That(routes.Select(route => route.Node), Is.EqualTo([0, 1, 2]));
        foreach (var route in routes)
            Assert.That(route.Loop.Order().Distinct(), Is.EqualTo([0, 1, 2]));
        Assert.That(LinkLoads.PerPublication(topology), Is.All.EqualTo(double.PositiveInfinity));
    }

    [Test]
    public void Two_mirrored_bridges_out_are_a_loop_and_one_bridge_both_ways_is_none()
    {
        var mirrored = Bridges(
            """{ "between": ["a", "b"], "topics": "#" }, { "between": ["b", "a"], "topics": "#" }"""
        );
        Assert.That(BridgeRoutes.Of(mirrored)[0].Loop, Is.EqualTo([0, 1, 0]));
        var both = Bridges("""{ "between": ["a", "b"], "topics": "# both" }""");
        Assert.That(BridgeRoutes.Of(both)[0].Loop, Is.Empty);
    }

    [Test]
    public void A_loop_of_some_topics_names_them_and_leaves_the_others_alone()
    {
        // Each bridge takes more; only what all three take goes round.
        var topology = Bridges(
            """
            { "between": ["a", "b"], "topics": "s/+ out 1" }, { "between": ["b", "c"], "topics": "+/t out 1" },
            { "between": ["c", "a"], "topics": "# out 0" }
            """,
            nodes: 3
        );
        var routes = BridgeRoutes.Of(topology).Where(route => route.Node == 0).ToList();
        var loop = routes.Single(route => route.Loop.Count > 0);
        Assert.That((loop.Filter, loop.LowestQos, loop.Loop), Is.EqualTo(("s/t", 0, (int[])[0, 1, 2, 0])));
        var open = routes.Single(route => route.Loop.Count == 0);
        Assert.That((open.Filter, open.Copies[1], open.Copies[2]), Is.EqualTo(("s/+", 1, 0)));
    }

    [Test]
    public void Prefixes_rename_topics_and_can_end_what_would_be_a_loop()
    {
        var topology = Bridges(
            """
            { "between": ["a", "b"], "topics": "# both 1 \"\" from/" }, { "between": ["b", "a"], "topics": "from/up/# out 1" }
            """
        );
        var route = BridgeRoutes.OfTopic(topology, 0, "up/1");
        // a: up/1 -> b: from/up/1 -> a: from/up/1 -> b: from/from/up/1, which the second bridge does not take.
        Assert.That(route.Loop, Is.Empty);
        Assert.That(route.Messages, Is.EqualTo([2, 0, 1, 0]));
        Assert.That(BridgeRoutes.OfTopic(topology, 1, "from/x").Copies, Is.EqualTo([1, 1]));
        Assert.That(BridgeRoutes.OfTopic(topology, 1, "else").Copies, Is.EqualTo([0, 1]));
    }

    [Test]
    public void A_loop_in_which_every_turn_adds_a_prefix_is_found_and_said_to_grow()
    {
        var topology = Bridges(
            """{ "between": ["a", "b"], "topics": "# out 1 \"\" x/" }, { "between": ["b", "a"], "topics": "# out" }"""
        );
        var route = BridgeRoutes.OfTopic(topology, 0, "t");
        Assert.That((route.Loop.Count, route.IsGrowing), Is.EqualTo((3, true)));
        Assert.That(BridgeRoutes.Of(topology), Has.Some.Matches<BridgeRoute>(found => found.IsGrowing));
    }

    // Mosquitto 2.0.11 sends SUBSCRIBE a/# and UNSUBSCRIBE a/#, in the order of the lines.
    [TestCase("", 0)]
    [TestCase(""", "options": { "bridge_attempt_unsubscribe": "false" }""", 1)]
    public void A_line_out_ends_an_earlier_line_in_with_its_filter(string options, int copies)
    {
        var topology = Bridges("""{ "between": ["a", "b"], "topics": ["a/# in", "a/# out"]""" + options + " }");
        Assert.That(BridgeRoutes.OfTopic(topology, 1, "a/x").Copies, Is.EqualTo([copies, 1]));
        Assert.That(BridgeRoutes.OfTopic(topology, 0, "a/x").Copies, Is.EqualTo([1, 1]));
    }

    [Test]
    public void System_topics_pass_no_wildcard_at_the_beginning()
    {
        var topology = Bridges("""{ "between": ["a", "b"], "topics": ["# out", "$SYS/load in"] }""");
        Assert.That(BridgeRoutes.OfTopic(topology, 0, "$SYS/load").Copies, Is.EqualTo([1, 0]));
        Assert.That(BridgeRoutes.OfTopic(topology, 1, "$SYS/load").Copies, Is.EqualTo([1, 1]));
    }

    [Test]
    public void Two_ways_to_one_broker_without_a_loop_are_two_copies()
    {
        var topology = Bridges(
            """
            { "between": ["a", "b"], "topics": "# out" }, { "between": ["b", "c"], "topics": "# out" },
            { "between": ["a", "c"], "topics": "# out" }
            """,
            nodes: 3
        );
        Assert.That(BridgeRoutes.OfTopic(topology, 0, "t").Copies, Is.EqualTo([1, 1, 2]));
    }

    [Test]
    public void A_bridge_that_strips_a_prefix_each_round_ends_after_as_many_rounds()
    {
        var topology = Bridges(
            """{ "between": ["a", "b"], "topics": "# out 1 p/ \"\"" }, { "between": ["b", "a"], "topics": "# out 1" }"""
        );
        var route = BridgeRoutes.OfTopic(topology, 0, "p/p/p/p/p/p/p/x");
        // Mosquitto 2.0.11: 8 arrivals at a subscriber of a, 7 at one of b, then silence.
        Assert.That((route.Loop.Count, route.Copies), Is.EqualTo((0, (int[])[8, 7])));
        Assert.That(BridgeRoutes.Of(topology).SelectMany(found => found.Loop), Is.Empty);
    }

    [Test]
    public void A_topic_without_the_slash_of_a_prefix_keeps_its_beginning()
    {
        var topology = Bridges("""{ "between": ["a", "b"], "topics": "# out 1 p/ q/" }""");
        // "p/#" takes "p", and Mosquitto strips "p/" only.
        Assert.That(BridgeRoutes.OfTopic(topology, 0, "p").Copies, Is.EqualTo([1, 1]));
        Assert.That(BridgeRoutes.Of(topology).Single().Filter, Is.EqualTo("p/#"));
    }

    [Test]
    public void What_only_topics_with_few_levels_do_is_said_of_those_alone()
    {
        var topology = Bridges(
            """{ "between": ["a", "b"], "topics": "x/# out 1" }, { "between": ["b", "a"], "topics": "x/+ out 1" }"""
        );
        Assert.That(
            BridgeRoutes.Of(topology).Where(route => route.Node == 0).Select(route => (route.Filter, route.Loop.Count)),
            Is.EquivalentTo([("x/#", 0), ("x/+", 3)])
        );
    }

    // Twice the brokers with twice the lines are four times the pairs of a start and a line.
    [TestCase("""t{1}/# {2} 1 \"\" s{0}/""")]
    [TestCase("g{1}/+/# both 1")]
    public void Fifty_brokers_with_five_hundred_lines_are_no_more_work_for_each_pair_than_half_of_them(string line)
    {
        Assert.That(Looks(brokers: 50), Is.LessThan(5 * Looks(brokers: 25)));

        long Looks(int brokers)
        {
            var links = Enumerable
                .Range(1, brokers - 1)
                .Select(node =>
                    $$"""{ "between": ["n{{node}}", "n{{(node - 1) / 3}}"], "topics": ["""
                    + string.Join(", ", Enumerable.Range(0, 10).Select(at => Line(node, at)))
                    + "] }"
                );
            var nodes = Enumerable.Range(0, brokers).Select(node => $$"""{ "name": "n{{node}}" }""");
            var topology = TopologyFileTests.Parse(
                $$"""
                { "name": "x", "system": "mosquitto-bridge", "nodes": [{{string.Join(", ", nodes)}}],
                  "links": [{{string.Join(", ", links)}}] }
                """
            );
            var forwarding = new BridgeForwarding(topology);
            Assert.That(BridgeRoutes.Of(topology, forwarding), Is.Not.Empty);
            return forwarding.Looks;
        }

        string Line(int node, int at) =>
            $"\"{string.Format(CultureInfo.InvariantCulture, line, node, at, at % 2 == 0 ? "out" : "in")}\"";
    }

    [Test]
    public void Both_ways_of_a_publication_that_comes_twice_are_told()
    {
        var topology = Bridges(
            """
            { "between": ["a", "b"], "topics": ["x/# out 1", "z/# in 1"] }, { "between": ["b", "a"], "topics": "x/# in 1" }
            """
        );
        var route = BridgeRoutes.Of(topology).Single(route => route.Node == 0);
        Assert.That((route.Filter, route.Loop.Count, route.Copies[1]), Is.EqualTo(("x/#", 0, 2)));
        var repeat = BridgeRepeat.Of(new BridgeForwarding(topology), route).Single();
        Assert.That((repeat.Node, repeat.Topic, repeat.IsBack), Is.EqualTo((1, "x/xx/xx/xx", false)));
        Assert.That(repeat.Walks.Select(walk => walk.Hops.Single().Link), Is.EqualTo([0, 1]));
    }

    // A rest is alike for a filter where no way through the filter tells it from another one.
    [TestCase("a/+/b", "x/b", "y/b", true)]
    [TestCase("a/+/b", "x/b", "x/c", false)]
    [TestCase("p/#", "p", "p/p", true)]
    [TestCase("p/#", "q", "p", false)]
    [TestCase("#", "x", "$SYS", false)]
    public void A_filter_tells_rests_apart_by_its_characters(string filter, string one, string other, bool isAlike) =>
        Assert.That(FilterStates.Of(filter, one).SequenceEqual(FilterStates.Of(filter, other)), Is.EqualTo(isAlike));

    [Test]
    public void Twenty_bridges_in_a_circle_that_rename_end_where_they_began()
    {
        // 20 links, each of which renames; a publication goes through all and back to its broker once.
        var names = string.Join(", ", Enumerable.Range(0, 20).Select(node => $$"""{ "name": "n{{node}}" }"""));
        var links = string.Join(
            ", ",
            Enumerable
                .Range(0, 20)
                .Select(node =>
                    $$"""{ "between": ["n{{node}}", "n{{(node + 1) % 20}}"], "topics": "# out 1 t{{node}}/ t{{node + 1}}/" }"""
                )
        );
        var topology = TopologyFileTests.Parse(
            $$"""{ "name": "x", "system": "mosquitto-bridge", "nodes": [{{names}}], "links": [{{links}}] }"""
        );
        Assert.That(
            BridgeRoutes.OfTopic(topology, 0, "t0/x").Copies,
            Is.EqualTo((int[])[2, .. Enumerable.Repeat(1, 19)])
        );
    }

    private static Topology Bridges(string links, int nodes = 2) =>
        TopologyFileTests.Parse(
            $$"""
            { "name": "x", "system": "mosquitto-bridge", "nodes": [ { "name": "a" }, { "name": "b" } {{(
                nodes == 3 ? """, { "name": "c" }""" : ""
            )}} ], "links": [ {{links}} ] }
            """
        );

    // The load publishes at a and subscribes at b, or the other way.
    [TestCase("# both 1", "", "a", "b", null)]
    [TestCase("sensors/# out 1", "sensors/", "a", "b", null)]
    [TestCase(
        "sensors/# out 1",
        "",
        "a",
        "b",
        "no bridge takes a message of load 'cluster-pairs' on 'mqttcheck/x/0' from a to b"
    )]
    [TestCase(
        "sensors/# out 1",
        "sensors/",
        "b",
        "a",
        "no bridge takes a message of load 'cluster-pairs' on 'sensors/mqttcheck/x/0' from b to a"
    )]
    public void A_load_that_no_bridge_takes_to_its_receiver_is_known_without_a_broker(
        string topics,
        string prefix,
        string from,
        string to,
        string? gap
    )
    {
        var text =
            $$"""{ "name": "x", "system": "mosquitto-bridge", "nodes": [ { "name": "a" }, { "name": "b" } ], """
            + $$""" "links": [ { "between": ["a", "b"], "topics": "{{topics}}" } ], """
            + (prefix.Length > 0 ? $"\"topicPrefix\": \"{prefix}\", " : "")
            + $$""" "sites": [ { "name": "p", "at": "{{from}}", "publishers": 1 }, """
            + $$""" { "name": "s", "at": "{{to}}", "subscribers": 1 } ] }""";
        Assert.That(new BridgeReach(TopologyFile.Parse(Encoding.UTF8.GetBytes(text), "x.json")).Gap(), Is.EqualTo(gap));
    }
}
