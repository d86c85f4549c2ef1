using System.Text.Json.Nodes;
using MqttCheck.App.Runs;
using MqttCheck.Predictions;
using MqttCheck.Profiles;

namespace MqttCheck.App.Diff;

/// <summary>The differences between the inputs of two predictions, key by key.</summary>
internal static class ChangedKeys
{
    /// <summary>The changes, each as <c>key: before -&gt; after</c>.</summary>
    public static IReadOnlyList<string> Between(Prediction first, Prediction second)
    {
        var changes = new List<string>();
        Compare("model", Model(first.Model), Model(second.Model), changes);
        Compare("replications", first.Options.Replications, second.Options.Replications, changes);
        Compare("seed", first.Options.Seed, second.Options.Seed, changes);
        foreach (var (one, other) in Pairs(first.Populations, second.Populations))
            Compare(
                one is null ? other!.Name : one.Name,
                one is null ? null : Node(one),
                other is null ? null : Node(other),
                changes
            );
        return changes;
    }

    private static JsonObject Model(PredictionModel model) =>
        new()
        {
            ["file"] = model.File,
            ["sha256"] = FileHash.Short(model.Sha256),
            ["kind"] = model.Kind,
            ["broker"] = model.Broker,
        };

    private static IEnumerable<(Population? First, Population? Second)> Pairs(
        IReadOnlyList<Population> first,
        IReadOnlyList<Population> second
    )
    {
        if (first.Count == 1 && second.Count == 1)
            return [(first[0], second[0])];
        return first
            .Select(one => one.Name)
            .Union(second.Select(one => one.Name))
            .Select(name =>
                (first.FirstOrDefault(one => one.Name == name), second.FirstOrDefault(one => one.Name == name))
            );
    }

    private static JsonNode? Node(Population population) =>
        JsonNode.Parse(JsonOutput.Of(writer => ProfileFile.Write(writer, population)));

    private static void Compare(string key, JsonNode? first, JsonNode? second, List<string> changes)
    {
        switch (first, second)
        {
            case (JsonObject one, JsonObject other):
                foreach (var name in one.Select(member => member.Key).Union(other.Select(member => member.Key)))
                    Compare($"{key}.{name}", one[name], other[name], changes);
                break;
            // Groups are found by name, wherever they stand.
            case (JsonArray one, JsonArray other) when one.Concat(other).All(item => item is JsonObject):
                foreach (var name in one.Concat(other).Select(NameOf).Distinct())
                    Compare($"{key}.{name}", Named(one, name), Named(other, name), changes);
                break;
            default:
                if (!JsonNode.DeepEquals(first, second))
                    changes.Add($"{key}: {Text(first)} -> {Text(second)}");
                break;
        }
    }

    private static string NameOf(JsonNode? item) => item?["name"]?.ToString() ?? "";

    private static JsonNode? Named(JsonArray items, string name) => items.FirstOrDefault(item => NameOf(item) == name);

    private static string Text(JsonNode? node) => node is null ? "none" : node.ToJsonString().Trim('"');
}
