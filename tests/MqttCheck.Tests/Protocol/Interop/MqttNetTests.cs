using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;
using MQTTnet.Adapter;
using MQTTnet.Formatter;
using MQTTnet.Packets;

namespace MqttCheck.Tests.Protocol.Interop;

/// <summary>MQTTnet's packet formatter reads what we write: random packets of every kind.</summary>
public sealed class MqttNetTests
{
    private static readonly Config Config = Config.QuickThrowOnFailure.WithMaxTest(2000).WithReplay(20261123, 7);

    [TestCase(ProtocolVersion.V311)]
    [TestCase(ProtocolVersion.V5)]
    public void Mqttnet_reads_from_our_bytes_what_we_meant(ProtocolVersion version)
    {
        var kinds = new HashSet<PacketType>();
        Check.One(
            Config,
            Prop.ForAll(
                PacketGenerators.Packet(version).ToArbitrary(),
                packet =>
                {
                    kinds.Add(packet.Type);
                    var read = Read(PacketEncoder.Encode(packet, version), version);
                    Assert.That(
                        MqttNetPackets.Describe(read),
                        Is.EqualTo(MqttNetPackets.Describe(MqttNetPackets.ToTheirs(packet, version)))
                    );
                }
            )
        );
        Assert.That(
            kinds,
            Is.EquivalentTo(
                Enum.GetValues<PacketType>()
                    .Where(type =>
                        type != PacketType.Reserved && (type != PacketType.Auth || version == ProtocolVersion.V5)
                    )
            )
        );
    }

    private static MqttPacket Read(byte[] bytes, ProtocolVersion version)
    {
        var header = 1;
        while ((bytes[header++] & 0x80) != 0) { }
        var adapter = new MqttPacketFormatterAdapter(
            version == ProtocolVersion.V5 ? MqttProtocolVersion.V500 : MqttProtocolVersion.V311,
            new MqttBufferWriter(4096, 65535)
        );
        return adapter.Decode(
            new ReceivedMqttPacket(bytes[0], new ArraySegment<byte>(bytes, header, bytes.Length - header), bytes.Length)
        );
    }

    // MQTTnet leaves out properties that have their default value, and empty texts. Where both mean the same, that is
    // its right; an empty text, an expiry of 0 and a server's keep alive of 0 mean something else than none, but its
    // packets cannot tell them apart.
    private static Packet Plain(Packet packet) =>
        packet switch
        {
            ConnectPacket p => p with
            {
                Properties = Plain(p.Properties),
                Will = p.Will is { } will ? will with { Properties = Plain(will.Properties) } : null,
            },
            ConnackPacket p => p with { Properties = Plain(p.Properties) },
            PublishPacket p => p with { Properties = Plain(p.Properties) },
            PubackPacket p => p with { Properties = Plain(p.Properties) },
            PubrecPacket p => p with { Properties = Plain(p.Properties) },
            PubrelPacket p => p with { Properties = Plain(p.Properties) },
            PubcompPacket p => p with { Properties = Plain(p.Properties) },
            SubackPacket p => p with { Properties = Plain(p.Properties) },
            UnsubackPacket p => p with { Properties = Plain(p.Properties) },
            DisconnectPacket p => p with { Properties = Plain(p.Properties) },
            AuthPacket p => p with { Properties = Plain(p.Properties) },
            _ => packet,
        };

    private static PacketProperties Plain(PacketProperties properties) =>
        properties with
        {
            PayloadFormatIndicator =
                properties.PayloadFormatIndicator == PayloadFormat.Bytes ? null : properties.PayloadFormatIndicator,
            MessageExpiryIntervalSeconds = Plain(properties.MessageExpiryIntervalSeconds),
            SessionExpiryIntervalSeconds = Plain(properties.SessionExpiryIntervalSeconds),
            WillDelayIntervalSeconds = Plain(properties.WillDelayIntervalSeconds),
            ServerKeepAliveSeconds = Plain(properties.ServerKeepAliveSeconds),
            TopicAliasMaximum = Plain(properties.TopicAliasMaximum),
            ContentType = Plain(properties.ContentType),
            ResponseTopic = Plain(properties.ResponseTopic),
            ReasonString = Plain(properties.ReasonString),
            ResponseInformation = Plain(properties.ResponseInformation),
            ServerReference = Plain(properties.ServerReference),
            AssignedClientIdentifier = Plain(properties.AssignedClientIdentifier),
            AuthenticationMethod = Plain(properties.AuthenticationMethod),
            RequestProblemInformation =
                properties.RequestProblemInformation == true ? null : properties.RequestProblemInformation,
            RequestResponseInformation =
                properties.RequestResponseInformation == false ? null : properties.RequestResponseInformation,
            RetainAvailable = properties.RetainAvailable == true ? null : properties.RetainAvailable,
            WildcardSubscriptionAvailable =
                properties.WildcardSubscriptionAvailable == true ? null : properties.WildcardSubscriptionAvailable,
            SubscriptionIdentifierAvailable =
                properties.SubscriptionIdentifierAvailable == true ? null : properties.SubscriptionIdentifierAvailable,
            SharedSubscriptionAvailable =
                properties.SharedSubscriptionAvailable == true ? null : properties.SharedSubscriptionAvailable,
        };

    private static T? Plain<T>(T? number)
        where T : struct, IEquatable<T> => number is { } value && value.Equals(default) ? null : number;

    private static string? Plain(string? text) => text is { Length: 0 } ? null : text;
}
