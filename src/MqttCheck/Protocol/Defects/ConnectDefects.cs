using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;
using static MqttCheck.Protocol.PacketType;

namespace MqttCheck.Protocol.Defects;

/// <summary>Defects of CONNECT, CONNACK, DISCONNECT and AUTH.</summary>
internal static class ConnectDefects
{
    internal static ValueList<PacketDefect> All { get; } =
    [
        ByValue(
            "protocol-name",
            Rules.ProtocolName,
            DefectVersions.Both,
            packet => packet with { ProtocolName = "MQTTX" }
        ),
        ByValue(
            "protocol-level",
            Rules.ProtocolLevel,
            DefectVersions.Both,
            packet =>
                packet with
                {
                    ProtocolVersion = (ProtocolVersion)(packet.ProtocolVersion >= ProtocolVersion.V5 ? 6 : 2),
                }
        ),
        ByFlags("connect-reserved-flag", Rules.ConnectReservedFlag, packet => packet, 0x01),
        ByFlags("will-qos-without-will", Rules.WillQosWithoutWill, packet => packet with { Will = null }, 0x08),
        ByFlags(
            "will-qos-3",
            Rules.WillQos,
            packet => packet with { Will = packet.Will ?? new WillMessage("a", Bytes.Empty) },
            0x18
        ),
        ByFlags("will-retain-without-will", Rules.WillRetainWithoutWill, packet => packet with { Will = null }, 0x20),
        ByFlags(
            "will-fields-missing",
            Rules.Truncated,
            packet => packet with { Will = null, UserName = null, Password = null },
            0x04
        ),
        ByFlags("user-name-missing", Rules.Truncated, packet => packet with { UserName = null, Password = null }, 0x80),
        ByFlags(
            "password-missing",
            Rules.Truncated,
            packet => packet with { UserName = packet.UserName ?? "a", Password = null },
            0x40
        ),
        ByValue(
            "will-topic-empty",
            Rules.EmptyTopic,
            DefectVersions.Both,
            packet => packet with { Will = new WillMessage("", Bytes.Empty) }
        ),
        ByValue(
            "password-without-user-name",
            Rules.PasswordWithoutUserName,
            DefectVersions.V311,
            packet => packet with { UserName = null, Password = Bytes.Empty }
        ),
        ByValue(
            "client-identifier-empty",
            Rules.EmptyClientId,
            DefectVersions.V311,
            packet => packet with { ClientId = "", CleanStart = false }
        ),
        PacketDefect.ByBytes(
            "connack-flags",
            Rules.ConnackFlags,
            DefectVersions.Both,
            [Connack],
            bytes =>
            {
                bytes[1 + VariableByteInteger.Read(bytes.AsSpan(1), out _)] |= 0x02;
                return bytes;
            }
        ),
        PacketDefect.ByValue<ConnackPacket>(
            "session-present-with-failure",
            Rules.SessionPresentWithFailure,
            DefectVersions.Both,
            Connack,
            packet => packet with { SessionPresent = true, ReasonCode = ReasonCode.NotAuthorized }
        ),
        PacketDefect.ByValue<ConnackPacket>(
            "connack-code",
            Rules.ConnackCode,
            DefectVersions.Both,
            Connack,
            packet => packet with { SessionPresent = false, ReasonCode = PacketDefect.UnlistedCode }
        ),
        PacketDefect.ByValue<DisconnectPacket>(
            "disconnect-code",
            Rules.DisconnectCode,
            DefectVersions.V5,
            Disconnect,
            packet => packet with { ReasonCode = PacketDefect.UnlistedCode }
        ),
        PacketDefect.ByValue<AuthPacket>(
            "auth-code",
            Rules.AuthCode,
            DefectVersions.V5,
            Auth,
            packet => packet with { ReasonCode = PacketDefect.UnlistedCode }
        ),
    ];

    private static PacketDefect ByValue(
        string name,
        Rule rule,
        DefectVersions versions,
        Func<ConnectPacket, ConnectPacket> change
    ) => PacketDefect.ByValue(name, rule, versions, Connect, change);

    private static PacketDefect ByFlags(
        string name,
        Rule rule,
        Func<ConnectPacket, ConnectPacket> change,
        byte flags
    ) =>
        new(
            name,
            rule,
            DefectVersions.Both,
            [Connect],
            (packet, version) =>
            {
                var connect = change((ConnectPacket)packet);
                var bytes = PacketEncoder.Encode(connect, version);
                var header = 1 + VariableByteInteger.Read(bytes.AsSpan(1), out _);
                var nameAndLevel = 2 + System.Text.Encoding.UTF8.GetByteCount(connect.ProtocolName) + 1;
                bytes[header + nameAndLevel] |= flags;
                return bytes;
            }
        );
}
