using System.Globalization;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using MqttCheck.Json;
using MqttCheck.Profiles.Behaviours;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using MqttCheck.Protocol.Topics;
using MqttCheck.Statistics.Laws;

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
    private const string KeptBirth = $"{BehaviourKeys.AfterConnect}.{Retain}";

    private static readonly JsonKind<string> s_share = JsonKinds.TextWhere(
        $"the name of a share, 1 to {LongestName} letters, digits, '-', '_' or '.'",
        text =>
            text.Length is > 0 and <= LongestName
            && text.All(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_' or '.'),
        "^[A-Za-z0-9._-]{1,64}$"
    );

    private static readonly JsonKind<ClientWill> s_will = JsonFormat
        .Of<ClientWill>(fields =>
            new(
                fields.Required(
                    "topicName",
                    JsonKinds.Text with
                    {
                        Schema = () => JsonNodes.Object(("type", "string"), ("pattern", "^[^+#]+$")),
                    },
                    will => will.TopicName,
                    "The topic, used as written: {client} stands for the number of the client."
                ),
                fields.Optional(
                    "payload",
                    JsonKinds.Text,
                    will => will.Payload,
                    "",
                    "The text of the message.",
                    always: true
                ),
                fields.Optional("qos", QosChoice.Level, will => will.Qos, QualityOfService.AtMostOnce, always: true)
            )
            {
                OnDisconnect = fields.Optional(
                    OnDisconnect,
                    JsonKinds.Flag,
                    will => will.OnDisconnect,
                    false,
                    "Whether a client that leaves asks for the message too, by a DISCONNECT with reason code 0x04. "
                        + "MQTT 5 only."
                ),
                Retain = fields.Optional(
                    Retain,
                    JsonKinds.Flag,
                    will => will.Retain,
                    false,
                    "Whether the broker keeps the message for later subscribers."
                ),
            }
        )
        .Then(CheckWill);

    private static readonly JsonKind<ValueList<UserProperty>> s_properties = new(
        "",
        ReadProperties,
        (writer, properties) =>
            new JsonObject(
                properties.Select(property => KeyValuePair.Create(property.Name, (JsonNode?)property.Value))
            ).WriteTo(writer),
        () => default,
        () =>
            JsonNodes.Object(
                ("type", "object"),
                ("minProperties", 1),
                ("maxProperties", MostProperties),
                ("additionalProperties", JsonNodes.Object(("type", "string")))
            )
    );

    // The keys alone, as if there were no others.
    private static readonly JsonKind<UsageProfile> s_alone = JsonFormat.Of<UsageProfile>(fields =>
        Fields(
            fields,
            new()
            {
                Name = "",
                WaitMilliseconds = new ConstantLaw(0),
                Weights = new(1, 1, 1, 1, 1),
            }
        )
    );

    /// <summary>The keys.</summary>
    /// <param name="fields">Asks for them.</param>
    /// <param name="profile">The profile as it is without them.</param>
    public static UsageProfile Fields(JsonFields<UsageProfile> fields, UsageProfile profile)
    {
        profile = profile with
        {
            KeepAliveSeconds = fields.Optional(
                KeepAlive,
                JsonKinds.Integer(0, LongestKeepAlive),
                profile => profile.KeepAliveSeconds,
                0,
                "the keep alive told to the broker; a client that has nothing to send sends a ping after three "
                    + "quarters of it",
                "0: none"
            ),
            Retain = fields.Optional(
                Retain,
                JsonKinds.Flag,
                profile => profile.Retain,
                false,
                "whether the broker keeps the last publication of each topic for later subscribers"
            ),
            ShareName = fields.Nullable(
                Shared,
                s_share,
                profile => profile.ShareName,
                "the name of the share in which clients subscribe, beside `\"session\": \"clean\"`"
            ),
        };
        fields.Refuse(
            Shared,
            profile is { ShareName.Length: > 0, CleanSessions: false },
            given =>
                $"{given.Given} given with persistent sessions, where a broker may keep a message for a member that "
                + "is away; allowed: beside \"session\": \"clean\""
        );
        return Properties(fields, profile);
    }

    private static UsageProfile Properties(JsonFields<UsageProfile> fields, UsageProfile profile) =>
        profile with
        {
            MessageExpirySeconds = fields.Nullable(
                Expiry,
                JsonKinds.Integer(1),
                profile => profile.MessageExpirySeconds,
                "after how many seconds a publication that waits is worthless; MQTT 5"
            ),
            UserProperties = fields.Optional(
                UserProperties,
                s_properties,
                profile => profile.UserProperties,
                default,
                $"up to {MostProperties} names with texts that every publication carries; MQTT 5",
                "none"
            ),
            TopicAliases = fields.Optional(
                Aliases,
                JsonKinds.Integer(0, ushort.MaxValue),
                profile => profile.TopicAliases,
                0,
                "for how many topics a connection sends a number in place of the name, as far as the broker allows; "
                    + "MQTT 5"
            ),
            Will = fields.Nullable(
                Will,
                s_will,
                profile => profile.Will,
                "`topicName`, `payload`, `qos` and `retain` of the message that the broker publishes where a client "
                    + "vanishes; `{client}` stands for its number; `onDisconnect`, see below"
            ),
        };

    /// <summary>The keys that a profile has, with their values as JSON.</summary>
    /// <param name="profile">The profile.</param>
    public static IReadOnlyDictionary<string, string> Of(UsageProfile profile) =>
        JsonNode
            .Parse(s_alone.ToBytes(profile))!
            .AsObject()
            .Select(member => KeyValuePair.Create(member.Key, member.Value!.ToJsonString()))
            .Concat(profile.AfterConnect is { Retain: true } ? [KeyValuePair.Create(KeptBirth, "true")] : [])
            .ToDictionary();

    /// <summary>A set of keys as one text, the same for the same set.</summary>
    /// <param name="keys">The keys with their values as JSON.</param>
    public static string TextOf(IReadOnlyDictionary<string, string> keys) =>
        string.Join(", ", keys.Keys.Order(StringComparer.Ordinal).Select(key => $"\"{key}\": {keys[key]}"));

    /// <summary>The first key of a profile by which the broker keeps messages; null for none.</summary>
    /// <param name="profile">The profile.</param>
    public static string? Kept(UsageProfile profile) =>
        profile.Retain ? Retain
        : profile.AfterConnect is { Retain: true } ? KeptBirth
        : profile.Will is { Retain: true } ? $"{Will}.{Retain}"
        : null;

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
                $"{tree.GivenWithCount} given; allowed: an object of 1 to {MostProperties} names, each "
                    + $"with a text of at most {LongestProperty} bytes, {{ \"site\": \"north\" }}"
            )
        );
        return default;
    }

    private static void CheckWill(JsonTree tree, JsonFindings findings, ClientWill will)
    {
        if (!TopicName.IsValid(will.TopicName) || will.TopicName.Length > ProfileFormat.LongestTopicName)
            findings.Add(
                tree.Member("topicName")!,
                $"\"{will.TopicName}\" given; allowed: a topic name without wildcard of at most "
                    + $"{ProfileFormat.LongestTopicName} characters; {ClientWill.ClientField} is the client's number"
            );
        if (Encoding.UTF8.GetByteCount(will.Payload) > LongestWill)
            findings.Add(tree.Member("payload")!, $"a text too long given; allowed: at most {LongestWill} bytes");
    }

    // No text in MQTT may contain the character 0.
    private static bool IsText(string text, int mostBytes) =>
        !text.Contains('\0', StringComparison.Ordinal) && Encoding.UTF8.GetByteCount(text) <= mostBytes;
}
