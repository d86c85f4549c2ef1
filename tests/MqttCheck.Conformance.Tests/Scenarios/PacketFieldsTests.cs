using System.Text.RegularExpressions;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Conformance.Tests.Checking;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Tests.Scenarios;

/// <summary>
/// The table of docs/reference/conformance.md: every field and property that a client can send, and the word for it.
/// </summary>
[TestFixture]
internal sealed partial class PacketFieldsTests
{
    private const string NoMethod = "not sent: MQTT defines no method of authentication";
    private const string ByBroker = "not sent: only a broker may";
    private const string Always = "always ";

    private static readonly PacketField[] s_all =
    [
        new("CONNECT", "protocol name and version", "`version=`", "A connect clean version=3.1.1")
        {
            IsSent = packet => packet is ConnectPacket { ProtocolVersion: ProtocolVersion.V311 },
        },
        new("CONNECT", "Clean Start", "`clean` or `resume`", "A connect resume")
        {
            IsSent = packet => packet is ConnectPacket { CleanStart: false },
        },
        new("CONNECT", "Keep Alive", "`keepalive=`", "A connect clean keepalive=9")
        {
            IsSent = packet => packet is ConnectPacket { KeepAliveSeconds: 9 },
        },
        new("CONNECT", "client identifier", "`client-id=`, `no-id`", "A connect clean client-id=long")
        {
            IsSent = packet => packet is ConnectPacket { ClientId.Length: > 23 },
        },
        new(
            "CONNECT",
            "user name and password",
            "those of the broker's options; `wrong-password`",
            "A connect clean wrong-password"
        )
        {
            IsSent = packet => packet is ConnectPacket { UserName: not null, Password: not null },
        },
        new("CONNECT", "will topic, QoS, RETAIN", "`will=TOPIC:QOS:retain`", "A connect clean will=~/w:2:retain")
        {
            IsSent = packet =>
                packet is ConnectPacket { Will: { Qos: QualityOfService.ExactlyOnce, Retain: true, Topic: "t0/w" } },
        },
        new("CONNECT", "will payload", Always + "a text that no other message has", "A connect clean will=~/w:0")
        {
            IsSent = packet => packet is ConnectPacket { Will.Payload.IsEmpty: false },
        },
        new("CONNECT", PropertyId.SessionExpiryInterval, "`expiry=`", "A connect clean expiry=9"),
        new("CONNECT", PropertyId.ReceiveMaximum, "`window=`", "A connect clean window=9"),
        new("CONNECT", PropertyId.MaximumPacketSize, "`max=`", "A connect clean max=999"),
        new("CONNECT", PropertyId.TopicAliasMaximum, "`aliases=`", "A connect clean aliases=9"),
        new("CONNECT", PropertyId.RequestResponseInformation, "`response=`", "A connect clean response=1"),
        new("CONNECT", PropertyId.RequestProblemInformation, "`problem=`", "A connect clean problem=0"),
        new("CONNECT", PropertyId.UserProperty, "`user-properties`", "A connect clean user-properties"),
        new("CONNECT", PropertyId.AuthenticationMethod, NoMethod),
        new("CONNECT", PropertyId.AuthenticationData, NoMethod),
        new("will", PropertyId.WillDelayInterval, "`will-delay=`", "A connect clean will=~/w:0 will-delay=1"),
        new("will", PropertyId.MessageExpiryInterval, "`will-expiry=`", "A connect clean will=~/w:0 will-expiry=9"),
        OfWill(PropertyId.PayloadFormatIndicator),
        OfWill(PropertyId.ContentType),
        OfWill(PropertyId.ResponseTopic),
        OfWill(PropertyId.CorrelationData),
        OfWill(PropertyId.UserProperty),
        new("PUBLISH", "DUP", "`dup`, `repeat`, `cut=`", "A connect clean; A publish ~/a qos=1 dup")
        {
            IsSent = packet => packet is PublishPacket { Duplicate: true },
        },
        new("PUBLISH", "QoS", "`qos=`", "A connect clean; A publish ~/a qos=2")
        {
            IsSent = packet => packet is PublishPacket { Qos: QualityOfService.ExactlyOnce },
        },
        new("PUBLISH", "RETAIN", "`retain`", "A connect clean; A publish ~/a qos=0 retain")
        {
            IsSent = packet => packet is PublishPacket { Retain: true },
        },
        new("PUBLISH", "topic name", "the first word", "A connect clean; A publish ~/%20 qos=0")
        {
            IsSent = packet => packet is PublishPacket { Topic: "t0/ " },
        },
        new("PUBLISH", "packet identifier", "`reuse`; else the next", "A connect clean; A publish ~/a qos=1 reuse")
        {
            IsSent = packet => packet is PublishPacket { PacketId: > 0 },
        },
        new("PUBLISH", "payload", "`empty`, `size=`", "A connect clean; A publish ~/a qos=0 size=999")
        {
            IsSent = packet => packet is PublishPacket { Payload.Length: 999 },
        },
        new("PUBLISH", PropertyId.MessageExpiryInterval, "`expiry=`", "A connect clean; A publish ~/a qos=0 expiry=9"),
        new("PUBLISH", PropertyId.TopicAlias, "`alias=`", "A connect clean; A publish ~/a qos=0 alias=1"),
        OfPublish(PropertyId.PayloadFormatIndicator),
        OfPublish(PropertyId.ContentType),
        OfPublish(PropertyId.ResponseTopic),
        OfPublish(PropertyId.CorrelationData),
        OfPublish(PropertyId.UserProperty),
        new("PUBLISH", PropertyId.SubscriptionIdentifier, ByBroker),
        .. OfAcknowledgements(),
        new("SUBSCRIBE", "topic filters, maximum QoS", "`FILTER:QOS`", "A connect clean; A subscribe ~/a:2")
        {
            IsSent = packet =>
                packet is SubscribePacket { Subscriptions: [{ Qos: QualityOfService.ExactlyOnce, Filter: "t0/a" }] },
        },
        new("SUBSCRIBE", "No Local", "`:no-local`", "A connect clean; A subscribe ~/a:0:no-local")
        {
            IsSent = packet => packet is SubscribePacket { Subscriptions: [{ NoLocal: true }] },
        },
        new("SUBSCRIBE", "Retain As Published", "`:as-published`", "A connect clean; A subscribe ~/a:0:as-published")
        {
            IsSent = packet => packet is SubscribePacket { Subscriptions: [{ RetainAsPublished: true }] },
        },
        new("SUBSCRIBE", "Retain Handling", "`:handling=`", "A connect clean; A subscribe ~/a:0:handling=2")
        {
            IsSent = packet =>
                packet is SubscribePacket { Subscriptions: [{ RetainHandling: RetainHandling.DoNotSend }] },
        },
        new("SUBSCRIBE", PropertyId.SubscriptionIdentifier, "`id=`", "A connect clean; A subscribe ~/a:0 id=268435455"),
        new(
            "SUBSCRIBE",
            PropertyId.UserProperty,
            "`user-properties`",
            "A connect clean; A subscribe ~/a:0 user-properties"
        ),
        new("UNSUBSCRIBE", "topic filters", "`FILTER`", "A connect clean; A unsubscribe ~/a")
        {
            IsSent = packet => packet is UnsubscribePacket { Filters: ["t0/a"] },
        },
        new(
            "UNSUBSCRIBE",
            PropertyId.UserProperty,
            "`user-properties`",
            "A connect clean; A unsubscribe ~/a user-properties"
        ),
        new("PINGREQ", "no field", "`ping`", "A connect clean; A ping") { IsSent = packet => packet is PingreqPacket },
        new("DISCONNECT", "reason code", "`with-will`, `reason=`", "A connect clean; A disconnect reason=128")
        {
            IsSent = packet => packet is DisconnectPacket { ReasonCode: ReasonCode.UnspecifiedError },
        },
        new(
            "DISCONNECT",
            PropertyId.SessionExpiryInterval,
            "`expiry=`",
            "A connect clean expiry=9; A disconnect expiry=1"
        ),
        new("DISCONNECT", PropertyId.ReasonString, "`reason-string`", "A connect clean; A disconnect reason-string"),
        new(
            "DISCONNECT",
            PropertyId.UserProperty,
            "`user-properties`",
            "A connect clean; A disconnect user-properties"
        ),
        new("DISCONNECT", PropertyId.ServerReference, ByBroker),
        new("AUTH", "reason code", NoMethod),
        new("AUTH", PropertyId.AuthenticationMethod, NoMethod),
        new("AUTH", PropertyId.AuthenticationData, NoMethod),
        new("AUTH", PropertyId.ReasonString, NoMethod),
        new("AUTH", PropertyId.UserProperty, NoMethod),
    ];

