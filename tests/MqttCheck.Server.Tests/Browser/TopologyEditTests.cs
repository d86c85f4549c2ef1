using System.Globalization;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.Server.Answers;
using MqttCheck.Server.Hosting;
using MqttCheck.Server.Questions;

namespace MqttCheck.Server.Tests.Browser;

/// <summary>
/// What an edit of the picture makes of a topology is a file, and says what was meant: random edits one after the
/// other, against a model of what each has to do.
/// </summary>
[TestFixture]
internal sealed class TopologyEditTests : PageFixture
{
    private const int Topologies = 150;
    private const int Rounds = 6;
    private const int Seed = 12;

    private const string Edit = """
        all => JSON.parse(all).map(({ text, picture, edit }) => whatIf.editedTopology(text, picture, [], edit))
        """;

    private static readonly string[] s_systems = ["spanning-tree", "flood", "single-overlay"];

    [Test]
    [Category("Whole")]
    public async Task Whatever_the_picture_allows_the_reader_of_files_accepts_and_reads_as_it_was_meant()
    {
        var page = await OpenAsync(SharedPage.FewClients);
        var texts = Starts().Sample(Topologies, Topologies).ToList();
        var random = new Random(Seed);
        var (accepted, refused) = (0, 0);
        for (var round = 0; round < Rounds; round++)
        {
            var asked = texts.ConvertAll(text => (Text: text, Edit: RandomEdit(Read(text), random)));
            var made = await page.EvaluateAsync<string[]>(
                Edit,
                $"[{string.Join(',', asked.Select(one => Question(one.Text, one.Edit)))}]"
            );
            for (var number = 0; number < texts.Count; number++)
            {
                var (before, edit) = (Read(asked[number].Text), asked[number].Edit);
                var isAllowed = IsAllowed(before, edit);
                Assert.That(IsAccepted(made[number], out var why), Is.EqualTo(isAllowed), $"{why}\n{made[number]}");
                if (isAllowed)
                    AssertMeant(before, edit, Read(made[number]), made[number]);
                accepted += isAllowed ? 1 : 0;
                refused += isAllowed ? 0 : 1;
                texts[number] = isAllowed ? made[number] : texts[number];
            }
        }
        Assert.That(refused, Is.GreaterThan(10), "some edits are refused");
        Assert.That(accepted, Is.GreaterThan(10 * refused), "most are not");
    }

    // A topic overlay needs a link between all pairs of nodes.
    [Test]
    [Category("Whole")]
    public async Task A_node_that_is_added_to_a_full_mesh_is_linked_with_all()
    {
        const string text =
            """{ "name": "x", "system": "topic-overlay", "family": "mesh:4", "delay": "constant:5ms" }""";
        var page = await OpenAsync(SharedPage.FewClients);
        var edit = new JsonObject
        {
            ["kind"] = "add",
            ["name"] = "far",
            ["to"] = "n2",
            ["milliseconds"] = 70,
        };
        var made = await page.EvaluateAsync<string[]>(Edit, $"[{Question(text, edit)}]");
        var read = Read(made[0]);
        Assert.That(
            (read.Links.Count, read.Links.Count(link => link.DelayMilliseconds.Mean == 70)),
            Is.EqualTo((10, 4))
        );
    }

    private static string Question(string text, JsonObject edit) =>
        $$"""
            { "text": {{JsonSerializer.Serialize(text)}}, "edit": {{edit.ToJsonString()}},
              "picture": {{Encoding.UTF8.GetString(AnswerJson.Of(TopologyPicture.Of(Read(text))))}} }
            """;

    private static Topology Read(string text) => TopologyFile.Parse(Encoding.UTF8.GetBytes(text), "test");

