using System.Globalization;
using System.Text;
using System.Text.Json;
using MqttCheck.Json;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Profiles.Behaviours;

/// <summary>
/// The keys of a profile that say how fleets behave beside random messages: an order, a first message after connecting,
/// the same instants for all, and subscriptions with wildcards.
/// </summary>
internal static class BehaviourKeys
{
    internal const string Order = "order";
    internal const string AfterConnect = "afterConnect";
    internal const string Simultaneous = "simultaneous";
    internal const string Filters = "filters";
    private const string Reply = "reply";
    private const int MostSteps = 100;
    private const int MostFilters = 100;
    private const int LargestPayload = 1 << 20;
    private const int LongestText = 10_000;
    internal const double ShortestPeriod = .05;
    internal const double LongestPeriod = 86_400;

    private static readonly JsonKind<OrderStep> s_step = JsonKinds.Word([
        ("connect", OrderStep.Connect),
        ("disconnect", OrderStep.Disconnect),
        ("publish", OrderStep.Publish),
        ("subscribe", OrderStep.Subscribe),
        ("unsubscribe", OrderStep.Unsubscribe),
    ]);

    private static readonly JsonKind<ValueList<OrderStep>> s_order = Several(s_step, "messages", 2, MostSteps)
        .Then(CheckOrder);

    private static readonly JsonKind<string> s_filter = JsonKinds.TextWhere(
        $"a topic filter of at most {ProfileFormat.LongestTopicName} characters, \"plant/+/temp\" or \"plant/#\"; "
            + $"{ClientWill.ClientField} stands for the number of the client",
        text =>
            text.Length <= ProfileFormat.LongestTopicName
            && TopicFilter.IsValid(text, ProtocolVersion.V5)
            && !text.StartsWith('$'),
        "^[^$]"
    );

    private static readonly JsonKind<ValueList<string>> s_filters = Several(s_filter, "topic filters", 1, MostFilters)
        .Then(CheckFilters);

    private static readonly JsonKind<Instants> s_instants = JsonFormat.Of<Instants>(fields =>
    {
        var instants = new Instants(
            fields.Required(
                "everySeconds",
                JsonKinds.Number(ShortestPeriod, LongestPeriod),
                of => of.EverySeconds,
                "The time between two instants."
            ),
            fields.Optional(
                "jitterSeconds",
                JsonKinds.Number(0, LongestPeriod / 2),
                of => of.JitterSeconds,
                0,
                "How much later than its instant a message may be; uniform."
            ),
            fields.Optional(
                "message",
                JsonKinds.Word([("connect", OrderStep.Connect), ("publish", OrderStep.Publish)]),
                of => of.Message,
                OrderStep.Connect,
                "The kind of message that all send at the instants."
            )
        );
        fields.Refuse(
            "jitterSeconds",
            instants.JitterSeconds > instants.EverySeconds / 2,
            given => $"{given.Given} given; allowed: at most half of \"everySeconds\""
        );
        return instants;
    });

    private static readonly JsonKind<FirstMessage> s_first = JsonFormat
        .Of<FirstMessage>(fields =>
        {
            var message = new FirstMessage(
                fields.Required(
                    "topicName",
                    JsonKinds.Text with
                    {
                        Schema = () => JsonNodes.Object(("type", "string"), ("pattern", "^[^+#]+$")),
                    },
                    of => of.TopicName,
                    "The topic, used as written: {client} stands for the number of the client."
                )
            )
            {
                Payload = fields.Nullable("payload", JsonKinds.Text, of => of.Payload, "The text of the message."),
                PayloadBytes = fields.Optional(
                    "payloadBytes",
                    JsonKinds.Integer(UsageProfile.SmallestPayloadBytes, LargestPayload),
                    of => of.PayloadBytes,
                    UsageProfile.SmallestPayloadBytes,
                    "The size of the message, in place of a text."
                ),
                Qos = fields.Optional("qos", QosChoice.Level, of => of.Qos, QualityOfService.AtMostOnce),
                Retain = fields.Optional(
                    "retain",
                    JsonKinds.Flag,
                    of => of.Retain,
                    false,
                    "Whether the broker keeps the message for later subscribers."
                ),
            };
            fields.Exclude("payloadBytes", "payload", "given beside \"payload\"; allowed: one of them");
            return message;
        })
        .Then(CheckFirst);

