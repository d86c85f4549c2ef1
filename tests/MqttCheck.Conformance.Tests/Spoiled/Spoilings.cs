using System.Text;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Tests.Spoiled;

/// <summary>All ways to spoil what passes, each of them one fault.</summary>
internal static class Spoilings
{
    /// <summary>The statements under which a connection is missed that the broker ended.</summary>
    public static readonly string[] Ended =
    [
        "connection-kept",
        "qos0-taken",
        "puback",
        "pubrec",
        "pubrel",
        "pubcomp",
        "suback",
        "unsuback",
        "pingresp",
        "connack",
    ];

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Spoiling> All { get; } =
    [
        // The broker ends the connection for something that is legal.
        Closes("EmptyLevelCloses", packet => TopicOf(packet) is { } topic && HasEmptyLevel(topic)),
        Closes("LongTopicCloses", packet => TopicOf(packet)?.Length > 100),
        Closes("BeyondAsciiCloses", packet => TopicOf(packet) is { } topic && !Ascii.IsValid(topic)),
        Closes("PropertiesClose", packet => packet is PublishPacket { Properties.ContentType: not null }),
        Closes("EmptyPayloadCloses", packet => packet is PublishPacket { Payload.IsEmpty: true }),
        Closes("DuplicateCloses", packet => packet is PublishPacket { Duplicate: true }),
        Closes("ThreeFiltersClose", packet => packet is SubscribePacket { Subscriptions.Count: > 2 }),
        Closes("UnsubscribeOfTwoCloses", packet => packet is UnsubscribePacket { Filters.Count: > 1 }),
        Closes("RetainedWillCloses", packet => packet is ConnectPacket { Will.Retain: true }),
        Closes(
            "IdentifierCloses",
            packet => packet is SubscribePacket { Properties.SubscriptionIdentifiers.Count: > 0 }
        ),
        Closes(
            "RetainAtQos2Closes",
            packet => packet is PublishPacket { Retain: true, Qos: QualityOfService.ExactlyOnce }
        ),
        Closes("AliasCloses", packet => packet is PublishPacket { Properties.TopicAlias: not null }),
        Closes("ExpiryCloses", packet => packet is PublishPacket { Properties.MessageExpiryIntervalSeconds: not null }),
        Closes(
            "HandlingCloses",
            packet =>
                packet is SubscribePacket subscribe
                && subscribe.Subscriptions.Any(request => request.RetainHandling == RetainHandling.DoNotSend)
        ),
        // Topics are taken for others.
        Renames("CaseIgnored", topic => topic.Replace('A', 'a')),
        Renames("SlashAtTheEndDropped", topic => topic.Length > 1 ? topic.TrimEnd('/') : topic),
        Renames("EmptyLevelsMerged", topic => topic.Replace("//", "/", StringComparison.Ordinal)),
        Renames("AccentsComposed", topic => topic.Replace("e\u0301", "\u00E9", StringComparison.Ordinal)),
        Renames("DotIsLevel", topic => topic.Replace('.', '/')),
        Renames("BlankReplaced", topic => topic.Replace(' ', '_')),
        Renames("TopicsCut", topic => topic.Length > 120 ? topic[..120] : topic),
        // Subscriptions.
        new("ThirdFilterForgotten", "delivered", "retained-sent", "retained-kept", "suback-codes")
        {
            ToBroker = (passage, packet) =>
            {
                if (packet is not SubscribePacket { Subscriptions: { Count: > 2 } requests } subscribe)
                    return [packet];
                passage.Memory["forgotten"] = requests.Skip(2).Select(request => (ReasonCode)request.Qos).ToArray();
                return [subscribe with { Subscriptions = [.. requests.Take(2)] }];
            },
            ToClient = (passage, packet) =>
                packet is SubackPacket suback && passage.Memory.Remove("forgotten", out var forgotten)
                    ? [suback with { ReasonCodes = [.. suback.ReasonCodes, .. (ReasonCode[])forgotten] }]
                    : [packet],
        },
        Requests("NoLocalAlways", request => request with { NoLocal = !IsShared(request) }, "delivered"),
        Requests("AsPublishedAlways", request => request with { RetainAsPublished = true }, "retain-flag-live"),
        Requests("HandlingLost", request => request with { RetainHandling = RetainHandling.Send }, "retain-handling"),
        Requests(
            "HandlingOneAlways",
            request => request with { RetainHandling = RetainHandling.SendIfNew },
            "retained-sent-again",
            "retain-handling"
        ),
        Requests(
            "ShareIgnored",
            request => request with { Filter = Plain(request.Filter) },
            "shared-once",
            "shared-not-retained",
            "unsuback-told",
            "unsubscribed"
        ),
        new("IdentifierDropped", "subscription-identifiers", "all-identifiers")
        {
            ToBroker = (_, packet) =>
                packet is SubscribePacket subscribe
                    ? [subscribe with { Properties = subscribe.Properties with { SubscriptionIdentifiers = [] } }]
                    : [packet],
        },
        ToClients<SubackPacket>(
            "SubackSaysNothing",
            suback => suback with { ReasonCodes = [.. suback.ReasonCodes.Select(_ => ReasonCode.Success)] },
            "delivery-qos",
            "suback-codes",
            "filter-accepted"
        ),
        ToClients<SubackPacket>(
            "SubackSaysMost",
            suback => suback with { ReasonCodes = [.. suback.ReasonCodes.Select(_ => ReasonCode.GrantedQos2)] },
            "suback-codes"
        ),
        ToClients<SubackPacket>(
            "SubackOfOther",
            suback => suback with { PacketId = (ushort)(suback.PacketId + 1) },
            "answer-identifier",
            "suback"
        ),
        Swallows<UnsubackPacket>("UnsubackMissing", "unsuback"),
        Swallows<PingrespPacket>("PingrespMissing", "pingresp"),
        Swallows<PubcompPacket>("PubcompMissing", "pubcomp"),
        new("PubackTwice", "answer-identifier")
        {
            ToClient = (_, packet) => packet is PubackPacket ? [packet, packet] : [packet],
        },
        new("ConnackTwice", "one-connack")
        {
            ToClient = (_, packet) => packet is ConnackPacket ? [packet, packet] : [packet],
        },
        // Sessions and wills.
        ToClients<ConnackPacket>(
            "SessionPresentAlways",
            connack => connack with { SessionPresent = true },
            "clean-session-not-present",
            "session-not-present"
        ),
        Connects(
            "CleanIgnored",
            connect => connect with { CleanStart = connect.ClientId.Length == 0 },
            "clean-session-not-present",
            "clean-start",
            "session-ends"
        ),
        Connects("CleanAlways", connect => connect with { CleanStart = true }, "session-present", "empty-identifier"),
        Connects(
            "SessionExpiryDropped",
            connect => connect with { Properties = connect.Properties with { SessionExpiryIntervalSeconds = null } },
            "session-present"
        ),
        Connects(
            "WindowIgnored",
            connect => connect with { Properties = connect.Properties with { ReceiveMaximum = null } },
            "receive-maximum"
        ),
        Connects(
            "AliasesUnasked",
            connect =>
                connect.ProtocolVersion == ProtocolVersion.V5
                    ? connect with
                    {
                        Properties = connect.Properties with { TopicAliasMaximum = 9 },
                    }
                    : connect,
            "topic-alias"
        ),
        Connects("WillForgotten", connect => connect with { Will = null }, "will-published"),
        Connects(
            "WillAtQos0",
            connect => connect with { Will = connect.Will is { } will ? will with { Qos = default } : null },
            "will-published",
            "delivery-qos"
        ),
        Connects(
            "WillRetainedAlways",
            connect => connect with { Will = connect.Will is { } will ? will with { Retain = true } : null },
            "retain-flag-live",
            "before-subscription",
            "retained-untouched"
        ),
        new("DisconnectUnread", "will-discarded")
        {
            ToBroker = (passage, packet) => packet is DisconnectPacket ? passage.Close() : [packet],
        },
        new("FirstAfterResumeLost", "delivered", "offline-queue", "resend")
        {
            ToClient = (passage, packet) =>
            {
                if (packet is ConnackPacket { SessionPresent: true })
                    passage.Memory["loses"] = 1;
                return packet is PublishPacket && passage.Memory.Remove("loses") ? [] : [packet];
            },
        },
        // Messages.
        Published("CorrelationDropped", properties => properties with { CorrelationData = null }),
        Published("ContentTypeDropped", properties => properties with { ContentType = null }),
        Published("ResponseTopicDropped", properties => properties with { ResponseTopic = null }),
        Published("FormatDropped", properties => properties with { PayloadFormatIndicator = null }),
        Published(
            "UserPropertiesOnce",
            properties => properties with { UserProperties = [.. properties.UserProperties.DistinctBy(p => p.Name)] }
        ),
        Published(
            "UserPropertyAdded",
            properties => properties with { UserProperties = [.. properties.UserProperties, new("via", "here")] }
        ),
        new("RetainLostAtQos2", "retained-kept", "retained-sent", "retain-flag-live")
        {
            ToBroker = (_, packet) =>
                packet is PublishPacket { Qos: QualityOfService.ExactlyOnce } publish
                    ? [publish with { Retain = false }]
                    : [packet],
        },
        ToClients<PublishPacket>(
            "DuplicateAlways",
            publish => publish with { Duplicate = publish.Qos > 0 },
            "dup-not-copied"
        ),
        ToClients<PublishPacket>("RetainAlways", publish => publish with { Retain = true }, "retain-flag-live"),
        ToClients<PublishPacket>("RetainNever", publish => publish with { Retain = false }, "retain-flag-stored"),
        ToClients<PublishPacket>(
            "PayloadCut",
            publish => publish with { Payload = new(publish.Payload.Memory[..Math.Min(500, publish.Payload.Length)]) },
            "payload"
        ),
        ToClients<PublishPacket>(
            "Qos1AsQos0",
            publish =>
                publish.Qos == QualityOfService.AtLeastOnce ? publish with { Qos = default, PacketId = 0 } : publish,
            "delivery-qos"
        ),
        ToClients<PublishPacket>(
            "IdentifierAdded",
            publish =>
                publish with
                {
                    Properties = publish.Properties with
                    {
                        SubscriptionIdentifiers = [.. publish.Properties.SubscriptionIdentifiers, 77],
                    },
                },
            "subscription-identifiers"
        ),
        ToClients<PublishPacket>(
            "AliasUnasked",
            publish =>
                publish.Topic.Length > 0
                    ? publish with
                    {
                        Properties = publish.Properties with { TopicAlias = 1 },
                    }
                    : publish,
            "topic-alias"
        ),
        new("Qos0Twice", "qos0-at-most-once", "copies")
        {
            ToClient = (_, packet) => packet is PublishPacket { Qos: 0 } ? [packet, packet] : [packet],
        },
        // Only a session with more messages than there are identifiers shows these.
        new("ManyMessagesAreLost", "delivered")
        {
            ToClient = (passage, packet) =>
                packet is not PublishPacket || CountOf(passage, "come") <= ushort.MaxValue ? [packet] : [],
        },
        new("ManyMessagesClose", Ended)
        {
            ToBroker = (passage, packet) =>
                packet is not PublishPacket || CountOf(passage, "sent") <= ushort.MaxValue ? [packet] : passage.Close(),
        },
        new("EmptyMessagesLost", "delivered")
        {
            ToClient = (_, packet) =>
                packet is PublishPacket { Payload.IsEmpty: true, Qos: 0 } or not PublishPacket { Payload.IsEmpty: true }
                    ? [packet]
                    : [],
        },
        .. LaterSpoilings.All,
    ];

