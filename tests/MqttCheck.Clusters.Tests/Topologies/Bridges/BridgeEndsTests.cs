using System.Text.RegularExpressions;
using MqttCheck.Clusters.Tests.Topologies.Files;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Bridges;

namespace MqttCheck.Clusters.Tests.Topologies.Bridges;

/// <summary>Copies and ends of publications, beside a simulation that makes each copy by itself.</summary>
[TestFixture]
internal sealed class BridgeEndsTests
{
    private const int Configurations = 500;
    private const ulong Seed = 51;

    // The simulation gives up where no publication that ends comes near: it is then said to have no end.
    private const int MostCopies = 20_000;
    private const int LongestTopic = 400;

    private static readonly string[] s_patterns = ["#", "+", "a", "a/#", "p/#", "+/b", "p/+", "a/+/b", "+/+/#", "b"];
    private static readonly string[] s_prefixes = ["", "", "", "p/", "a/", "p/a/", "q/"];
    private static readonly string[] s_topics = ["a", "b", "a/b", "p/a/b", "p/p/p/a", "a/p/b", "q/p/a", "p/a/p/a/b"];

    private static readonly Dictionary<string, Regex> s_expressions = [];

    // The seed is fixed, and the simulation shares no code with what it judges: there are no false alarms.
    [Test]
    public void Five_hundred_random_configurations_make_the_copies_of_a_simulation_and_end_where_it_does()
    {
        var random = new Random((int)Seed);
        var (ending, endless, copied, renamed, growing) = (0, 0, 0, 0, 0);
        for (var configuration = 0; configuration < Configurations; configuration++)
        {
            var topology = Draw(random);
            foreach (var topic in s_topics)
            {
                var node = random.Next(topology.Nodes.Count);
                var route = BridgeRoutes.OfTopic(topology, node, topic);
                var simulated = Simulate(topology, node, topic);
                var text = $"{configuration}: {topic} at {node} of {Text(topology)}";
                Assert.That(route.Loop.Count == 0, Is.EqualTo(simulated is not null), text);
                if (simulated is null)
                {
                    endless++;
                    growing += route.IsGrowing ? 1 : 0;
                    continue;
                }
                Assert.That(route.Copies, Is.EqualTo(simulated), text);
                ending++;
                copied += simulated.Any(copies => copies > 1) ? 1 : 0;
            }
            renamed += Text(topology).Contains("/ ", StringComparison.Ordinal) ? 1 : 0;
        }
        // The sample holds many of each kind.
        Assert.That((int[])[ending, endless, copied, renamed, growing], Is.All.GreaterThan(50));
    }

    // Routes are by filters, and must not miss what a single topic does.
    [Test]
    public void What_a_topic_does_is_said_of_a_filter_too()
    {
        var random = new Random((int)Seed);
        var (loops, repeats) = (0, 0);
        for (var configuration = 0; configuration < Configurations; configuration++)
        {
            var topology = Draw(random);
            var forwarding = new BridgeForwarding(topology);
            var routes = BridgeRoutes.Of(topology);
            var ofTopics = Enumerable
                .Range(0, topology.Nodes.Count)
                .SelectMany(node => s_topics.Select(topic => BridgeRoutes.OfTopic(topology, node, topic)))
                .ToList();
            if (ofTopics.Exists(route => route.Loop.Count > 0))
            {
                loops++;
                Assert.That(routes.Any(route => route.Loop.Count > 0), Is.True, Text(topology));
            }
            if (ofTopics.Exists(route => BridgeRepeat.Of(forwarding, route).Any()))
            {
                repeats++;
                Assert.That(
                    routes.Any(route => route.Loop.Count > 0 || BridgeRepeat.Of(forwarding, route).Any()),
                    Is.True,
                    Text(topology)
                );
            }
        }
        Assert.That((int[])[loops, repeats], Is.All.GreaterThan(50));
    }