    /// <summary>The keys.</summary>
    /// <param name="fields">Asks for them.</param>
    /// <param name="profile">The profile as it is without them.</param>
    public static UsageProfile Fields(JsonFields<UsageProfile> fields, UsageProfile profile)
    {
        profile = profile with
        {
            Order = fields.Optional(
                Order,
                s_order,
                profile => profile.Order,
                default,
                "the messages of a connection in their order, from `connect` on; `disconnect` only as the last one. "
                    + "Afterwards `weights` decide; behind a `disconnect` the order begins again",
                "none"
            ),
            AfterConnect = fields.Nullable(
                AfterConnect,
                s_first,
                profile => profile.AfterConnect,
                "`topicName`, `payload` or `payloadBytes`, `qos` and `retain` of a message that each client publishes "
                    + "as soon as it is connected; `{client}` stands for its number"
            ),
            Simultaneous = fields.Nullable(
                Simultaneous,
                s_instants,
                profile => profile.Simultaneous,
                "`everySeconds`, `jitterSeconds` and `message` (`connect` or `publish`): all clients send that kind of "
                    + "message at the same instants"
            ),
            Filters = fields.Optional(
                Filters,
                s_filters,
                profile => profile.Filters,
                default,
                "the topic filters that clients subscribe to in place of their topics; `{client}` stands for the "
                    + "client's number",
                "none"
            ),
        };
        fields.Never(
            Reply,
            "given, but no client of a profile answers messages; allowed: a group of its own that publishes the "
                + "replies, as often as there are requests"
        );
        RefuseInstants(fields, profile);
        RefuseFilters(fields, profile);
        return profile;
    }

    /// <summary>Whether an order brings a client back to its beginning, so that weights never decide.</summary>
    /// <param name="profile">The profile as it is given.</param>
    public static bool IsClosed(JsonTree? profile) =>
        profile?.Member(Order)?.Items is { Count: > 0 } steps && steps[^1].Text == "disconnect";

    /// <summary>The keys that a profile has and that only the simulation and the fleet follow.</summary>
    /// <param name="profile">The profile.</param>
    public static string? FirstOf(UsageProfile profile) =>
        profile.Order.Count > 0 ? Order
        : profile.AfterConnect is not null ? AfterConnect
        : profile.Simultaneous is not null ? Simultaneous
        : profile.Filters.Count > 0 ? Filters
        : profile.HasOwnTopics ? "topicName"
        : null;

    private static void RefuseInstants(JsonFields<UsageProfile> fields, UsageProfile profile)
    {
        if (profile.Simultaneous is not { } instants)
            return;
        fields.Refuse(
            Simultaneous,
            profile.Stages.Count > 0 || profile.HasRampUp,
            _ =>
                $"given beside \"{(profile.Stages.Count > 0 ? LoadKeys.Stages : LoadKeys.RampUpSeconds)}\" or its "
                + "like, which moves messages from their instants; allowed: one of them"
        );
        fields.Refuse(
            Simultaneous,
            instants.Message == OrderStep.Publish
                && profile.Weights.Publish <= 0
                && !profile.Order.Contains(OrderStep.Publish),
            _ => "given for \"publish\", but no client publishes; allowed: a kind of message that clients send"
        );
    }

    private static void RefuseFilters(JsonFields<UsageProfile> fields, UsageProfile profile)
    {
        if (profile.Filters.Count == 0)
            return;
        fields.Refuse(
            Filters,
            profile.Weights.Subscribe <= 0 && !profile.Order.Contains(OrderStep.Subscribe),
            _ => "given, but no client subscribes; allowed: beside \"subscribe\" in \"weights\" or in \"order\""
        );
        fields.Refuse(
            Filters,
            profile.ShareName is not null,
            _ => "given beside \"sharedSubscription\"; allowed: one of them"
        );
        fields.Refuse(
            Filters,
            profile is { SendsPublications: true, TopicName: UsageProfile.TopicField },
            _ => "given, but clients publish to topics without a name; allowed: beside a \"topicName\""
        );
    }

