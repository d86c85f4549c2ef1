using System.Globalization;
using System.Text.Json;
using MqttCheck.Protocol;
using MqttCheck.Statistics;

namespace MqttCheck.Profiles;

/// <summary>Turns JSON values into profiles and populations and notes every finding on the way.</summary>
internal static class ProfileReader
{
    internal const double LongestWaitMilliseconds = 3_600_000;
    internal const int MostTopics = 65_536;
    internal const int LargestPayloadBytes = 1_048_576;
    internal const int LongestSequence = 10_000;
    internal const double LargestWeight = 1e9;
    private const string WaitForms =
        "one of {\"constant\": c}, {\"uniform\": [min, max]}, {\"exponential\": mean}, {\"normal\": [mean, deviation]}, {\"lognormal\": [median, sigma]}, in ms";

    /// <summary>A population, or a profile as a population of one group.</summary>
    /// <param name="tree">The JSON value.</param>
    /// <param name="findings">Where findings go; the result is good only if there are none.</param>
    /// <param name="reference">Reads a profile that a group names; null where profiles must be inline.</param>
    public static Population Read(JsonTree tree, JsonFindings findings, Func<string, UsageProfile>? reference)
    {
        if (tree.Member("groups") is null) return Population.Of(ReadProfile(tree, findings, null));

        var reader = new JsonObjectReader(tree, findings);
        reader.Optional("$schema");
        var name = Name(reader, null, findings);
        var description = reader.Text("description", "");
        var groups = new List<ClientGroup>();
        var items = reader.Array("groups", "an array of groups");
        foreach (var item in items)
        {
            var group = ReadGroup(item, findings, reference);
            if (groups.Exists(other => other.Name == group.Name))
                findings.Add(item.Member("name") ?? item, $"\"{group.Name}\" given; allowed: a name that no other group has");
            groups.Add(group);
        }
        if (items.Count == 0) findings.Add(tree.Member("groups")!, "no group given; allowed: at least one");
        reader.End();
        return new() { Name = name, Description = description, Groups = groups };
    }

    private static ClientGroup ReadGroup(JsonTree tree, JsonFindings findings, Func<string, UsageProfile>? reference)
    {
        var reader = new JsonObjectReader(tree, findings);
        var name = Name(reader, null, findings);
        var share = reader.Number("share", 0, LargestWeight);
        if (share == 0 && tree.Member("share") is { Type: JsonTokenType.Number, Number: 0 } zero) findings.Add(zero, "0 given; allowed: a positive number");
        var profileTree = reader.Required("profile", "a profile, or the name or path of one");
        reader.End();
        UsageProfile? profile = null;
        if (profileTree is { Type: JsonTokenType.String } && reference is not null)
        {
            try
            {
                profile = reference(profileTree.Text);
            }
            catch (InputException inner)
            {
                findings.Add(profileTree, $"{profileTree.Given} given, which cannot be read:");
                findings.Add(inner);
            }
        }
        else if (profileTree is not null)
        {
            profile = ReadProfile(profileTree, findings, name);
        }
        return new(name, share, profile ?? StandIn);
    }

    private static UsageProfile ReadProfile(JsonTree tree, JsonFindings findings, string? fallbackName)
    {
        var reader = new JsonObjectReader(tree, findings);
        reader.Optional("$schema");
        var name = Name(reader, fallbackName, findings);
        var description = reader.Text("description", "");
        var wait = reader.Required("waitMilliseconds", WaitForms) is { } waitTree ? ReadLaw(waitTree, findings) : StandIn.WaitMilliseconds;
        var before = findings.Count;
        var weightsTree = reader.Required("weights", "an object with a weight per kind of message");
        var weights = weightsTree is null ? StandIn.Weights : ReadWeights(weightsTree, findings);
        var topics = reader.Integer("topics", 1, MostTopics, 100);
        var (smallest, largest) = ReadPayload(reader, findings);
        var qos = reader.Integer("qos", 0, 2, 1);
        var length = reader.Integer("sequenceLength", 1, LongestSequence, 10);
        reader.End();

        if (weightsTree is not null && findings.Count == before && !AlwaysEnabled(weights, topics, length))
        {
            findings.Add(weightsTree, "a connected client can come to a state in which every enabled kind has weight 0 (publish and disconnect are 0, "
                + "and subscribe or unsubscribe alone run out of topics); allowed: at least one positive weight among the kinds enabled in any state");
        }
        return new()
        {
            Name = name,
            Description = description,
            WaitMilliseconds = wait,
            Weights = weights,
            Topics = topics,
            MinimumPayloadBytes = smallest,
            MaximumPayloadBytes = largest,
            Qos = (QualityOfService)qos,
            SequenceLength = length,
        };
    }

    private static MessageWeights ReadWeights(JsonTree tree, JsonFindings findings)
    {
        var reader = new JsonObjectReader(tree, findings);
        // Connect is the only choice of a disconnected client, so its weight may be left out without effect.
        var weights = new MessageWeights(Weight("connect", 1), Weight("disconnect", 0), Weight("publish", 0), Weight("subscribe", 0), Weight("unsubscribe", 0));
        reader.End();
        return weights;

        double Weight(string key, double fallback) => reader.Number(key, 0, LargestWeight, fallback);
    }

