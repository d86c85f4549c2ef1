using MqttCheck.Brokers.Tests.Processes;
using MqttCheck.Clusters.Mosquitto.Joining;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Bridges;

namespace MqttCheck.LiveClusters.Tests.Bridges;

/// <summary>Random configurations of two to four Mosquitto brokers, beside what is said of their files.</summary>
[Category("Whole")]
internal sealed class RealBridgesTests
{
    private const int Seed = 51;

    // Copies that end stay below, and a loop comes to it in some milliseconds.
    private const int MostCopies = 40;
    private const int LoopArrivals = 120;
    private const int MostTried = 12;

    // Bridges to a broker that is not there yet try again after six seconds, so many wait at the same time.
    private const int StartedTogether = 20;

    private static readonly TimeSpan s_quiet = TimeSpan.FromMilliseconds(150);

    private static readonly string[] s_patterns = ["#", "+", "a", "a/#", "p/#", "+/b", "p/+", "a/+/b", "+/+/#", "b"];
    private static readonly string[] s_prefixes = ["\"\"", "\"\"", "\"\"", "p/", "a/", "p/a/", "q/"];
    private static readonly string[] s_topics = ["a", "b", "a/b", "p/a/b", "p/p/p/a", "a/p/b", "q/p/a"];

    // The seed is fixed, and brokers answer the same each time: there are no false alarms but by a machine that stalls.
    [TestCase(20)]
    [TestCase(60, Explicit = true)]
    public void Random_configurations_make_the_copies_that_their_files_say_on_real_brokers(int configurations)
    {
        Missing.Require("mosquitto", "apt-get install mosquitto (Debian, Ubuntu), brew install mosquitto (macOS)");
        var wrong = new List<string>();
        var (loops, copies, renamed, echoes) = (0, 0, 0, 0);
        foreach (var batch in Drawn(configurations).Chunk(StartedTogether))
        {
            try
            {
                foreach (var drawn in batch)
                    drawn.Brokers.Start();
                Parallel.ForEach(
                    batch,
                    new ParallelOptions { MaxDegreeOfParallelism = 2 },
                    drawn =>
                    {
                        var differences = Differences(drawn).ToList();
                        lock (wrong)
                            wrong.AddRange(differences);
                    }
                );
            }
            finally
            {
                foreach (var drawn in batch)
                    drawn.Brokers.Dispose();
            }
            loops += batch.Count(drawn => drawn.Loops);
            copies += batch.Count(drawn => drawn.HasCopies);
            renamed += batch.Count(drawn => drawn.Renames);
            echoes += batch.Count(drawn => drawn.Topology.Links.Any(link => link.IsEchoed));
        }
        Assert.That(wrong, Is.Empty);
        Assert.That((int[])[loops, copies, renamed, echoes], Is.All.AtLeast(configurations / 4));
    }

    private static IEnumerable<string> Differences(Configuration drawn)
    {
        drawn.Brokers.WaitForBridges(TimeSpan.FromSeconds(40));
        // Those with the most copies, and one that goes round at the end.
        var tried = drawn
            .Routes.Where(route => route.Loop.Count == 0)
            .OrderByDescending(route => route.Copies.Sum())
            .Take(MostTried)
            .Concat(drawn.Routes.Where(route => route.Loop.Count > 0).Take(1));
        foreach (var route in tried)
        {
            bool IsExpected(int[] counts) => IsAsSaid(route, counts);
            var arrivals = drawn.Brokers.Publish(route.Node, route.Sample, IsExpected, LoopArrivals, s_quiet);
            if (!IsExpected(arrivals))
                yield return $"{route.Sample} at n{route.Node}: said "
                    + (route.Loop.Count > 0 ? "without end" : string.Join(' ', route.Copies))
                    + $", came {string.Join(' ', arrivals)}, of {drawn.Text}";
        }
        if (drawn.Loops)
            drawn.Brokers.Dispose();
    }

    private static bool IsAsSaid(BridgeRoute route, int[] arrivals) =>
        route.Loop.Count > 0 ? arrivals.Sum() >= LoopArrivals : arrivals.SequenceEqual(route.Copies);

    private static IEnumerable<Configuration> Drawn(int configurations)
    {
        var random = new Random(Seed);
        var (copied, plain) = (0, 0);
        for (var count = 0; count < configurations; )
        {
            var drawn = Draw(random);
            // The sample has room for loops, which are rarer.
            var isWanted =
                drawn.Loops || (drawn.HasCopies ? ++copied <= configurations / 2 : ++plain <= configurations / 4);
            if (drawn.HasMany || !isWanted)
            {
                drawn.Brokers.Dispose();
                continue;
            }
            count++;
            yield return drawn;
        }
    }

    private static Configuration Draw(Random random)
    {
        var nodes = random.Next(2, 5);
        var ends = Enumerable
            .Range(1, nodes - 1)
            .Select(node => (From: node, To: random.Next(node)))
            .Concat(Enumerable.Range(0, random.Next(4)).Select(_ => (From: random.Next(nodes), To: random.Next(nodes))))
            .Where(link => link.From != link.To)
            .Select(link => random.Next(2) == 0 ? link : (From: link.To, To: link.From))
            .ToList();
        var texts = Enumerable
            .Range(0, nodes)
            .Select(node => $"listener {{port{node}}} 127.0.0.1\nallow_anonymous true\nlog_dest none\n")
            .ToArray();
        foreach (var (index, (from, to)) in ends.Index())
        {
            texts[from] +=
                $"connection c{index}\naddress 127.0.0.1:{{port{to}}}\nnotifications_local_only true\n"
                + $"restart_timeout 1\ntry_private {(random.Next(4) == 0 ? "false" : "true")}\n"
                + $"bridge_protocol_version {Of(["mqttv31", "mqttv311", "mqttv311", "mqttv50"])}\n";
            for (var line = random.Next(1, 4); line > 0; line--)
                texts[from] +=
                    $"topic {Of(s_patterns)} {Of(["out", "in", "both"])} {random.Next(3)} {Of(s_prefixes)} "
                    + $"{Of(s_prefixes)}\n";
        }
        var brokers = new RealBridges(texts);
        return new Configuration(
            brokers,
            ConfTopology.Read(brokers.Files, [], [], []).Topology,
            string.Join('\n', texts)
        );

        string Of(string[] words) => words[random.Next(words.Length)];
    }

    private sealed class Configuration
    {
        public Configuration(RealBridges brokers, Topology topology, string text)
        {
            (Brokers, Topology, Text) = (brokers, topology, text);
            Routes =
            [
                .. from node in Enumerable.Range(0, topology.Nodes.Count)
                from topic in s_topics
                select BridgeRoutes.OfTopic(topology, node, topic),
            ];
            HasMany = Routes.Any(route => route.Loop.Count == 0 && route.Copies.Sum() > MostCopies);
        }

        public RealBridges Brokers { get; }

        public Topology Topology { get; }

        public string Text { get; }

        public IReadOnlyList<BridgeRoute> Routes { get; }

        // More copies than can be told from a loop in a short time.
        public bool HasMany { get; }

        public bool Loops => Routes.Any(route => route.Loop.Count > 0);

        public bool HasCopies => Routes.Any(route => route.Loop.Count == 0 && route.Copies.Any(copies => copies > 1));

        public bool Renames =>
            Topology.Links.Any(link => link.Topics.Any(line => line.LocalPrefix.Length + line.RemotePrefix.Length > 0));
    }
}