    // The list of the standard: table 2-4.
    [Test]
    public void Every_property_that_a_client_can_send_is_in_the_table()
    {
        var wanted =
            from id in Enum.GetValues<PropertyId>()
            from place in Enumerable.Range(0, 16)
            where (PropertyTable.PlacesOf(id) & (1 << place)) != 0
            where place == 0 || IsOfClients((PacketType)place)
            select (Packet: place == 0 ? "will" : ((PacketType)place).ToString().ToUpperInvariant(), Id: id);
        Assert.That(
            s_all.Where(field => field.Id is not null).Select(field => (field.Packet, Id: field.Id!.Value)),
            Is.EquivalentTo(wanted)
        );
    }

    [Test]
    public void The_word_of_a_field_sends_it([ValueSource(nameof(Sent))] PacketField field)
    {
        using var broker = new VirtualBroker();
        var result = broker.Run(ScenarioText.Parse(field.Steps!, ProtocolVersion.V5, "test"));
        var sent = result
            .Monitor.Trace.Where(entry => entry is { Kind: TraceKind.Sent, Packet: not null })
            .Select(entry => entry.Packet!);
        Assert.That(sent.Any(packet => field.IsSent(packet)), field.Steps);
    }

    [Test]
    public void The_page_has_the_table()
    {
        string[] table =
        [
            "| packet | field or property | word |",
            "|---|---|---|",
            .. s_all
                .GroupBy(field => (field.Packet, field.Words))
                .Select(group =>
                    $"| {group.Key.Packet} | {string.Join(", ", group.Select(row => row.Name))} | {group.Key.Words} |"
                ),
        ];
        var page = File.ReadAllText(RepositoryFiles.At("docs/reference/conformance.md"));
        Assert.That(page, Does.Contain(string.Join('\n', table)), string.Join('\n', table));
    }