    private static Topology Draw(Random random)
    {
        var nodes = random.Next(2, 6);
        // All nodes are joined, and up to three further links make circles.
        var ends = Enumerable
            .Range(1, nodes - 1)
            .Select(node => (From: node, To: random.Next(node)))
            .Concat(
                Enumerable
                    .Range(0, random.Next(4))
                    .Select(_ => (From: random.Next(nodes), To: random.Next(nodes)))
                    .Where(link => link.From != link.To)
            )
            .Select(link => random.Next(2) == 0 ? link : (From: link.To, To: link.From))
            .ToList();
        var links = ends.ConvertAll(link =>
        {
            var (from, to) = link;
            var lines = Enumerable
                .Range(0, random.Next(1, 4))
                .Select(_ =>
                    $"\"{Of(s_patterns)} {Of(["out", "in", "both"])} {random.Next(3)} "
                    + $"{Word(Of(s_prefixes))} {Word(Of(s_prefixes))}\""
                );
            return $$"""{ "between": ["n{{from}}", "n{{to}}"], "topics": [{{string.Join(", ", lines)}}] }""";
        });
        var names = Enumerable.Range(0, nodes).Select(node => $$"""{ "name": "n{{node}}" }""");
        var topology = TopologyFileTests.Parse(
            $$"""
            { "name": "x", "system": "mosquitto-bridge", "nodes": [{{string.Join(", ", names)}}],
              "links": [{{string.Join(", ", links)}}] }
            """
        );
        return topology with { Links = [.. topology.Links.SelectMany(Varied)] };

        // Far ends that send back, bridges of MQTT 5, and bridges of a broker to itself are rarer.
        IEnumerable<TopologyLink> Varied(TopologyLink link)
        {
            yield return link with
            {
                IsEchoed = random.Next(4) == 0,
                IsVersion5 = random.Next(4) == 0,
            };
            if (random.Next(20) == 0)
                yield return link with
                {
                    To = link.From,
                };
        }

        string Of(string[] words) => words[random.Next(words.Length)];
        static string Word(string word) => word.Length == 0 ? "\\\"\\\"" : word;
    }

    // Copies by node, or null where the publication does not end.
    private static int[]? Simulate(Topology topology, int node, string topic)
    {
        var copies = new int[topology.Nodes.Count];
        var waiting = new Queue<(int Node, int Via, bool CameOut, string Topic)>([(node, -1, true, topic)]);
        for (var made = 0; waiting.TryDequeue(out var message); made++)
        {
            if (made > MostCopies || message.Topic.Length > LongestTopic)
                return null;
            copies[message.Node]++;
            for (var index = 0; index < topology.Links.Count; index++)
                foreach (var isOut in (bool[])[true, false])
                {
                    var link = topology.Links[index];
                    // A message leaves the end that it came to by the same connection only as an echo.
                    var isBack = index == message.Via && isOut != message.CameOut;
                    if ((isOut ? link.From : link.To) != message.Node || (isBack && (isOut || !link.IsEchoed)))
                        continue;
                    // A line that only sends unsubscribes from its filter, after the lines before it have subscribed.
                    var taking = link
                        .Topics.Where(line => line.Direction.HasFlag(isOut ? BridgeDirection.Out : BridgeDirection.In))
                        .Where(line =>
                            isOut
                            || !link
                                .Topics.SkipWhile(earlier => !ReferenceEquals(earlier, line))
                                .Any(later =>
                                    later.Direction == BridgeDirection.Out
                                    && later.RemotePrefix + later.Pattern == line.RemotePrefix + line.Pattern
                                )
                        )
                        .Select(line =>
                            isOut
                                ? (line.Pattern, Here: line.LocalPrefix, There: line.RemotePrefix)
                                : (line.Pattern, Here: line.RemotePrefix, There: line.LocalPrefix)
                        )
                        .Where(line => IsTaken(line.Here + line.Pattern, message.Topic))
                        .ToList();
                    if (taking.Count == 0)
                        continue;
                    var renaming = taking.Find(line => (line.Here + line.There).Length > 0);
                    var renamed = renaming.Pattern is null
                        ? message.Topic
                        : renaming.There
                            + (
                                message.Topic.StartsWith(renaming.Here, StringComparison.Ordinal)
                                    ? message.Topic[renaming.Here.Length..]
                                    : message.Topic
                            );
                    var filters = taking.Select(line => line.Here + line.Pattern).Distinct().Count();
                    for (var copy = 0; copy < (link.IsVersion5 ? filters : 1); copy++)
                        waiting.Enqueue((isOut ? link.To : link.From, index, isOut, renamed));
                }
        }
        return copies;
    }

    private static bool IsTaken(string filter, string topic)
    {
        if (!s_expressions.TryGetValue(filter, out var expression))
            s_expressions[filter] = expression = Expression(filter);
        return expression.IsMatch(topic);
    }

    private static Regex Expression(string filter)
    {
        var levels = filter.Split('/');
        var pattern = string.Join(
            '/',
            levels.TakeWhile(level => level != "#").Select(level => level == "+" ? "[^/]*" : Regex.Escape(level))
        );
        if (levels[^1] == "#")
            pattern = levels.Length == 1 ? ".*" : $"{pattern}(/.*)?";
        return new Regex($"^{pattern}$");
    }

    private static string Text(Topology topology) =>
        string.Join(
            "; ",
            topology.Links.Select(link =>
                $"n{link.From}-n{link.To}{(link.IsEchoed ? " echoed" : "")}{(link.IsVersion5 ? " v5" : "")}: "
                + string.Join(", ", link.Topics)
            )
        );
}
