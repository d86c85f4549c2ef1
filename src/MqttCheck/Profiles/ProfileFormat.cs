using System.Globalization;
using System.Text.Json;
using MqttCheck.Json;
using MqttCheck.Profiles.Behaviours;
using MqttCheck.Protocol.Topics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Profiles;

/// <summary>The format of profiles and populations.</summary>
internal static class ProfileFormat
{
    internal const int LongestTopicName = 1000;
    internal const double LargestWeight = 1e9;
    private const int MostTopics = 65_536;
    private const int LongestSequence = 10_000;
    private const string TopicNameKey = "topicName";

    private const string NothingEnabled =
        "a connected client can come to a state in which every enabled kind has weight 0 (publish and disconnect are "
        + "0, and subscribe or unsubscribe alone run out of topics); allowed: at least one positive weight among the "
        + "kinds enabled in any state";

    // Names appear in file names and in topic names.
    private static readonly JsonKind<string> s_name = JsonKinds.TextWhere(
        "1 to 64 letters, digits, '-', '_' or '.', beginning with a letter or digit",
        text =>
            text.Length is > 0 and <= 64
            && char.IsAsciiLetterOrDigit(text[0])
            && text.All(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_' or '.'),
        "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"
    );

    private static readonly JsonKind<string> s_topicName = JsonKinds.TextWhere(
        string.Create(
            CultureInfo.InvariantCulture,
            $"a topic name with {UsageProfile.TopicField} once, or with {ClientWill.ClientField}; no digit or field "
                + $"behind one, no wildcard (a topic to publish to has none), at most {LongestTopicName} characters"
        ),
        IsTopicName,
        "^([^+#]*\\{topic\\}([^+#0-9][^+#]*)?|[^+#]*\\{client\\}([^+#0-9][^+#]*)?)$",
        "a text"
    );

    private static readonly JsonKind<bool> s_session = JsonKinds.Word(
        "\"persistent\", \"clean\"",
        "a text",
        [("persistent", false), ("clean", true)]
    );

    private static readonly JsonKind<double> s_weight = JsonKinds.Number(0, LargestWeight);

    // Connect is the only choice of a disconnected client, so its weight may be left out without effect.
    private static readonly JsonKind<MessageWeights> s_weights = JsonFormat.Of<MessageWeights>(
        fields =>
            new(
                fields.Optional("connect", s_weight, weights => weights.Connect, 1, always: true),
                fields.Optional("disconnect", s_weight, weights => weights.Disconnect, 0, always: true),
                fields.Optional("publish", s_weight, weights => weights.Publish, 0, always: true),
                fields.Optional("subscribe", s_weight, weights => weights.Subscribe, 0, always: true),
                fields.Optional("unsubscribe", s_weight, weights => weights.Unsubscribe, 0, always: true)
            ),
        "an object with a weight per kind of message"
    );

    private static readonly JsonKind<MessageWaits> s_waits = JsonFormat.Of<MessageWaits>(fields =>
        new(
            fields.Nullable("connect", LawKinds.Waits, waits => waits.Connect),
            fields.Nullable("disconnect", LawKinds.Waits, waits => waits.Disconnect),
            fields.Nullable("publish", LawKinds.Waits, waits => waits.Publish),
            fields.Nullable("subscribe", LawKinds.Waits, waits => waits.Subscribe),
            fields.Nullable("unsubscribe", LawKinds.Waits, waits => waits.Unsubscribe)
        )
    );

    /// <summary>A population whose profiles stand inside it, or a profile alone.</summary>
    public static JsonKind<Population> Inline { get; } = Of(null);

    /// <summary>A population, or a profile as a population of one group.</summary>
    /// <param name="reference">Reads a profile that a group names; null where profiles must be inline.</param>
    public static JsonKind<Population> Of(Func<string, UsageProfile>? reference) =>
        Profile(null)
            .As(Population.Of, population => population.Groups[0].Profile)
            .Named("a population")
            .Or(
                JsonFormat.Of<Population>(fields => Fields(fields, reference)),
                tree => tree.Member("groups") is not null,
                population =>
                    population.Groups is not [var only]
                    || only.Name != population.Name
                    || only.Profile.Name != population.Name
            );

    /// <summary>A profile.</summary>
    /// <param name="group">The name of a profile that has none of its own; null where it must have one.</param>
    public static JsonKind<UsageProfile> Profile(string? group)
    {
        var kind = JsonFormat.Of<UsageProfile>(fields => Fields(fields, group));
        return group is not null
            ? kind
            : kind with
            {
                Schema = () =>
                    JsonNodes.Object(
                        (
                            "allOf",
                            JsonNodes.List([
                                Profile("").Schema!(),
                                JsonNodes.Object(("required", JsonNodes.Texts(["name"]))),
                            ])
                        )
                    ),
            };
    }

    /// <summary>The keys of a profile.</summary>
    /// <param name="fields">Asks for them.</param>
    /// <param name="group">As of <see cref="Profile"/>.</param>
    public static UsageProfile Fields(JsonFields<UsageProfile> fields, string? group)
    {
        fields.Ignored("$schema");
        var name = Name(fields, profile => profile.Name, group);
        var description = Description(fields, profile => profile.Description);
        var wait = fields.Required(
            "waitMilliseconds",
            LawKinds.Waits,
            profile => profile.WaitMilliseconds,
            "the law of the time before each message, see below"
        );
        var waits = fields.Nullable(
            "waitMillisecondsBefore",
            s_waits,
            profile => profile.Waits,
            "laws for single kinds of message, `{ \"publish\": {...}, \"connect\": {...} }`; the other kinds "
                + "keep `waitMilliseconds`"
        );
        var before = fields.Reader?.Findings.Count;
        var profile = new UsageProfile
        {
            Name = name,
            Description = description,
            WaitMilliseconds = wait,
            Waits = waits,
            Weights = Weights(fields),
            Topics = fields.Optional(
                "topics",
                JsonKinds.Integer(1, MostTopics),
                profile => profile.Topics,
                100,
                "how many topics the clients share, or each has with `{client}`; each message takes one of them with "
                    + "equal probability",
                always: true
            ),
            TopicName = fields.Optional(
                TopicNameKey,
                s_topicName,
                profile => profile.TopicName,
                UsageProfile.TopicField,
                "the name of a topic, used as written; `{topic}` stands for its number. With `{client}`, the client's "
                    + "number, each client has topics of its own; without `{topic}` that is one. It may have levels, "
                    + "but no wildcard. Groups that share topics name them alike"
            ),
        };
        profile = OneTopic(fields, profile);
        profile = Session(fields, Qos(fields, Payload(fields, profile)));
        profile = BehaviourKeys.Fields(fields, PacketKeys.Fields(fields, LoadKeys.Fields(fields, profile)));
        fields.Refuse(
            "weights",
            fields.Reader?.Findings.Count == before && !IsAlwaysEnabled(profile),
            _ => NothingEnabled
        );
        return profile;
    }

    // An order that begins again leaves nothing to weights.
    private static MessageWeights Weights(JsonFields<UsageProfile> fields)
    {
        const string meaning =
            "how likely each kind of message is among those that the client can send in its state, see below. "
            + "Unless given, that of `connect` is 1 and the others are 0.";
        return fields.Reader is { } reader && !BehaviourKeys.IsClosed(reader.Tree)
            ? fields.Required("weights", s_weights, profile => profile.Weights, meaning)
            : fields.Optional(
                "weights",
                s_weights,
                profile => profile.Weights,
                new(1, 0, 0, 0, 0),
                meaning,
                "needed, unless `order` ends with `disconnect`",
                always: true
            );
    }

    private static UsageProfile OneTopic(JsonFields<UsageProfile> fields, UsageProfile profile)
    {
        if (!profile.HasOwnTopics || profile.TopicName.Contains(UsageProfile.TopicField, StringComparison.Ordinal))
            return profile;
        fields.Refuse(
            "topics",
            profile.Topics != 1,
            given => $"{given.Given} given, but \"topicName\" has no {UsageProfile.TopicField}; allowed: 1"
        );
        return profile with { Topics = 1 };
    }

    private static UsageProfile Payload(JsonFields<UsageProfile> fields, UsageProfile profile)
    {
        var hasText =
            fields.Reader?.Tree.Member("payload") is { } text
            && PayloadKinds.Template.Read(text, new JsonFindings("")) is not null;
        fields.Exclude(
            "payloadBytes",
            "payload",
            "given beside \"payload\", whose text has a size; allowed: one of them"
        );
        var sizes = fields.Nullable(
            "payloadBytes",
            hasText ? PayloadKinds.Unread : PayloadKinds.Sizes,
            profile =>
                profile.Payload is null
                    ? new(profile.MinimumPayloadBytes, profile.MaximumPayloadBytes, profile.PayloadLaw)
                    : null,
            "one size; or `[min, max]`, uniform between the two; or a law as for waits, in bytes, with bounds. 12 "
                + "bytes carry the message's number",
            "`[12, 80]`; bounds 12 and 65536"
        );
        var template = fields.Nullable(
            "payload",
            PayloadKinds.Template,
            profile => profile.Payload,
            "the text of payloads, instead of `payloadBytes`; see below"
        );
        sizes = template is null ? sizes ?? new() : new(template.Bytes, template.Bytes);
        return profile with
        {
            MinimumPayloadBytes = sizes.Minimum,
            MaximumPayloadBytes = sizes.Maximum,
            PayloadLaw = sizes.Law,
            Payload = template,
        };
    }

    private static UsageProfile Qos(JsonFields<UsageProfile> fields, UsageProfile profile)
    {
        var qos = fields.Optional(
            "qos",
            QosChoice.Kind,
            profile => new(profile.Qos, profile.PublishQos, profile.SubscriptionQos),
            new(profile.Qos),
            "quality of service of publications and subscriptions: 0, 1 or 2; or of each: `{ \"publish\": 2, "
                + "\"subscribe\": 1 }`. Each publication may draw from weights of 0, 1 and 2: `{ \"publish\": "
                + "[1, 8, 1], \"subscribe\": 2 }`.",
            always: true
        );
        return profile with { Qos = qos.Publish, PublishQos = qos.Weights, SubscriptionQos = qos.Subscribe };
    }

    private static UsageProfile Session(JsonFields<UsageProfile> fields, UsageProfile profile) =>
        profile with
        {
            CleanSessions = fields.Optional(
                "session",
                s_session,
                profile => profile.CleanSessions,
                false,
                "`persistent`: a session lasts through a sequence, so subscriptions survive a disconnect; `clean`: "
                    + "every connection starts a new one"
            ),
            SequenceLength = fields.Optional(
                "sequenceLength",
                JsonKinds.Integer(1, LongestSequence),
                profile => profile.SequenceLength,
                10,
                "how many messages make a sequence; \"all of them in time\" is what is predicted and verified",
                always: true
            ),
        };

    private static Population Fields(JsonFields<Population> fields, Func<string, UsageProfile>? reference)
    {
        fields.Ignored("$schema");
        var group = JsonFormat.Of<ClientGroup>(group => Fields(group, reference));
        var population = new Population
        {
            Name = Name(fields, population => population.Name, null),
            Description = Description(fields, population => population.Description),
            Groups = fields.Required(
                "groups",
                JsonKinds.List(group, "an array of groups", CheckName) with
                {
                    Schema = () => JsonNodes.Object(("type", "array"), ("items", group.Schema!()), ("minItems", 1)),
                },
                population => population.Groups
            ),
        };
        fields.Refuse("groups", population.Groups.Count == 0, _ => "no group given; allowed: at least one");
        if (fields.Reader is { Findings.Count: 0 } && TopicSpace.FindError(population) is { } error)
            fields.Refuse("groups", isWrong: true, _ => error);
        return population;
    }

    private static void CheckName(
        IReadOnlyList<ClientGroup> others,
        ClientGroup group,
        JsonTree item,
        JsonFindings findings
    )
    {
        if (others.Any(other => other.Name == group.Name))
            findings.Add(
                item.Member("name") ?? item,
                $"\"{group.Name}\" given; allowed: a name that no other group has"
            );
    }

    private static ClientGroup Fields(JsonFields<ClientGroup> fields, Func<string, UsageProfile>? reference)
    {
        var name = Name(fields, group => group.Name, null);
        return new(
            name,
            fields.Required(
                "share",
                JsonKinds.Positive(LargestWeight, "a positive number"),
                group => group.Share,
                "How many of the clients belong to the group, relative to the other groups."
            ),
            fields.Required(
                "profile",
                Named(name, reference),
                group => group.Profile,
                "The profile itself, or the name of a built-in one, or the path of a file, relative to this one."
            )
        );
    }

    private static JsonKind<UsageProfile> Named(string group, Func<string, UsageProfile>? reference) =>
        Profile(group)
            .Named("a profile, or the name or path of one")
            .Or(
                Profile(group) with
                {
                    Read = (tree, findings) =>
                    {
                        try
                        {
                            return reference!(tree.Text);
                        }
                        catch (InputException inner)
                        {
                            findings.Add(tree, $"{tree.Given} given, which cannot be read:");
                            findings.Add(inner);
                            return null!;
                        }
                    },
                    Schema = JsonKinds.Text.Schema,
                },
                tree => reference is not null && tree.Type == JsonTokenType.String,
                _ => false
            );

    private static string Name<T>(JsonFields<T> fields, Func<T, string> get, string? group)
    {
        const string meaning = "used in tables and file names: letters, digits, `.`, `_`, `-`";
        return group is null
            ? fields.Required("name", s_name, get, meaning)
            : fields.Optional("name", s_name, get, group, meaning, "none", always: true);
    }

    private static string Description<T>(JsonFields<T> fields, Func<T, string> get) =>
        fields.Optional("description", JsonKinds.Text, get, "", "one sentence for people", "none");

    // A name must tell its numbers, so no digit may follow one.
    private static bool IsTopicName(string name) =>
        name.Split(UsageProfile.TopicField) is var ofTopic
        && name.Split(ClientWill.ClientField) is var ofClient
        && (ofTopic.Length == 2 || (ofTopic.Length == 1 && ofClient.Length > 1))
        && name.Length <= LongestTopicName
        && TopicName.IsValid(name)
        && ofTopic.Skip(1).Concat(ofClient.Skip(1)).All(part => part.Length == 0 || !char.IsAsciiDigit(part[0]))
        && !name.Contains("}{", StringComparison.Ordinal);

    // Connected clients may always publish and disconnect, subscribe while a topic is free, unsubscribe while one is
    // taken. A sequence spends its first message on connect, and the session is dropped after it.
    private static bool IsAlwaysEnabled(UsageProfile profile) =>
        profile.Order is [.., OrderStep.Disconnect]
        || (
            profile.Weights is var weights
            && (
                weights.Publish + weights.Disconnect > 0
                || (
                    weights.Subscribe > 0
                    && (weights.Unsubscribe > 0 || MostSubscriptions(profile) >= profile.SequenceLength - 1)
                )
            )
        );

    private static int MostSubscriptions(UsageProfile profile) =>
        profile.Filters.Count > 0 ? profile.Filters.Count : profile.Topics;
}