    private static IEnumerable<PacketField> Sent => s_all.Where(row => row.Steps is not null);

    private static bool IsOfClients(PacketType type) =>
        type is not (PacketType.Connack or PacketType.Suback or PacketType.Unsuback or PacketType.Pingresp);

    private static PacketField OfWill(PropertyId id) =>
        new("will", id, "`will-properties`", "A connect clean will=~/w:0 will-properties");

    private static PacketField OfPublish(PropertyId id) =>
        new("PUBLISH", id, "`properties`", "A connect clean; A publish ~/a qos=0 properties");

    // A receives what it publishes, so it sends all four.
    private static IEnumerable<PacketField> OfAcknowledgements()
    {
        const string Exchange = "A publish ~/a qos=2; A publish ~/a qos=1";
        foreach (
            var type in (PacketType[])[PacketType.Puback, PacketType.Pubrec, PacketType.Pubrel, PacketType.Pubcomp]
        )
        {
            var name = type.ToString().ToUpperInvariant();
            yield return type is PacketType.Puback or PacketType.Pubrec
                ? new PacketField(
                    name,
                    "reason code",
                    "`answer reason=`",
                    $"A connect clean; A subscribe ~/a:2; A answer reason=135; {Exchange}"
                )
                {
                    IsSent = packet =>
                        packet is AckPacket { ReasonCode: ReasonCode.NotAuthorized } ack && ack.Type == type,
                }
                : new PacketField(name, "reason code", Always + "success");
            yield return new PacketField(
                name,
                type,
                PropertyId.ReasonString,
                "`answer reason-string`",
                $"A connect clean; A subscribe ~/a:2; A answer reason-string; {Exchange}"
            );
            yield return new PacketField(
                name,
                type,
                PropertyId.UserProperty,
                "`answer user-properties`",
                $"A connect clean; A subscribe ~/a:2; A answer user-properties; {Exchange}"
            );
        }
    }

    /// <summary>A field or property of a packet of a client.</summary>
    internal sealed partial record PacketField(string Packet, string Name, string Words, string? Steps = null)
    {
        public PacketField(string packet, PropertyId id, string words, string? steps = null)
            : this(packet, Spaced(id), words, steps)
        {
            Id = id;
            IsSent = sent => Has(sent, packet, id);
        }

        public PacketField(string packet, PacketType type, PropertyId id, string words, string steps)
            : this(packet, Spaced(id), words, steps)
        {
            Id = id;
            IsSent = sent => sent.Type == type && Has(sent, packet, id);
        }

        public PropertyId? Id { get; }

        public Predicate<Packet> IsSent { get; init; } = _ => false;

        public override string ToString() => $"{Packet} {Name}";

        private static bool Has(Packet sent, string packet, PropertyId id)
        {
            var properties = sent switch
            {
                ConnectPacket connect => packet == "will" ? connect.Will?.Properties : connect.Properties,
                PublishPacket publish => publish.Properties,
                AckPacket ack => ack.Properties,
                SubscribePacket subscribe => subscribe.Properties,
                UnsubscribePacket unsubscribe => unsubscribe.Properties,
                DisconnectPacket disconnect => disconnect.Properties,
                _ => null,
            };
            // The names of the two differ in their ends, such as a unit.
            return properties?.ToString().Contains(id.ToString()[..^1], StringComparison.Ordinal) == true;
        }

        private static string Spaced(PropertyId id) => Capital().Replace(id.ToString(), " $0");

        [GeneratedRegex("(?<=[a-z])[A-Z]")]
        private static partial Regex Capital();
    }
}
