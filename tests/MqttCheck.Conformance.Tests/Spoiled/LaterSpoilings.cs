using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using static MqttCheck.Conformance.Tests.Spoiled.Spoilings;

namespace MqttCheck.Conformance.Tests.Spoiled;

/// <summary>
/// Faults that were written when the check was finished, each from a class that brokers of others had shown.
/// </summary>
internal static class LaterSpoilings
{
    private const long Second = 1_000_000_000;

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Spoiling> All { get; } =
    [.. OfConnections(), .. OfSubscriptions(), .. OfMessages(), .. OfSizes(), .. OfExchanges()];

    private static IEnumerable<Spoiling> OfConnections() =>
        [
            new("AssignedIdentifierUntold", "empty-identifier")
            {
                ToClient = (_, packet) =>
                    packet is ConnackPacket { Properties.AssignedClientIdentifier: not null } connack
                        ? [connack with { Properties = connack.Properties with { AssignedClientIdentifier = null } }]
                        : [packet],
            },
            Connects(
                "WindowOneTooMany",
                connect =>
                    connect.Properties.ReceiveMaximum is > 0 and < 65535 and var window
                        ? connect with
                        {
                            Properties = connect.Properties with { ReceiveMaximum = (ushort)(window + 1) },
                        }
                        : connect,
                "receive-maximum"
            ),
            Connects(
                "KeepAliveTooShort",
                connect => connect with { KeepAliveSeconds = (ushort)((connect.KeepAliveSeconds + 1) / 2) },
                "connection-kept",
                "keep-alive"
            ),
            Connects(
                "WillUserPropertiesDropped",
                connect =>
                    connect.Will is { } will
                        ? connect with
                        {
                            Will = will with { Properties = will.Properties with { UserProperties = [] } },
                        }
                        : connect,
                "properties-forwarded"
            ),
            Connects(
                "WillThatExpiresLost",
                connect =>
                    connect.Will is { Properties.MessageExpiryIntervalSeconds: not null }
                        ? connect with
                        {
                            Will = null,
                        }
                        : connect,
                "will-published"
            ),
            Connects(
                "WillOfQos2IsQos1",
                connect =>
                    connect.Will is { Qos: QualityOfService.ExactlyOnce } will
                        ? connect with
                        {
                            Will = will with { Qos = QualityOfService.AtLeastOnce },
                        }
                        : connect,
                "delivery-qos"
            ),
            Closes(
                "ConnectPropertiesClose",
                packet => packet is ConnectPacket { Properties.UserProperties.Count: > 0 }
            ),
            new(
                "DisconnectPropertiesUnread",
                "will-discarded",
                "session-expiry",
                "session-present",
                "session-not-present"
            )
            {
                ToBroker = (passage, packet) =>
                    packet is DisconnectPacket { Properties.UserProperties.Count: > 0 } ? passage.Close() : [packet],
            },
            new("TakenOverAsNormal", "take-over-told", "server-disconnect")
            {
                ToClient = (_, packet) =>
                    packet is DisconnectPacket { ReasonCode: ReasonCode.SessionTakenOver } told
                        ? [told with { ReasonCode = ReasonCode.UnspecifiedError }]
                        : [packet],
            },
            new("SessionLostAtTakeOver", "session-present")
            {
                ToBroker = (passage, packet) =>
                {
                    if (packet is not ConnectPacket { ClientId.Length: > 0 } connect)
                        return [packet];
                    var isTaken = passage.Broker.Connected.Contains(connect.ClientId);
                    passage.Broker.Connected.Add(connect.ClientId);
                    passage.Closing += () => passage.Broker.Connected.Remove(connect.ClientId);
                    return isTaken ? [connect with { CleanStart = true }] : [packet];
                },
            },
            new("OldConnectionsDeaf", "delivered")
            {
                ToClient = (passage, packet) =>
                    packet is PublishPacket && passage.AgeNanoseconds > 25 * Second ? [] : [packet],
            },
            new("OldConnectionsClosed", Ended)
            {
                ToBroker = (passage, packet) => passage.AgeNanoseconds > 30 * Second ? passage.Close() : [packet],
            },
            new("ReasonStringInPubackUnasked", "problem-information")
            {
                ToBroker = (passage, packet) =>
                {
                    if (packet is ConnectPacket connect)
                        passage.Memory["unasked"] = connect.Properties.RequestProblemInformation == false;
                    return [packet];
                },
                ToClient = (passage, packet) =>
                    packet is PubackPacket puback && passage.Memory.GetValueOrDefault("unasked") is true
                        ? [puback with { Properties = puback.Properties with { ReasonString = "taken" } }]
                        : [packet],
            },
        ];

