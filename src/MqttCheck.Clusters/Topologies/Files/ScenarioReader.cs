using System.Globalization;
using System.Text.Json;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Json;
using MqttCheck.Profiles.Workloads;

namespace MqttCheck.Clusters.Topologies.Files;

/// <summary>Reads the keys that topologies and scenarios share.</summary>
internal static class ScenarioReader
{
    private const double LongestSeconds = 86_400;

    // A prefix must leave room in the topic for the part that tells runs apart.
    private const int LongestPrefix = 100;

    /// <summary>Reads load, faults and properties.</summary>
    /// <returns>The scenario, and for each fault the value that it stands in.</returns>
    public static (ClusterScenario Scenario, IReadOnlyList<JsonTree> Faults) Read(
        JsonObjectReader reader,
        JsonFindings findings,
        string source
    )
    {
        var workload = ReadWorkload(reader.Optional("workload"), findings, source);
        var duration = Seconds("durationSeconds", 0.001);
        var settle = Seconds("settleSeconds", 0);
        var isNext = Choice(reader.Optional("return"), findings, "same", "next") == 1;
        var faults = new List<ClusterFault>();
        var trees = new List<JsonTree>();
        foreach (var item in Texts(reader, "faults", "a list of faults", findings))
        {
            try
            {
                faults.Add(FaultText.Read(item.Text));
                trees.Add(item);
            }
            catch (FormatException wrong)
            {
                findings.Add(item, $"'{item.Text}' is not a fault: {wrong.Message}");
            }
        }
        var properties = Texts(reader, "properties", "a list of properties", findings)
            .Select(item => new ScenarioProperty(
                item.Text,
                string.Create(CultureInfo.InvariantCulture, $"{findings.Source}:{item.Line}: {item.Path}")
            ));
        var scenario = new ClusterScenario
        {
            Workload = workload,
            TopicPrefix = TopicPrefix(reader, findings),
            Duration = duration,
            Settle = settle ?? TimeSpan.FromSeconds(1),
            Return = isNext ? ClientReturn.Next : ClientReturn.Same,
            Faults = faults,
            Properties = [.. properties],
        };
        return (scenario, trees);

        TimeSpan? Seconds(string key, double minimum) =>
            reader.Optional(key) is { } value
                ? TimeSpan.FromSeconds(JsonObjectReader.Number(value, minimum, LongestSeconds, findings))
                : null;
    }

    /// <summary>The name of a file's content.</summary>
    public static string Name(JsonObjectReader reader, JsonFindings findings)
    {
        var name = reader.Text("name", null);
        if (reader.Tree.Member("name") is { Type: JsonTokenType.String } given && !TopologyNames.IsName(name))
            findings.Add(given, $"{given.Given} given; allowed: {TopologyNames.AllowedName}");
        return name;
    }

    /// <summary>The index of a word in a list; 0 for a missing key and after a finding.</summary>
    public static int Choice(JsonTree? tree, JsonFindings findings, params IReadOnlyList<string> words)
    {
        if (tree is null)
            return 0;
        var index = tree.Type == JsonTokenType.String ? words.ToList().IndexOf(tree.Text) : -1;
        if (index < 0)
            findings.Add(
                tree,
                $"{tree.Given} given; allowed: {string.Join(", ", words.Select(word => $"\"{word}\""))}"
            );
        return Math.Max(0, index);
    }

    private static string TopicPrefix(JsonObjectReader reader, JsonFindings findings)
    {
        if (reader.Optional("topicPrefix") is not { } prefix)
            return "";
        if (
            prefix.Type == JsonTokenType.String
            && prefix.Text.Length is > 1 and <= LongestPrefix
            && prefix.Text[^1] == '/'
            && prefix.Text.All(letter => char.IsAsciiLetterOrDigit(letter) || letter == '/')
        )
            return prefix.Text;
        findings.Add(
            prefix,
            $"{prefix.Given} given; allowed: up to {LongestPrefix} letters, digits and slashes, a slash at the end"
        );
        return "";
    }

    private static IEnumerable<JsonTree> Texts(
        JsonObjectReader reader,
        string key,
        string allowed,
        JsonFindings findings
    )
    {
        if (reader.Optional(key) is not { } list)
            yield break;
        if (list.Type != JsonTokenType.StartArray)
            findings.Add(list, $"{list.Given} given; allowed: {allowed}, each a text");
        foreach (var item in list.Items)
        {
            if (item.Type == JsonTokenType.String)
                yield return item;
            else
                findings.Add(item, $"{item.Given} given; allowed: a text");
        }
    }

    private static Workload? ReadWorkload(JsonTree? tree, JsonFindings findings, string source)
    {
        if (tree is null)
            return null;
        if (tree.Type == JsonTokenType.StartObject)
            return WorkloadFormat.Kind.Read(tree, findings);
        if (tree.Type != JsonTokenType.String)
        {
            findings.Add(
                tree,
                $"{tree.Given} given; allowed: a workload, its path beside this file, or one of "
                    + string.Join(", ", WorkloadFile.BuiltInNames)
            );
            return null;
        }
        try
        {
            return WorkloadFile.Read(
                WorkloadFile.BuiltInNames.Contains(tree.Text)
                    ? tree.Text
                    : Path.Combine(Path.GetDirectoryName(source) ?? "", tree.Text)
            );
        }
        catch (InputException wrong)
        {
            findings.Add(tree, wrong.Message);
            return null;
        }
    }
}
