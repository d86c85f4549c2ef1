using System.Text;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Tests.Protocol;

public sealed class PacketDecoderTests
{
    private const ProtocolVersion V311 = ProtocolVersion.V311,
        V5 = ProtocolVersion.V5;

    // Short and long forms of section 3.4.2.1 and 3.14.2.1: all mean the same.
    [TestCase("4002 0001")]
    [TestCase("4003 0001 00")]
    [TestCase("4004 0001 00 00")]
    public void Success_without_properties_has_three_forms(string hex)
    {
        Assert.That(PacketDecoder.Decode(Hex(hex), V5), Is.EqualTo(new PubackPacket(1)));
        Assert.That(AckView.TryParse(V5, Hex(hex), out var view), Is.True);
        Assert.That((view.PacketId, view.ReasonCode), Is.EqualTo(((ushort)1, ReasonCode.Success)));
    }

    [TestCase("E000", ReasonCode.Success)]
    [TestCase("E001 00", ReasonCode.Success)]
    [TestCase("E001 8E", ReasonCode.SessionTakenOver)]
    [TestCase("E002 8E 00", ReasonCode.SessionTakenOver)]
    public void Disconnect_has_short_forms(string hex, ReasonCode reason) =>
        Assert.That(PacketDecoder.Decode(Hex(hex), V5, PacketOrigin.Server), Is.EqualTo(new DisconnectPacket(reason)));

    [TestCase("E000", PacketOrigin.Server, "section 2.2.1", TestName = "The 3.1.1 server has no DISCONNECT")]
    [TestCase("F000", PacketOrigin.Unknown, "section 2.2.1", TestName = "3.1.1 has no AUTH")]
    [TestCase("4003 0001 00", PacketOrigin.Unknown, "MQTT-4.8.0-1", TestName = "3.1.1 has no reason code in PUBACK")]
    [TestCase("4002 0000", PacketOrigin.Unknown, "MQTT-2.3.1-6", TestName = "0 is not a packet identifier")]
    [TestCase("9003 0001 03", PacketOrigin.Unknown, "MQTT-3.9.3-2", TestName = "3 is not a code of SUBACK")]
    [TestCase("2002 00 06", PacketOrigin.Unknown, "section 3.2.2.3", TestName = "6 is not a return code of CONNACK")]
    [TestCase("1000", PacketOrigin.Unknown, "MQTT-4.8.0-1", TestName = "CONNECT needs fields")]
    [TestCase("", PacketOrigin.Unknown, "MQTT-4.8.0-1", TestName = "No bytes are no packet")]
    [TestCase("300480", PacketOrigin.Unknown, "section 2.2.3", TestName = "The remaining length must fit")]
    public void Strict_decoding_names_the_statement_of_3_1_1(string hex, PacketOrigin origin, string statement)
    {
        var error = Assert.Throws<ProtocolException>(() => PacketDecoder.Decode(Hex(hex), V311, origin))!;
        Assert.That(error.Statement, Is.EqualTo(statement));
        Assert.That(error.Message, Does.Contain(statement).And.Contain($"byte {error.Offset}"));
    }

    [TestCase("F000", "section 3.15.2.2.2", TestName = "AUTH of length 0 cannot carry its method")]
    [TestCase("E001 04", "MQTT-3.14.2-1", TestName = "The server does not ask for the will")]
    [TestCase("4003 0001 01", "MQTT-3.4.2-1", TestName = "1 is not a code of PUBACK")]
    [TestCase("2000", "MQTT-4.13.1-1", TestName = "CONNACK needs fields")]
    [TestCase("2003 00 00 01", "section 2.2.2.1", TestName = "Properties must fit")]
    [TestCase("3008 0001 61 02 0B 00 61 62", "section 3.8.2.1.2", TestName = "0 is not a subscription identifier")]
    public void Strict_decoding_names_the_statement_of_5(string hex, string statement)
    {
        var error = Assert.Throws<ProtocolException>(() => PacketDecoder.Decode(Hex(hex), V5, PacketOrigin.Server))!;
        Assert.That(error.Statement, Is.EqualTo(statement));
    }