    private static IEnumerable<Spoiling> OfSubscriptions() =>
        [
            new("IdentifierOfThreeBytes", "subscription-identifiers", "all-identifiers")
            {
                ToBroker = (_, packet) =>
                    packet
                        is SubscribePacket
                        {
                            Properties.SubscriptionIdentifiers: [> 0x1FFFFF and var identifier]
                        } request
                        ?
                        [
                            request with
                            {
                                Properties = request.Properties with
                                {
                                    SubscriptionIdentifiers = [(identifier & 0x1FFFFF) | 1],
                                },
                            },
                        ]
                        : [packet],
            },
            new("SubscribePropertiesDropOptions", "no-local", "retain-flag-live", "retain-handling")
            {
                ToBroker = (passage, packet) =>
                    passage.Version == ProtocolVersion.V5
                    && packet is SubscribePacket { Properties.UserProperties.Count: > 0 } request
                        ?
                        [
                            request with
                            {
                                Subscriptions =
                                [
                                    .. request.Subscriptions.Select(one => new SubscriptionRequest(
                                        one.Filter,
                                        one.Qos
                                    )),
                                ],
                            },
                        ]
                        : [packet],
            },
            new("UnsubscribeWithPropertiesIgnored", "unsubscribed")
            {
                ToBroker = (passage, packet) =>
                {
                    if (packet is not UnsubscribePacket { Properties.UserProperties.Count: > 0 } request)
                        return [packet];
                    passage.Answer(
                        new UnsubackPacket(request.PacketId, [.. request.Filters.Select(_ => ReasonCode.Success)])
                    );
                    return [];
                },
            },
            Requests(
                "SharedWildcardsLost",
                request =>
                    request.Filter.StartsWith("$share/", StringComparison.Ordinal)
                        ? request with
                        {
                            Filter = request.Filter.Replace('+', 'x').Replace('#', 'y'),
                        }
                        : request,
                "shared-delivered"
            ),
            new("SubscriptionsBehind280Lost", "delivered")
            {
                ToBroker = (passage, packet) =>
                {
                    if (packet is not SubscribePacket request)
                        return [packet];
                    var count = (int)passage.Memory.GetValueOrDefault("filters", 0) + request.Subscriptions.Count;
                    passage.Memory["filters"] = count;
                    return count <= 280
                        ? [packet]
                        :
                        [
                            request with
                            {
                                Subscriptions = [.. request.Subscriptions.Select(one => one with { Filter = "lost" })],
                            },
                        ];
                },
            },
            new("RetainedNotToPublisher", "retained-sent", "retained-kept", "retained-sent-again")
            {
                ToBroker = (passage, packet) =>
                {
                    if (packet is PublishPacket { Retain: true, Payload.IsEmpty: false } publish)
                        passage.Memory[PayloadOf(publish)] = true;
                    return [packet];
                },
                ToClient = (passage, packet) =>
                    IsStored(packet) && passage.Memory.ContainsKey(PayloadOf(packet))
                        ? Lose(passage, packet)
                        : [packet],
            },
            new("RetainedOncePerConnection", "retained-sent-again", "retained-sent", "retain-handling")
            {
                ToClient = (passage, packet) =>
                    IsStored(packet) && !passage.Memory.TryAdd(PayloadOf(packet), true)
                        ? Lose(passage, packet)
                        : [packet],
            },
        ];