    private static int CountOf(Passage passage, string name)
    {
        var count = 1 + (int)passage.Memory.GetValueOrDefault(name, 0);
        passage.Memory[name] = count;
        return count;
    }

    public static Spoiling Closes(string name, Predicate<Packet> isTooMuch) =>
        new(name, Ended) { ToBroker = (passage, packet) => isTooMuch(packet) ? passage.Close() : [packet] };

    private static Spoiling Renames(string name, Func<string, string> rename) =>
        new(name, "topic-matches", "delivered")
        {
            ToBroker = (_, packet) =>
                packet is PublishPacket { Topic.Length: > 0 } publish
                && rename(publish.Topic) is { } topic
                && topic != publish.Topic
                    ? [publish with { Topic = topic }]
                    : [packet],
        };

    // UNSUBSCRIBE names what SUBSCRIBE named.
    public static Spoiling Requests(
        string name,
        Func<SubscriptionRequest, SubscriptionRequest> change,
        params string[] statements
    ) =>
        new(name, statements)
        {
            ToBroker = (passage, packet) =>
                packet switch
                {
                    SubscribePacket subscribe =>
                    [
                        subscribe with
                        {
                            Subscriptions =
                            [
                                .. subscribe.Subscriptions.Select(request =>
                                    passage.Version == ProtocolVersion.V5
                                        ? change(request)
                                        : new SubscriptionRequest(change(request).Filter, change(request).Qos)
                                ),
                            ],
                        },
                    ],
                    UnsubscribePacket unsubscribe =>
                    [
                        unsubscribe with
                        {
                            Filters =
                            [
                                .. unsubscribe.Filters.Select(filter =>
                                    change(new SubscriptionRequest(filter, default)).Filter
                                ),
                            ],
                        },
                    ],
                    _ => [packet],
                },
        };