    private static JsonKind<ValueList<T>> Several<T>(JsonKind<T> item, string what, int least, int most)
    {
        var allowed = string.Create(CultureInfo.InvariantCulture, $"an array of {least} to {most} {what}");
        var list = JsonKinds.List(item, allowed);
        return (
            list with
            {
                Read = (tree, findings) =>
                {
                    if (tree.Type == JsonTokenType.StartArray && tree.Items.Count >= least && tree.Items.Count <= most)
                        return list.Read(tree, findings);
                    findings.Add(tree, $"{tree.GivenWithCount} given; allowed: {allowed}");
                    return [];
                },
                Schema = () =>
                    JsonNodes.Object(
                        ("type", "array"),
                        ("items", item.Schema!()),
                        ("minItems", least),
                        ("maxItems", most)
                    ),
            }
        ).As<ValueList<T>>(items => [.. items], items => [.. items]);
    }

    private static void CheckOrder(JsonTree tree, JsonFindings findings, ValueList<OrderStep> order)
    {
        if (order[0] != OrderStep.Connect)
            findings.Add(tree.Items[0], $"{tree.Items[0].Given} given; allowed: \"connect\", which comes first");
        for (var at = 1; at < order.Count; at++)
        {
            var isLast = at == order.Count - 1;
            if (order[at] == OrderStep.Connect || (order[at] == OrderStep.Disconnect && !isLast))
                findings.Add(
                    tree.Items[at],
                    $"{tree.Items[at].Given} given; allowed: \"connect\" as the first, \"disconnect\" as the last"
                );
        }
    }

    private static void CheckFilters(JsonTree tree, JsonFindings findings, ValueList<string> filters)
    {
        for (var at = 1; at < filters.Count; at++)
        for (var other = 0; other < at; other++)
            if (Overlap(filters[at].Split('/'), filters[other].Split('/')))
                findings.Add(
                    tree.Items[at],
                    $"{tree.Items[at].Given} given beside {tree.Items[other].Given}; a broker may deliver a message "
                        + "that matches both once or twice; allowed: filters of which no topic matches two"
                );
    }

    private static bool Overlap(ReadOnlySpan<string> one, ReadOnlySpan<string> other)
    {
        if (one is ["#"] || other is ["#"])
            return true;
        if (one.IsEmpty || other.IsEmpty)
            return one.IsEmpty && other.IsEmpty;
        return (one[0] == "+" || other[0] == "+" || one[0] == other[0]) && Overlap(one[1..], other[1..]);
    }

    private static void CheckFirst(JsonTree tree, JsonFindings findings, FirstMessage message)
    {
        if (
            !TopicName.IsValid(message.TopicName)
            || message.TopicName.Length > ProfileFormat.LongestTopicName
            || message.TopicName.Contains(UsageProfile.TopicField, StringComparison.Ordinal)
        )
            findings.Add(
                tree.Member("topicName") ?? tree,
                $"\"{message.TopicName}\" given; allowed: a topic name without wildcard and without "
                    + $"{UsageProfile.TopicField}, of at most {ProfileFormat.LongestTopicName} characters; "
                    + $"{ClientWill.ClientField} is the client's number"
            );
        if (message.Payload is not { } text || tree.Member("payload") is not { } given)
            return;
        if (Encoding.UTF8.GetByteCount(text) > LongestText)
            findings.Add(given, $"a text too long given; allowed: at most {LongestText} bytes");
        // A delivery of a fixed text is matched to its publication by the topic, which then has to tell the client.
        if (!message.TopicName.Contains(ClientWill.ClientField, StringComparison.Ordinal))
            findings.Add(
                given,
                $"given, but \"topicName\" has no {ClientWill.ClientField}, so that a delivery does not tell its "
                    + "sender; allowed: \"payloadBytes\", or a topic of the client's own"
            );
    }
}