    private static IEnumerable<Spoiling> OfMessages() =>
        [
            new("RetainedAtQos1IsQos0", "delivery-qos", "retained-kept")
            {
                ToClient = (passage, packet) =>
                {
                    if (packet is not PublishPacket { Retain: true, Qos: QualityOfService.AtLeastOnce } publish)
                        return [packet];
                    passage.Acknowledge(new PubackPacket(publish.PacketId));
                    return [publish with { Qos = default, PacketId = 0 }];
                },
            },
            new("ThirdUserPropertyDropped", "properties-forwarded")
            {
                ToClient = (_, packet) =>
                    packet is PublishPacket { Properties.UserProperties.Count: > 2 } publish
                        ?
                        [
                            publish with
                            {
                                Properties = publish.Properties with
                                {
                                    UserProperties = [.. publish.Properties.UserProperties.Take(2)],
                                },
                            },
                        ]
                        : [packet],
            },
            new("CorrelationIsText", "properties-forwarded")
            {
                ToClient = (_, packet) =>
                    packet is PublishPacket { Properties.CorrelationData: { } data } publish
                    && data.Span.Contains((byte)0)
                        ?
                        [
                            publish with
                            {
                                Properties = publish.Properties with
                                {
                                    CorrelationData = new Bytes(data.Memory[..data.Span.IndexOf((byte)0)]),
                                },
                            },
                        ]
                        : [packet],
            },
            new("ExpiryHalved", "message-expiry")
            {
                ToBroker = (_, packet) =>
                    packet is PublishPacket { Properties.MessageExpiryIntervalSeconds: > 1 and var seconds } publish
                        ?
                        [
                            publish with
                            {
                                Properties = publish.Properties with { MessageExpiryIntervalSeconds = seconds / 2 },
                            },
                        ]
                        : [packet],
            },
            new("DuplicateOfQos1Lost", "delivered")
            {
                ToBroker = (passage, packet) =>
                {
                    if (packet is not PublishPacket { Duplicate: true, Qos: QualityOfService.AtLeastOnce } publish)
                        return [packet];
                    passage.Answer(new PubackPacket(publish.PacketId));
                    return [];
                },
            },
            new("ResentQos2WithoutDuplicate", "dup-on-resend")
            {
                ToClient = (_, packet) =>
                    packet is PublishPacket { Duplicate: true, Qos: QualityOfService.ExactlyOnce } publish
                        ? [publish with { Duplicate = false }]
                        : [packet],
            },
            new("ResentUnderOtherIdentifier", "resend", "packet-identifier")
            {
                ToClient = (passage, packet) =>
                {
                    if (packet is PubrelPacket release && passage.Memory.ContainsKey($"{release.PacketId}"))
                        return [release with { PacketId = (ushort)(release.PacketId | 0x4000) }];
                    if (packet is not PublishPacket { Duplicate: true } publish)
                        return [packet];
                    passage.Memory[$"{publish.PacketId}"] = true;
                    return [publish with { PacketId = (ushort)(publish.PacketId | 0x4000) }];
                },
                ToBroker = (_, packet) =>
                    packet switch
                    {
                        PubackPacket ack => [ack with { PacketId = (ushort)(ack.PacketId & 0x3FFF) }],
                        PubrecPacket ack => [ack with { PacketId = (ushort)(ack.PacketId & 0x3FFF) }],
                        PubcompPacket ack => [ack with { PacketId = (ushort)(ack.PacketId & 0x3FFF) }],
                        _ => [packet],
                    },
            },
            new("EveryAliasIsFirst", "topic-matches", "delivered", "qos0-taken")
            {
                ToBroker = (_, packet) =>
                    packet is PublishPacket { Properties.TopicAlias: > 1, Topic.Length: 0 } publish
                        ? [publish with { Properties = publish.Properties with { TopicAlias = 1 } }]
                        : [packet],
            },
        ];