    public static Spoiling Connects(
        string name,
        Func<ConnectPacket, ConnectPacket> change,
        params string[] statements
    ) =>
        new(name, statements)
        {
            ToBroker = (_, packet) => packet is ConnectPacket connect ? [change(connect)] : [packet],
        };

    private static Spoiling Published(string name, Func<PacketProperties, PacketProperties> change) =>
        new(name, "properties-forwarded")
        {
            ToBroker = (passage, packet) =>
                packet is PublishPacket publish && passage.Version == ProtocolVersion.V5
                    ? [publish with { Properties = change(publish.Properties) }]
                    : [packet],
        };

    private static Spoiling ToClients<T>(string name, Func<T, T> change, params string[] statements)
        where T : Packet =>
        new(name, statements)
        {
            ToClient = (passage, packet) =>
                packet is T changed && (passage.Version == ProtocolVersion.V5 || !IsOfMqtt5(name))
                    ? [change(changed)]
                    : [packet],
        };

    private static Spoiling Swallows<T>(string name, params string[] statements)
        where T : Packet => new(name, statements) { ToClient = (_, packet) => packet is T ? [] : [packet] };

    private static bool IsOfMqtt5(string name) => name is "IdentifierAdded" or "AliasUnasked";

    private static bool IsShared(in SubscriptionRequest request) =>
        request.Filter.StartsWith("$share/", StringComparison.Ordinal);

    private static string Plain(string filter) =>
        filter.StartsWith("$share/", StringComparison.Ordinal) ? string.Join('/', filter.Split('/')[2..]) : filter;

    private static bool HasEmptyLevel(string topic) =>
        topic.StartsWith('/') || topic.EndsWith('/') || topic.Contains("//", StringComparison.Ordinal);

    // The first topic or filter with something unusual, or the first of all.
    private static string? TopicOf(Packet packet) =>
        packet switch
        {
            PublishPacket { Topic.Length: > 0 } publish => publish.Topic,
            SubscribePacket subscribe => Unusual(subscribe.Subscriptions.Select(request => Plain(request.Filter))),
            UnsubscribePacket unsubscribe => Unusual(unsubscribe.Filters.Select(Plain)),
            _ => null,
        };

    private static string Unusual(IEnumerable<string> topics) =>
        topics.OrderByDescending(topic => HasEmptyLevel(topic) || topic.Length > 100 || !Ascii.IsValid(topic)).First();
}
