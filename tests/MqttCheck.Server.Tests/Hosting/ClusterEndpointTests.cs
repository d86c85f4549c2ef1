using System.Globalization;
using System.Net;
using System.Text.Json;
using MqttCheck.AcceptanceTests;

namespace MqttCheck.Server.Tests.Hosting;

/// <summary>The page says of a cluster what 'cluster predict' says, for a family and for any file.</summary>
[TestFixture]
internal sealed class ClusterEndpointTests : ServerFixture
{
    private static IEnumerable<TestCaseData> Clusters =>
        [
            new TestCaseData(Family).SetArgDisplayNames("a family"),
            new TestCaseData(OfFile("tree-mesh-5", """ "E[ lost ]" """)).SetArgDisplayNames("a tree, a property"),
            new TestCaseData(OfFile("overlays-text", """ "Q0.5[ delivery ]" """)).SetArgDisplayNames("an overlay"),
            new TestCaseData(OfFile("transport-capacity", "")).SetArgDisplayNames("a transport"),
            new TestCaseData(OfFile("pipeline-p2p", "")).SetArgDisplayNames("a pipeline"),
        ];

    private const string Family = """
        { "session": "s", "request": 1, "family": "ring:3", "faults": ["kill n1 at 5s for 3s"], "properties": ["E[ lost ]"] }
        """;

    [TestCaseSource(nameof(Clusters))]
    [Category("Whole")]
    public async Task The_page_and_its_command_say_the_same(string question)
    {
        var events = await TestServer.EventsAsync(Client, "/api/clusters", question);
        var (name, answer) = events[^2];
        Assert.That(name, Is.EqualTo("cluster"), $"{events[^1]}");
        Assert.That(answer.GetProperty("isFinal").GetBoolean());
        var words = ShellWords(answer.GetProperty("command").GetString()!);
        var result = await ToolProcess.RunAsync(Server.Root, [.. words[1..]]);
        foreach (var row in answer.GetProperty("rows").EnumerateArray())
        {
            var line = result
                .Output.Split('\n')
                .First(one => one.Contains(row.GetProperty("property").GetString()!, StringComparison.Ordinal));
            var estimate = row.GetProperty("estimate") is { ValueKind: JsonValueKind.Number } known
                ? known.GetDouble().ToString("0.####", CultureInfo.InvariantCulture)
                : "-";
            Assert.That(line, Does.Match($@" {estimate} .* {row.GetProperty("runs")}( |$)"), result.ToString());
        }
        Assert.That(result.Output, Does.Contain(answer.GetProperty("promise").GetString()));
        PairsAreEqual(answer.GetProperty("pairs"), result.Output);
    }

    private static void PairsAreEqual(JsonElement pairs, string output)
    {
        var lines = output.Split('\n').Select(line => string.Join(' ', line.Split(' ', Words).Skip(1))).ToList();
        if (pairs.ValueKind == JsonValueKind.Null)
        {
            Assert.That(lines, Has.None.StartWith("from to"));
            return;
        }
        foreach (var pair in pairs.GetProperty("rows").EnumerateArray())
        {
            string[] times = ["meanMilliseconds", "medianMilliseconds", "p99Milliseconds"];
            var cells = times.Select(time =>
                pair.GetProperty(time).GetDouble().ToString("0.####", CultureInfo.InvariantCulture)
            );
            var expected =
                $"{pair.GetProperty("from")} {pair.GetProperty("to")} {string.Join(' ', cells)} "
                + $"{pair.GetProperty("owed")} {pair.GetProperty("missing")} {pair.GetProperty("lost")} "
                + $"{pairs.GetProperty("runs")}";
            Assert.That(lines, Does.Contain(expected));
        }
    }

    private const StringSplitOptions Words = StringSplitOptions.RemoveEmptyEntries;