    private static IEnumerable<Spoiling> OfSizes() =>
        [
            Closes("LargePacketsClose", packet => packet is PublishPacket { Payload.Length: > 70_000 }),
            new("PacketsInPiecesLost", "delivered", "puback", "pubrec", "retained-kept", "retained-sent")
            {
                ToBroker = (passage, packet) => packet is PublishPacket && passage.IsInPieces ? [] : [packet],
            },
            new("SubscribeInPiecesCloses", Ended)
            {
                ToBroker = (passage, packet) =>
                    packet is SubscribePacket && passage.IsInPieces ? passage.Close() : [packet],
            },
            new("PacketsBehind64Lost", [.. Ended, "delivered"])
            {
                ToBroker = (passage, packet) => passage.PlaceInSegment > 64 ? [] : [packet],
            },
            new("PubacksBehind65535Missing", "puback")
            {
                ToClient = (passage, packet) =>
                {
                    if (packet is not PubackPacket)
                        return [packet];
                    var count = 1 + (int)passage.Memory.GetValueOrDefault("acks", 0);
                    passage.Memory["acks"] = count;
                    return count <= ushort.MaxValue ? [packet] : [];
                },
            },
        ];

    private static IEnumerable<Spoiling> OfExchanges() =>
        [
            new("RefusalByPubackUnread", "refused-not-resent", "delivered", "receive-maximum")
            {
                ToBroker = (_, packet) =>
                    packet is PubackPacket { ReasonCode: >= ReasonCode.UnspecifiedError } ? [] : [packet],
            },
            new("LongPubackUnread", "delivered", "resend", "copies", "qos2-exactly-once", "no-live-resend")
            {
                ToBroker = (_, packet) =>
                    packet is PubackPacket { Properties.UserProperties.Count: > 0 } ? [] : [packet],
            },
            new("LongPubrelUnread", "pubcomp")
            {
                ToBroker = (_, packet) => packet is PubrelPacket { Properties.ReasonString: not null } ? [] : [packet],
            },
            new("LongPubcompCloses", Ended)
            {
                ToBroker = (passage, packet) =>
                    packet is PubcompPacket { Properties.ReasonString: not null } ? passage.Close() : [packet],
            },
            new("WindowOfOneStalls", "delivered")
            {
                ToBroker = (passage, packet) =>
                {
                    if (packet is ConnectPacket { Properties.ReceiveMaximum: 1 })
                        passage.Memory["narrow"] = true;
                    return packet is PubcompPacket && passage.Memory.ContainsKey("narrow") ? [] : [packet];
                },
            },
            new("SecondPubrelUnanswered", "pubcomp")
            {
                ToClient = (_, packet) =>
                    packet is PubcompPacket { ReasonCode: ReasonCode.PacketIdentifierNotFound } ? [] : [packet],
            },
            new("DuplicateOfQos2Unanswered", "pubrec", "delivered")
            {
                ToBroker = (_, packet) =>
                    packet is PublishPacket { Duplicate: true, Qos: QualityOfService.ExactlyOnce } ? [] : [packet],
            },
        ];

    private static string PayloadOf(Packet packet) => Convert.ToHexString(((PublishPacket)packet).Payload.Span);

    // One that defines an alias is needed for those behind it.
    private static bool IsStored(Packet packet) =>
        packet
            is PublishPacket
            {
                Retain: true,
                Qos: < QualityOfService.ExactlyOnce,
                Payload.IsEmpty: false,
                Properties.TopicAlias: null
            };

    private static Packet[] Lose(Passage passage, Packet packet)
    {
        if (packet is PublishPacket { Qos: QualityOfService.AtLeastOnce } publish)
            passage.Acknowledge(new PubackPacket(publish.PacketId));
        return [];
    }
}
