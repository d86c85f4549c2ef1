using System.Globalization;
using System.Text.Json;
using MqttCheck.Json;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Topics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Profiles;

/// <summary>Turns JSON values into profiles and populations and notes every finding on the way.</summary>
internal static class ProfileReader
{
    internal const int MostTopics = 65_536;
    internal const int LargestPayloadBytes = 1_048_576;
    internal const int LongestSequence = 10_000;
    internal const int LongestTopicName = 1000;
    private const int LargestPayloadByDefault = 65_536;
    internal const double LargestWeight = 1e9;

    private const string NothingEnabled =
        "a connected client can come to a state in which every enabled kind has weight 0 (publish and disconnect are "
        + "0, and subscribe or unsubscribe alone run out of topics); allowed: at least one positive weight among the "
        + "kinds enabled in any state";

    /// <summary>A population, or a profile as a population of one group.</summary>
    /// <param name="tree">The JSON value.</param>
    /// <param name="findings">Receives the findings; the result is good only if there are none.</param>
    /// <param name="reference">Reads a profile that a group names; null where profiles must be inline.</param>
    public static Population Read(JsonTree tree, JsonFindings findings, Func<string, UsageProfile>? reference)
    {
        if (tree.Member("groups") is null)
            return Population.Of(ReadProfile(tree, findings, null));

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
                findings.Add(
                    item.Member("name") ?? item,
                    $"\"{group.Name}\" given; allowed: a name that no other group has"
                );
            groups.Add(group);
        }
        if (items.Count == 0)
            findings.Add(tree.Member("groups")!, "no group given; allowed: at least one");
        reader.End();
        return new()
        {
            Name = name,
            Description = description,
            Groups = groups,
        };
    }

    private static ClientGroup ReadGroup(JsonTree tree, JsonFindings findings, Func<string, UsageProfile>? reference)
    {
        var reader = new JsonObjectReader(tree, findings);
        var name = Name(reader, null, findings);
        var share = reader.Number("share", 0, LargestWeight);
        if (share == 0 && tree.Member("share") is { Type: JsonTokenType.Number, Number: 0 } zero)
            findings.Add(zero, "0 given; allowed: a positive number");
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
        var wait = reader.Required("waitMilliseconds", LawReader.Waits) is { } waitTree
            ? LawReader.Read(waitTree, findings, LawReader.Waits)
            : StandIn.WaitMilliseconds;
        var waits = reader.Optional("waitMillisecondsBefore", ReadWaits);
        var before = findings.Count;
        var weightsTree = reader.Required("weights", "an object with a weight per kind of message");
        var weights = weightsTree is null ? StandIn.Weights : ReadWeights(weightsTree, findings);
        var topics = reader.Integer("topics", 1, MostTopics, 100);
        var topicName = ReadTopicName(reader, findings);
        var payload = ReadPayload(reader, findings);
        var qos = ReadQos(reader.Optional("qos"), findings);
        var session = reader.Text("session", Persistent);
        if (
            session is not (Persistent or CleanSession)
            && tree.Member("session") is { Type: JsonTokenType.String } given
        )
            findings.Add(given, $"{given.Given} given; allowed: \"{Persistent}\", \"{CleanSession}\"");
        var profile = new UsageProfile
        {
            Name = name,
            Description = description,
            WaitMilliseconds = wait,
            Waits = waits,
            Weights = weights,
            Topics = topics,
            TopicName = topicName,
            MinimumPayloadBytes = payload.Smallest,
            MaximumPayloadBytes = payload.Largest,
            PayloadLaw = payload.Law,
            Payload = payload.Template,
            Qos = qos.Publish,
            PublishQos = qos.Weights,
            SubscriptionQos = qos.Subscribe,
            CleanSessions = session == CleanSession,
            SequenceLength = reader.Integer("sequenceLength", 1, LongestSequence, 10),
        };
        var canAlwaysGoOn = findings.Count > before || AlwaysEnabled(weights, topics, profile.SequenceLength);
        if (weightsTree is not null && !canAlwaysGoOn)
            findings.Add(weightsTree, NothingEnabled);
        profile = PacketKeys.Read(reader, findings, LoadKeys.Read(reader, findings, profile));
        reader.End();
        return profile;
    }

    private static MessageWeights ReadWeights(JsonTree tree, JsonFindings findings)
    {
        // Connect is the only choice of a disconnected client, so its weight may be left out without effect.
        return JsonObjectReader.Read(
            tree,
            findings,
            reader => new MessageWeights(
                Weight(reader, "connect", 1),
                Weight(reader, "disconnect", 0),
                Weight(reader, "publish", 0),
                Weight(reader, "subscribe", 0),
                Weight(reader, "unsubscribe", 0)
            )
        );

        static double Weight(JsonObjectReader reader, string key, double fallback) =>
            reader.Number(key, 0, LargestWeight, fallback);
    }

    // Connected clients may always publish and disconnect, subscribe while a topic is free, unsubscribe while one is
    // taken. A sequence spends its first message on connect, and the session is dropped after it.
    private static bool AlwaysEnabled(MessageWeights weights, int topics, int sequenceLength) =>
        weights.Publish + weights.Disconnect > 0
        || (weights.Subscribe > 0 && (weights.Unsubscribe > 0 || topics >= sequenceLength - 1));

    private static MessageWaits ReadWaits(JsonTree tree, JsonFindings findings)
    {
        return JsonObjectReader.Read(
            tree,
            findings,
            reader => new MessageWaits(
                reader.Optional("connect", Wait),
                reader.Optional("disconnect", Wait),
                reader.Optional("publish", Wait),
                reader.Optional("subscribe", Wait),
                reader.Optional("unsubscribe", Wait)
            )
        );

        static Law Wait(JsonTree value, JsonFindings findings) => LawReader.Read(value, findings, LawReader.Waits);
    }

    private static string ReadTopicName(JsonObjectReader reader, JsonFindings findings)
    {
        const string key = "topicName";
        var name = reader.Text(key, UsageProfile.TopicField);
        if (
            name.Split(UsageProfile.TopicField).Length == 2
            && name.Length <= LongestTopicName
            && TopicName.IsValid(name)
            && IsApart(
                name,
                name.IndexOf(UsageProfile.TopicField, StringComparison.Ordinal) + UsageProfile.TopicField.Length
            )
        )
            return name;
        if (reader.Tree.Member(key) is { Type: JsonTokenType.String } given)
        {
            findings.Add(
                given,
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{given.Given} given; allowed: a topic name with "
                        + $"{UsageProfile.TopicField} once, no digit behind it, no wildcard (a "
                        + $"topic to publish to has none), at most {LongestTopicName} characters"
                )
            );
        }
        return UsageProfile.TopicField;
    }

    // The index is read back from the name, so no digit may follow it.
    private static bool IsApart(string name, int end) => end == name.Length || !char.IsAsciiDigit(name[end]);

    private static (int Smallest, int Largest, Law? Law, PayloadTemplate? Template) ReadPayload(
        JsonObjectReader reader,
        JsonFindings findings
    )
    {
        var sizes = reader.Optional("payloadBytes");
        if (reader.Optional("payload") is { } text)
        {
            if (sizes is not null)
                findings.Add(sizes, "given beside \"payload\", whose text has a size; allowed: one of them");
            var problem =
                text.Type == JsonTokenType.String
                    ? PayloadTemplate.TryParse(text.Text, out var template)
                    : TryNone(out template);
            if (problem is null && template!.Bytes <= LargestPayloadBytes)
                return (template.Bytes, template.Bytes, null, template);
            problem ??= string.Create(CultureInfo.InvariantCulture, $"a text of at most {LargestPayloadBytes} bytes");
            findings.Add(text, $"{text.Given} given; allowed: {problem}");
        }
        if (sizes is not { Type: JsonTokenType.StartObject })
        {
            var (smallest, largest) = ReadSizes(sizes, findings);
            return (smallest, largest, null, null);
        }

        // The bounds stand beside the law.
        var bounds = new JsonObjectReader(sizes, findings);
        var minimum = bounds.Integer(
            "minimum",
            UsageProfile.SmallestPayloadBytes,
            LargestPayloadBytes,
            UsageProfile.SmallestPayloadBytes
        );
        var maximum = bounds.Integer(
            "maximum",
            UsageProfile.SmallestPayloadBytes,
            LargestPayloadBytes,
            Math.Max(minimum, LargestPayloadByDefault)
        );
        if (minimum > maximum)
            findings.Add(sizes, $"minimum {minimum} is greater than maximum {maximum}; allowed: minimum <= maximum");
        return (minimum, maximum, LawReader.Read(sizes.Without("minimum", "maximum"), findings, LawReader.Sizes), null);

        static string TryNone(out PayloadTemplate? template)
        {
            template = null;
            return "a text with {number} once";
        }
    }

    private static (QualityOfService Publish, QosWeights? Weights, QualityOfService? Subscribe) ReadQos(
        JsonTree? tree,
        JsonFindings findings
    )
    {
        if (tree is null)
            return (StandIn.Qos, null, null);
        if (tree.Type != JsonTokenType.StartObject)
            return ((QualityOfService)JsonObjectReader.Integer(tree, 0, 2, findings), null, null);
        var reader = new JsonObjectReader(tree, findings);
        var (publish, subscribe) = (
            reader.Required("publish", "0, 1 or 2, or three weights"),
            reader.Integer("subscribe", 0, 2, 1)
        );
        reader.End();
        if (publish is not { Type: JsonTokenType.StartArray })
            return (
                publish is null ? StandIn.Qos : (QualityOfService)JsonObjectReader.Integer(publish, 0, 2, findings),
                null,
                (QualityOfService)subscribe
            );
        var weights = publish.Items.Select(item => JsonObjectReader.Number(item, 0, LargestWeight, findings)).ToArray();
        if (weights.Length == 3 && weights.Sum() > 0)
            return (StandIn.Qos, new(weights[0], weights[1], weights[2]), (QualityOfService)subscribe);
        findings.Add(
            publish,
            $"{publish.Given} given; allowed: 0, 1 or 2, or the weights of the three, [w0, w1, w2], not all zero"
        );
        return (StandIn.Qos, null, (QualityOfService)subscribe);
    }

    private static (int Smallest, int Largest) ReadSizes(JsonTree? tree, JsonFindings findings)
    {
        if (tree is null)
            return (StandIn.MinimumPayloadBytes, StandIn.MaximumPayloadBytes);
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
        var smallest = JsonObjectReader.Integer(
            tree.Items[0],
            UsageProfile.SmallestPayloadBytes,
            LargestPayloadBytes,
            findings
        );
        var largest = JsonObjectReader.Integer(
            tree.Items[1],
            UsageProfile.SmallestPayloadBytes,
            LargestPayloadBytes,
            findings
        );
        if (findings.Count == before && smallest > largest)
            LawReader.AddReversed(tree, findings);
        return (smallest, largest);
    }

    // Names appear in file names and in topic names.
    private static string Name(JsonObjectReader reader, string? fallback, JsonFindings findings)
    {
        const string allowed = "1 to 64 letters, digits, '-', '_' or '.', beginning with a letter or digit";
        var tree = fallback is null ? reader.Required("name", allowed) : reader.Optional("name");
        if (tree is null)
            return fallback ?? "";
        if (
            tree.Type == JsonTokenType.String
            && tree.Text is { Length: > 0 and <= 64 } text
            && char.IsAsciiLetterOrDigit(text[0])
            && text.All(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_' or '.')
        )
            return text;
        findings.Add(tree, $"{tree.Given} given; allowed: {allowed}");
        return "";
    }

    internal const string Persistent = "persistent";
    internal const string CleanSession = "clean";

    private static UsageProfile StandIn { get; } =
        new()
        {
            Name = "",
            WaitMilliseconds = new ConstantLaw(0),
            Weights = new MessageWeights(1, 1, 1, 1, 1),
        };
}