    // The server and the reader of files must be of one mind.
    private static bool IsAccepted(string text, out string why)
    {
        why = Refusal(() => Read(text));
        var body = Encoding.UTF8.GetBytes(JsonSerializer.Serialize(new { topology = text }));
        var other = Refusal(() => QuestionReader.ReadTopology(body));
        Assert.That(other.Replace("topology:", "test:", StringComparison.Ordinal), Is.EqualTo(why));
        return why.Length == 0;
    }

    private static string Refusal(Func<Topology> read)
    {
        try
        {
            _ = read();
            return "";
        }
        catch (InputException refused)
        {
            return refused.Message;
        }
    }

    private static bool IsAllowed(Topology topology, JsonObject edit)
    {
        if ($"{edit["kind"]}" != "remove")
            return true;
        var node = topology.NodeIndex($"{edit["node"]}");
        var left = Enumerable.Range(0, topology.Nodes.Count).Where(other => other != node).ToHashSet();
        if (left.Count == 0)
            return false;
        var reached = new HashSet<int> { left.First() };
        // As many rounds as nodes reach everything that can be reached.
        foreach (var _ in left)
        foreach (var link in topology.Links.Where(link => link.From != node && link.To != node))
            if (reached.Contains(link.From) || reached.Contains(link.To))
                reached.UnionWith([link.From, link.To]);
        return reached.Count == left.Count;
    }

    private static void AssertMeant(Topology before, JsonObject edit, Topology after, string file)
    {
        var node = $"{edit["node"] ?? edit["name"]}";
        var kind = $"{edit["kind"]}";
        var (nodes, links, faults) = (Nodes(before), Links(before), Faults(before));
        var sites = Sites(before);
        switch (kind)
        {
            case "delay":
                var number = edit["link"]!.GetValue<int>();
                links[number] = (links[number].Ends, Delayed(links[number].Delay, edit), links[number].Other);
                break;
            case "add":
                nodes.Add(node);
                links.Add(($"{edit["to"]}-{node}", $"constant:{Text(edit["milliseconds"]!)}ms", "/0"));
                if (sites.Count > 0)
                    sites.Add($"{node}@{node}");
                break;
            case "remove":
                nodes.Remove(node);
                links.RemoveAll(link => link.Ends.Split('-').Contains(node));
                sites.RemoveAll(site => site.EndsWith($"@{node}", StringComparison.Ordinal));
                faults.RemoveAll(fault => fault.Split(' ')[1].Split('-', '|', ',').Contains(node));
                break;
            case "kill":
                var text = $"kill {node} at {Text(edit["at"]!)}s";
                text += edit["for"] is { } time ? $" for {Text(time)}s" : "";
                faults.Add($"{FaultText.Parse(text, "test")}");
                break;
            default:
                faults.RemoveAt(edit["fault"]!.GetValue<int>());
                break;
        }
        Assert.That(Nodes(after), Is.EqualTo(nodes), file);
        Assert.That(Links(after), Is.EqualTo(links), file);
        Assert.That(Faults(after), Is.EqualTo(faults), file);
        Assert.That(Sites(after), Is.EqualTo(sites), file);
        Assert.That(
            (after.System, after.Hop, after.Duration),
            Is.EqualTo((before.System, before.Hop, before.Duration))
        );
    }

    private static List<string> Nodes(Topology topology) => [.. topology.Nodes.Select(node => node.Name)];

    private static List<string> Faults(Topology topology) => [.. topology.Scenario.Faults.Select(fault => $"{fault}")];

    private static List<string> Sites(Topology topology) =>
        [.. topology.Sites.Select(site => $"{site.Name}@{topology.Nodes[site.Node].Name}")];

    private static List<(string Ends, string Delay, string Other)> Links(Topology topology) =>
        [
            .. topology.Links.Select(link =>
                (
                    $"{topology.Nodes[link.From].Name}-{topology.Nodes[link.To].Name}",
                    $"{link.DelayMilliseconds}",
                    FormattableString.Invariant($"{link.BitsPerSecond}/{link.Loss}")
                )
            ),
        ];