    [Test]
    public void Observing_lists_every_violation_and_keeps_what_can_be_understood()
    {
        // PUBLISH, QoS 3, topic "a/#", identifier 0, properties: topic alias 0, payload "x".
        var observed = PacketDecoder.Observe(Hex("360C 0003 612F23 0000 03 230000 78"), V5);
        Assert.That(observed.IsLegal, Is.False);
        Assert.That(
            observed.Violations.Select(v => (v.Statement, v.Offset)),
            Is.EqualTo(new[] { ("MQTT-3.3.1-4", 0), ("MQTT-2.2.1-3", 7), ("MQTT-3.3.2-8", 11), ("MQTT-3.3.2-2", 4) })
        );
        var publish = (PublishPacket)observed.Packet!;
        Assert.That(
            (publish.Topic, publish.Properties.TopicAlias, publish.Payload.ToText()),
            Is.EqualTo(("a/#", (ushort?)0, "x"))
        );
    }

    [Test]
    public void Observing_gives_up_where_a_field_cannot_be_found()
    {
        var observed = PacketDecoder.Observe(Hex("3004 00FF 6162"), V311);
        Assert.That(observed.Packet, Is.Null);
        Assert.That(observed.Violations, Has.Count.EqualTo(1));
    }

    [TestCase(79, "#")]
    [TestCase(80, "...")]
    public void What_is_said_of_a_long_text_has_its_first_80_characters(int letters, string end)
    {
        var topic = new string('a', letters);
        byte[] packet = [0x30, (byte)(letters + 3), 0, (byte)(letters + 1), .. Encoding.UTF8.GetBytes(topic + "#")];
        var violation = PacketDecoder.Observe(packet, V311).Violations.Single();
        Assert.That(violation.Message, Does.EndWith($" \"{topic}{end}\" contains a wildcard"));
    }

    [Test]
    public void Connect_brings_its_own_version()
    {
        var connect = new ConnectPacket { ProtocolVersion = V311, ClientId = "c" };
        Assert.That(PacketDecoder.Decode(PacketEncoder.Encode(connect, V5), V5), Is.EqualTo(connect));
        var old = new ConnectPacket
        {
            ProtocolVersion = ProtocolVersion.V31,
            ProtocolName = "MQIsdp",
            ClientId = "c",
        };
        Assert.That(PacketDecoder.Decode(PacketEncoder.Encode(old, V5), V5), Is.EqualTo(old));
    }

    [Test]
    public void What_3_1_1_has_no_place_for_is_left_out()
    {
        var properties = new PacketProperties { UserProperties = [new("a", "b")] };
        var publish = new PublishPacket { Topic = "a", Properties = properties };
        Assert.That(
            PacketDecoder.Decode(PacketEncoder.Encode(publish, V311), V311),
            Is.EqualTo(publish with { Properties = PacketProperties.Empty })
        );
        Assert.That(
            PacketDecoder.Decode(
                PacketEncoder.Encode(
                    new PubackPacket(1, ReasonCode.NoMatchingSubscribers) { Properties = properties },
                    V311
                ),
                V311
            ),
            Is.EqualTo(new PubackPacket(1))
        );
    }

    [Test]
    public void Connack_codes_of_3_1_1_are_translated()
    {
        Assert.That(
            PacketEncoder.Encode(new ConnackPacket(false, ReasonCode.BadUserNameOrPassword), V311),
            Is.EqualTo(Hex("2002 00 04"))
        );
        Assert.That(
            PacketEncoder.Encode(new ConnackPacket(false, ReasonCode.BadUserNameOrPassword), V5),
            Is.EqualTo(Hex("2003 00 86 00"))
        );
        Assert.That(ConnectReturnCodes.TryFromReasonCode(ReasonCode.Banned, out _), Is.False);
        foreach (var code in Enum.GetValues<ConnectReturnCode>())
        {
            Assert.That(
                ConnectReturnCodes.TryFromReasonCode(ConnectReturnCodes.ToReasonCode(code), out var back),
                Is.True
            );
            Assert.That(back, Is.EqualTo(code));
        }
    }