    // Connected clients may always publish and disconnect, subscribe while a topic is free, unsubscribe while one is taken. A sequence spends
    // its first message on connect, and the session is dropped after it.
    private static bool AlwaysEnabled(MessageWeights weights, int topics, int sequenceLength) =>
        weights.Publish + weights.Disconnect > 0
        || (weights.Subscribe > 0 && (weights.Unsubscribe > 0 || topics >= sequenceLength - 1));

    private static (int Smallest, int Largest) ReadPayload(JsonObjectReader reader, JsonFindings findings)
    {
        var tree = reader.Optional("payloadBytes");
        if (tree is null) return (StandIn.MinimumPayloadBytes, StandIn.MaximumPayloadBytes);
        if (tree.Type == JsonTokenType.Number)
        {
            var size = JsonObjectReader.Integer(tree, UsageProfile.SmallestPayloadBytes, LargestPayloadBytes, findings);
            return (size, size);
        }
        if (tree.Items.Count != 2)
        {
            findings.Add(tree, $"{tree.Given} given; allowed: one size or [min, max], in bytes");
            return (StandIn.MinimumPayloadBytes, StandIn.MaximumPayloadBytes);
        }
        var before = findings.Count;
        var smallest = JsonObjectReader.Integer(tree.Items[0], UsageProfile.SmallestPayloadBytes, LargestPayloadBytes, findings);
        var largest = JsonObjectReader.Integer(tree.Items[1], UsageProfile.SmallestPayloadBytes, LargestPayloadBytes, findings);
        if (findings.Count == before && smallest > largest) AddReversed(tree, findings);
        return (smallest, largest);
    }

    private static Law ReadLaw(JsonTree tree, JsonFindings findings)
    {
        if (tree.Members.Count != 1)
        {
            findings.Add(tree, $"{(tree.Type == JsonTokenType.StartObject ? "an object with other than one key" : tree.Given)} given; allowed: {WaitForms}");
            return StandIn.WaitMilliseconds;
        }
        var (form, value) = tree.Members[0];
        switch (form)
        {
            case "constant":
                return new ConstantLaw(Milliseconds(value));
            case "exponential":
                return new ExponentialLaw(Positive(value));
            case "uniform":
                if (!IsPair(value)) return StandIn.WaitMilliseconds;
                var before = findings.Count;
                var (minimum, maximum) = (Milliseconds(value.Items[0]), Milliseconds(value.Items[1]));
                if (findings.Count == before && minimum > maximum) AddReversed(value, findings);
                return new UniformLaw(minimum, maximum);
            case "normal":
                if (!IsPair(value)) return StandIn.WaitMilliseconds;
                return new NormalLaw(Milliseconds(value.Items[0]), Milliseconds(value.Items[1]));
            case "lognormal":
                if (!IsPair(value)) return StandIn.WaitMilliseconds;
                return new LogNormalLaw(Positive(value.Items[0]), JsonObjectReader.Number(value.Items[1], 0, 5, findings));
            default:
                findings.Add(value, $"unknown key; allowed: {WaitForms}");
                return StandIn.WaitMilliseconds;
        }

        double Milliseconds(JsonTree number) => JsonObjectReader.Number(number, 0, LongestWaitMilliseconds, findings);

        double Positive(JsonTree number)
        {
            if (number is not { Type: JsonTokenType.Number, Number: 0 }) return Milliseconds(number);
            findings.Add(number, string.Create(CultureInfo.InvariantCulture, $"0 given; allowed: a positive number, at most {LongestWaitMilliseconds}"));
            return 1;
        }

        bool IsPair(JsonTree pair)
        {
            if (pair.Items.Count == 2) return true;
            findings.Add(pair, $"{pair.Given} given; allowed: an array of two numbers: {WaitForms}");
            return false;
        }
    }

    private static void AddReversed(JsonTree pair, JsonFindings findings) =>
        findings.Add(pair, $"minimum {pair.Items[0].Given} is greater than maximum {pair.Items[1].Given}; allowed: [min, max] with min <= max");

    // Names appear in file names and in topic names.
    private static string Name(JsonObjectReader reader, string? fallback, JsonFindings findings)
    {
        const string allowed = "1 to 64 letters, digits, '-', '_' or '.', beginning with a letter or digit";
        var tree = fallback is null ? reader.Required("name", allowed) : reader.Optional("name");
        if (tree is null) return fallback ?? "";
        if (tree.Type == JsonTokenType.String && tree.Text is { Length: > 0 and <= 64 } text && char.IsAsciiLetterOrDigit(text[0])
            && text.All(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_' or '.'))
            return text;
        findings.Add(tree, $"{tree.Given} given; allowed: {allowed}");
        return "";
    }

    private static UsageProfile StandIn { get; } = new()
    {
        Name = "",
        WaitMilliseconds = new ConstantLaw(0),
        Weights = new MessageWeights(1, 1, 1, 1, 1),
    };
}
