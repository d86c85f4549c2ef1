using System.Text;
using MqttCheck.Clusters.Mosquitto.Joining;
using MqttCheck.Clusters.Mosquitto.Linting;
using MqttCheck.Clusters.Topologies.Bridges;

namespace MqttCheck.Clusters.Tests.Mosquitto.Linting;

[TestFixture]
internal sealed class ConfLintTests : DirectoryFixture
{
    private const int Clusters = 150;
    private const int Seed = 8;

    private static readonly string[] s_patterns =
    [
        "#",
        "+",
        "a",
        "a/#",
        "p/#",
        "+/b",
        "p/+",
        "+/+/#",
        "$SYS/#",
        "/",
        "a//b",
        "p",
        "p/a",
        "\"\" out 1 p q",
    ];

    private static readonly string[] s_prefixes = ["\"\"", "\"\"", "p/", "a/", "p/a/", "q/", "/", "$SYS/"];

    // The seed is fixed: there are no false alarms.
    [Test]
    public void Every_loop_and_every_copy_of_random_files_has_a_remark_with_its_line_and_nothing_else_has()
    {
        var random = new Random(Seed);
        var (wrong, right) = (0, 0);
        for (var cluster = 0; cluster < Clusters; cluster++)
        {
            var files = Draw(random);
            var joined = ConfTopology.Read(files, [], [], []);
            var (routes, forwarding) = (BridgeRoutes.Of(joined.Topology), new BridgeForwarding(joined.Topology));
            var isWrong = routes.Any(route => route.Loop.Count > 0 || BridgeRepeat.Of(forwarding, route).Any());
            var findings = ConfLint.Of(joined, routes);
            var text = string.Join("\n", files.Select(File.ReadAllText));
            Assert.That(findings.Any(finding => ConfLint.WeightOf(finding.Rule) == 0), Is.EqualTo(isWrong), text);
            Assert.That(
                findings.Select(finding => finding.Place),
                Is.All.Matches<Clusters.Mosquitto.ConfPlace>(place => files.Contains(place.File) && place.Line > 0),
                text
            );
            Assert.That(findings.Select(finding => ConfLint.WeightOf(finding.Rule)), Is.Ordered);
            (wrong, right) = (wrong + (isWrong ? 1 : 0), right + (isWrong ? 0 : 1));
        }
        Assert.That((int[])[wrong, right], Is.All.GreaterThan(20));
    }

    private List<string> Draw(Random random)
    {
        var files = new List<string>();
        var count = random.Next(1, 5);
        for (var node = 0; node < count; node++)
        {
            var text = new StringBuilder().AppendLine($"listener {2000 + node}");
            for (var bridge = random.Next(3); bridge > 0; bridge--)
            {
                // Some lead to the broker itself, and some to none of the files.
                text.AppendLine($"connection c{bridge}")
                    .AppendLine($"address 127.0.0.1:{2000 + random.Next(count + 1)}")
                    .AppendLine(Of(["try_private true", "try_private false", "cleansession true"]))
                    .AppendLine(Of(["bridge_protocol_version mqttv311", "bridge_protocol_version mqttv50"]));
                for (var line = random.Next(1, 5); line > 0; line--)
                    text.AppendLine(Line());
            }
            files.Add(In($"n{node}.conf"));
            File.WriteAllText(files[^1], text.ToString());
        }
        return files;

        string Line()
        {
            var pattern = Of(s_patterns);
            return pattern.Contains(' ')
                ? $"topic {pattern}"
                : $"topic {pattern} {Of(["out", "in", "both"])} {random.Next(3)} {Of(s_prefixes)} {Of(s_prefixes)}";
        }

        string Of(string[] words) => words[random.Next(words.Length)];
    }
}
