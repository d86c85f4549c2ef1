using System.Globalization;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using MqttCheck.Json;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Profiles;

/// <summary>
/// The keys of a profile that say what packets carry: keep alive, retained messages, shared subscriptions, properties
/// of MQTT 5, a will. The features of a latency do not tell them apart, so a model answers for those of its training
/// only.
/// </summary>
internal static class PacketKeys
{
    private const int LongestKeepAlive = ushort.MaxValue;
    private const int LongestName = 64;
    private const int MostProperties = 20;
    private const int LongestProperty = 1000;
    private const int LongestWill = 10_000;
    private const string KeepAlive = "keepAliveSeconds";
    private const string Retain = "retain";
    private const string Shared = "sharedSubscription";
    private const string Expiry = "messageExpirySeconds";
    private const string UserProperties = "userProperties";
    private const string Aliases = "topicAliases";
    private const string Will = "will";
    private const string OnDisconnect = "onDisconnect";

    /// <summary>Reads the keys.</summary>
    /// <param name="reader">The profile's object.</param>
    /// <param name="findings">Receives the findings.</param>
    /// <param name="profile">The profile as read so far.</param>
    public static UsageProfile Read(JsonObjectReader reader, JsonFindings findings, UsageProfile profile) =>
        profile with
        {
            KeepAliveSeconds = reader.Integer(KeepAlive, 0, LongestKeepAlive, 0),
            Retain = reader.OptionalFlag(Retain),
            ShareName = ReadShare(reader, findings, profile),
            MessageExpirySeconds = reader.Optional(Expiry) is { } expiry
                ? JsonObjectReader.Integer(expiry, 1, int.MaxValue, findings)
                : null,
            UserProperties = reader.Optional(UserProperties) is { } tree ? ReadProperties(tree, findings) : default,
            TopicAliases = reader.Integer(Aliases, 0, ushort.MaxValue, 0),
            Will = reader.Optional(Will, ReadWill),
        };

    /// <summary>All keys with their values, null where they are as by default.</summary>
    /// <param name="profile">The profile.</param>
    public static (string Key, JsonNode? Value)[] All(UsageProfile profile) =>
        [
            (KeepAlive, profile.KeepAliveSeconds > 0 ? profile.KeepAliveSeconds : null),
            (Retain, profile.Retain ? true : null),
            (Shared, profile.ShareName),
            (Expiry, profile.MessageExpirySeconds),
            (UserProperties, profile.UserProperties.Count > 0 ? Of(profile.UserProperties) : null),
            (Aliases, profile.TopicAliases > 0 ? profile.TopicAliases : null),
            (Will, profile.Will is { } will ? Of(will) : null),
        ];

    /// <summary>The keys that a profile has, with their values as JSON.</summary>
    /// <param name="profile">The profile.</param>
    public static IReadOnlyDictionary<string, string> Of(UsageProfile profile) =>
        JsonNodes.Object(All(profile)).ToDictionary(member => member.Key, member => member.Value!.ToJsonString());

    /// <summary>A set of keys as one text, the same for the same set.</summary>
    /// <param name="keys">The keys with their values as JSON.</param>
    public static string TextOf(IReadOnlyDictionary<string, string> keys) =>
        string.Join(
            ", ",
            keys.OrderBy(key => key.Key, StringComparer.Ordinal).Select(key => $"\"{key.Key}\": {key.Value}")
        );

    /// <summary>The keys that a profile has and that only MQTT 5 can carry.</summary>
    /// <param name="profile">The profile.</param>
    public static IEnumerable<string> OfVersion5(UsageProfile profile) =>
        Of(profile)
            .Keys.Intersect([Expiry, UserProperties, Aliases])
            .Concat(profile.Will is { OnDisconnect: true } ? [$"{Will}.{OnDisconnect}"] : []);

    /// <summary>The keys that a profile has and that only the own client sends.</summary>
    /// <param name="profile">The profile.</param>
    public static IEnumerable<string> OfOwnClient(UsageProfile profile) =>
        Of(profile).Keys.Intersect([Expiry, UserProperties, Aliases, Will]);

    private static JsonObject Of(ValueList<UserProperty> properties)
    {
        var result = new JsonObject();
        foreach (var (name, value) in properties.AsSpan())
            result.Add(name, value);
        return result;
    }

    private static JsonObject Of(ClientWill will) =>
        JsonNodes.Object(
            ("topicName", will.TopicName),
            ("payload", will.Payload),
            ("qos", (int)will.Qos),
            (OnDisconnect, will.OnDisconnect ? true : null)
        );

    private static string? ReadShare(JsonObjectReader reader, JsonFindings findings, UsageProfile profile)
    {
        if (reader.Optional(Shared) is not { } tree)
            return null;
        if (
            tree.Type != JsonTokenType.String
            || tree.Text.Length is 0 or > LongestName
            || !tree.Text.All(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_' or '.')
        )
        {
            findings.Add(
                tree,
                $"{tree.Given} given; allowed: the name of a share, 1 to {LongestName} letters, digits, '-', '_' or '.'"
            );
            return null;
        }
        if (!profile.CleanSessions)
            findings.Add(
                tree,
                $"{tree.Given} given with persistent sessions, where a broker may keep a message for a member that "
                    + "is away; allowed: beside \"session\": \"clean\""
            );
        return tree.Text;
    }

    private static ValueList<UserProperty> ReadProperties(JsonTree tree, JsonFindings findings)
    {
        if (
            tree.Type == JsonTokenType.StartObject
            && tree.Members.Count is > 0 and <= MostProperties
            && tree.Members.All(member =>
                member.Value.Type == JsonTokenType.String
                && IsText(member.Key, LongestProperty)
                && IsText(member.Value.Text, LongestProperty)
            )
        )
            return [.. tree.Members.Select(member => new UserProperty(member.Key, member.Value.Text))];
        findings.Add(
            tree,
            string.Create(
                CultureInfo.InvariantCulture,
                $"{tree.Given} of {tree.Members.Count} given; allowed: an object of 1 to {MostProperties} names, each "
                    + $"with a text of at most {LongestProperty} bytes, {{ \"site\": \"north\" }}"
            )
        );
        return default;
    }

    private static ClientWill? ReadWill(JsonTree tree, JsonFindings findings)
    {
        var before = findings.Count;
        var reader = new JsonObjectReader(tree, findings);
        var topic = reader.Text("topicName", null);
        var payload = reader.Text("payload", "");
        var qos = reader.Integer("qos", 0, 2, 0);
        var onDisconnect = reader.OptionalFlag(OnDisconnect);
        reader.End();
        if (findings.Count > before)
            return null;
        if (!TopicName.IsValid(topic) || topic.Length > ProfileReader.LongestTopicName)
            findings.Add(
                tree.Member("topicName")!,
                $"\"{topic}\" given; allowed: a topic name without wildcard of at most "
                    + $"{ProfileReader.LongestTopicName} characters; {ClientWill.ClientField} is the client's number"
            );
        if (Encoding.UTF8.GetByteCount(payload) > LongestWill)
            findings.Add(tree.Member("payload")!, $"a text too long given; allowed: at most {LongestWill} bytes");
        return new(topic, payload, (QualityOfService)qos) { OnDisconnect = onDisconnect };
    }

    // No text in MQTT may contain the character 0.
    private static bool IsText(string text, int mostBytes) =>
        !text.Contains('\0', StringComparison.Ordinal) && Encoding.UTF8.GetByteCount(text) <= mostBytes;
}