    private static string Delayed(string law, JsonObject edit)
    {
        var time = Text(edit["milliseconds"]!);
        if (law.StartsWith("normal:", StringComparison.Ordinal))
            return $"normal:{time}ms,{law.Split(',')[1]}";
        return law.StartsWith("exponential:", StringComparison.Ordinal) && time != "0"
            ? $"exponential:{time}ms"
            : $"constant:{time}ms";
    }

    private static string Text(JsonNode number) => number.GetValue<double>().ToString(CultureInfo.InvariantCulture);

    // What the controls of the picture offer, at their edges too.
    private static JsonObject RandomEdit(Topology topology, Random random)
    {
        string Node() => topology.Nodes[random.Next(topology.Nodes.Count)].Name;
        double Delay() => random.Next(4) == 0 ? 0 : random.Next(1_000_000) / 1000.0;
        return random.Next(10) switch
        {
            0 or 1 or 2 when topology.Links.Count > 0 => new()
            {
                ["kind"] = "delay",
                ["link"] = random.Next(topology.Links.Count),
                ["milliseconds"] = Delay(),
            },
            3 or 4 => new()
            {
                ["kind"] = "kill",
                ["node"] = Node(),
                ["at"] = random.Next(7000) / 1000.0,
                ["for"] = random.Next(3) == 0 ? null : random.Next(1, 9000) / 1000.0,
            },
            5 when topology.Scenario.Faults.Count > 0 => new()
            {
                ["kind"] = "mend",
                ["fault"] = random.Next(topology.Scenario.Faults.Count),
            },
            6 or 7 => new() { ["kind"] = "remove", ["node"] = Node() },
            _ => new()
            {
                ["kind"] = "add",
                ["name"] = FormattableString.Invariant($"x{random.Next(1_000_000)}"),
                ["to"] = Node(),
                ["milliseconds"] = Delay(),
            },
        };
    }

    // Families and files, with laws of all kinds, faults of all kinds and perhaps sites.
    private static Gen<string> Starts()
    {
        var law = Gen.Elements(
            "constant:5ms",
            "normal:31ms,2ms",
            "exponential:4ms",
            "uniform:1..9ms",
            "lognormal:5ms,0.5",
            "empirical:1,2,9ms",
            "mixture:0.9*constant:1ms+0.1*normal:40ms,3ms"
        );
        var fault = Gen.Elements(
            "kill n1 at 1s for 2s",
            "kill any at U(1s,2s)",
            "cut n1-n2 at 3s for 1s",
            "partition n1|n2,n3 at 2s for 1s",
            "slow n1-n2 delay=normal:80ms,5ms at 2s"
        );
        var site = Gen.Elements(
            "",
            """, "sites": [{ "name": "hall", "at": "n1", "publishers": 2, "subscribers": 2 }, { "name": "desk", "at": "n3", "publishers": 1, "subscribers": 1 }]"""
        );
        return from system in Gen.Elements(s_systems)
            from family in Gen.Elements("line:3", "ring:4", "star:5", "mesh:4", "tree:2x3", "grid:2x3")
            from delay in law
            from other in law
            from faults in fault.ListOf(2)
            from sites in site
            from isFamily in Gen.Elements(true, false)
            let graph = isFamily || family == "grid:2x3"
                ? $$""" "family": "{{family}}", "delay": "{{delay}}", "rate": "10Mbit", "loss": 0.01 """
                : $$""" "nodes": [{ "name": "n1", "capability": 3 }, { "name": "n2" }, { "name": "n3", "service": "constant:1ms" }], "links": [{ "between": ["n1", "n2"], "delay": "{{delay}}" }, { "between": ["n3", "n2"], "delay": "{{other}}", "loss": 0.5 }] """
            select $$"""
                { "name": "random", "system": "{{system}}", "hop": "qos1", "durationSeconds": 8,{{graph}},
                  "faults": [{{string.Join(", ", faults.Select(one => $"\"{one}\""))}}]{{sites}} }
                """;
    }
}