    [Test]
    public async Task A_picture_is_what_the_reader_of_files_makes_of_a_topology()
    {
        const string file = """
            { "name": "x", "system": "flood", "family": "line:2", "delay": "constant:5ms", "durationSeconds": 4,
              "faults": ["kill n1 at 1s"], "sites": [{ "name": "hall", "at": "n2", "publishers": 1, "subscribers": 1 }] }
            """;
        var (status, picture) = await DrawAsync(new { topology = file });
        Assert.That(status, Is.EqualTo(HttpStatusCode.OK));
        Assert.That(
            picture,
            Is.EqualTo(
                """
                {"name":"x","system":"flood","nodes":[{"name":"n1","sites":[]},{"name":"n2","sites":["hall"]}],
                "links":[{"from":0,"to":1,"delay":"constant:5ms","milliseconds":5}],
                "faults":["kill n1 at 1s"],"durationSeconds":4}
                """.Replace("\n", "", StringComparison.Ordinal)
            )
        );
        var (refused, reason) = await DrawAsync(
            new { topology = file.Replace("kill n1", "kill n9", StringComparison.Ordinal) }
        );
        Assert.That(refused, Is.EqualTo(HttpStatusCode.BadRequest));
        Assert.That(reason, Does.Contain("unknown node 'n9'; allowed: n1, n2"));
        Assert.That((await DrawAsync(new { family = "mesh:33" })).Text, Does.Contain("at most 32 nodes"));
    }

    private async Task<(HttpStatusCode Status, string Text)> DrawAsync(object question)
    {
        using var response = await Client.PostAsync(
            "/api/topologies",
            TestServer.Json(JsonSerializer.Serialize(question))
        );
        return (response.StatusCode, await response.Content.ReadAsStringAsync());
    }

    [TestCase(
        """{ "name": "x", "system": "spanning-tree", "family": "mesh:3", "workload": "/etc/passwd" }""",
        "workload inline"
    )]
    [TestCase("""{ "name": "x", "system": "spanning-tree", "family": "mesh:33" }""", "at most 32")]
    [TestCase("""{ "name": "x", "system": "nats", "nodes": [{ "name": "a" }] }""", "nats")]
    [TestCase(
        """{ "name": "x", "system": "spanning-tree", "family": "mesh:3", "workload": { "name": "w", "shape": "fan-out", "publishers": 3, "subscribers": 3, "arrivals": { "constant": 100000 }, "durationSeconds": 1000 } }""",
        "at most 100000 deliveries"
    )]
    [TestCase("{", "topology:1")]
    public async Task A_file_that_names_another_or_is_too_large_is_refused(string file, string reason)
    {
        var question = JsonSerializer.Serialize(
            new
            {
                session = "s",
                request = 1,
                topology = file,
                faults = Array.Empty<string>(),
                properties = new[] { "E[ lost ]" },
            }
        );
        using var response = await Client.PostAsync("/api/clusters", TestServer.Json(question));
        var text = await response.Content.ReadAsStringAsync();
        Assert.That(text, Does.Contain("reason").And.Contain(reason));
    }

    [TestCase("")]
    [TestCase(""" "family": "ring:3", "topology": "{}", """)]
    public async Task Either_a_family_or_a_file_is_asked_for(string which)
    {
        using var response = await Client.PostAsync(
            "/api/clusters",
            TestServer.Json(
                $$"""{ "session": "s", "request": 1, {{which}} "faults": [], "properties": ["E[ lost ]"] }"""
            )
        );
        Assert.That(response.StatusCode, Is.EqualTo(HttpStatusCode.BadRequest));
        Assert.That(await response.Content.ReadAsStringAsync(), Does.Contain("either this or topology"));
    }

    private static string OfFile(string name, string properties) =>
        $$"""
            { "session": "s", "request": 1, "topology": {{JsonSerializer.Serialize(
                File.ReadAllText(RepositoryFiles.At($"profiles/clusters/{name}.json"))
            )}},
              "faults": [], "properties": [{{properties}}] }
            """;

    // The words of a command whose quoted ones stand in apostrophes.
    internal static List<string> ShellWords(string command) =>
        [
            .. command
                .Split('\'')
                .SelectMany(
                    (part, index) => index % 2 == 1 ? [part] : part.Split(' ', StringSplitOptions.RemoveEmptyEntries)
                ),
        ];
}