    [Test]
    public void Values_without_bytes_are_refused()
    {
        var tooLong = new string('a', 65536);
        Assert.That(() => PacketEncoder.Encode(new PublishPacket { Topic = tooLong }, V5), Throws.ArgumentException);
        Assert.That(
            () =>
                PacketWriter.WritePublish(
                    new byte[10],
                    V5,
                    "a"u8,
                    new byte[10],
                    QualityOfService.AtMostOnce,
                    false,
                    false,
                    0
                ),
            Throws.ArgumentException
        );
        Assert.That(
            () => PacketWriter.PublishLength(V5, 1, VariableByteInteger.MaxValue, QualityOfService.AtMostOnce),
            Throws.ArgumentException
        );
        Assert.That(() => PacketWriter.WriteAck(new byte[3], PacketType.Puback, 1, V5), Throws.ArgumentException);
    }

    private static readonly Func<ReasonCode, Packet>[] s_acknowledgements =
    [
        reason => new PubackPacket(7, reason),
        reason => new PubrecPacket(7, reason),
        reason => new PubrelPacket(7, reason),
        reason => new PubcompPacket(7, reason),
    ];

    [Test]
    public void Hot_and_value_encoders_write_the_same_acknowledgements(
        [Values(V311, V5)] ProtocolVersion version,
        [Values(ReasonCode.Success, ReasonCode.PacketIdentifierNotFound)] ReasonCode reason
    )
    {
        foreach (var packet in s_acknowledgements.Select(make => make(reason)))
        {
            var bytes = new byte[PacketWriter.MaximumAckBytes];
            var length = PacketWriter.WriteAck(bytes, packet.Type, 7, version, reason);
            Assert.That(bytes[..length], Is.EqualTo(PacketEncoder.Encode(packet, version)));
        }
    }

    [Test]
    public void Pings_are_two_bytes()
    {
        var bytes = new byte[2];
        Assert.That(PacketWriter.WritePingreq(bytes), Is.EqualTo(2));
        Assert.That(bytes, Is.EqualTo(PacketEncoder.Encode(new PingreqPacket(), V311)).And.EqualTo(Hex("C000")));
        Assert.That(PacketWriter.WritePingresp(bytes), Is.EqualTo(2));
        Assert.That(bytes, Is.EqualTo(PacketEncoder.Encode(new PingrespPacket(), V5)).And.EqualTo(Hex("D000")));
    }

    [Test]
    public void Encoded_properties_go_into_a_hot_publish()
    {
        var properties = new PacketProperties { TopicAlias = 5, UserProperties = [new("n", "v")] };
        var bytes = new byte[100];
        var length = PacketWriter.WritePublish(
            bytes,
            V5,
            "a"u8,
            "p"u8,
            QualityOfService.AtMostOnce,
            retain: false,
            duplicate: false,
            0,
            PacketEncoder.EncodeProperties(properties)
        );
        var expected = new PublishPacket
        {
            Topic = "a",
            Payload = Bytes.FromText("p"),
            Properties = properties,
        };
        Assert.That(PacketDecoder.Decode(bytes.AsSpan(0, length), V5), Is.EqualTo(expected));
        Assert.That(PublishView.TryParse(V5, bytes.AsSpan(0, length), out var view), Is.True);
        var names = new List<PropertyId>();
        var reader = view.Properties;
        while (reader.MoveNext())
            names.Add(reader.Id);
        Assert.That(names, Is.EqualTo(new[] { PropertyId.TopicAlias, PropertyId.UserProperty }));
        Assert.That(view.TopicAlias, Is.EqualTo(5));
    }

    private static byte[] Hex(string hex) => Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal));
}
