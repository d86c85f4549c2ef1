using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Protocol.Decoders;

/// <summary>Reads the packets that open and close a connection: CONNECT, CONNACK, DISCONNECT, AUTH.</summary>
internal static class ConnectDecoder
{
    internal static ConnectPacket ReadConnect(ref PacketReader reader)
    {
        var name = reader.ReadText("the protocol name");
        var level = reader.ReadByte("the protocol level");
        if (level is < (byte)ProtocolVersion.V31 or > (byte)ProtocolVersion.V5)
            reader.Fail(
                Rules.ProtocolLevel,
                reader.Position - 1,
                $"the protocol level is {level}; known are 3, 4 and 5"
            );
        var version = (ProtocolVersion)level;
        if (name != (version == ProtocolVersion.V31 ? "MQIsdp" : "MQTT"))
            reader.Report(Rules.ProtocolName, 2, $"the protocol name is \"{name}\" at level {level}");

        var flagsAt = reader.Position;
        var flags = reader.ReadByte("the connect flags");
        var (hasWill, willQos, willRetain) = ((flags & 4) != 0, (flags >> 3) & 3, (flags & 0x20) != 0);
        var (hasPassword, hasUserName) = ((flags & 0x40) != 0, (flags & 0x80) != 0);
        if ((flags & 1) != 0)
            reader.Report(Rules.ConnectReservedFlag, flagsAt, "the reserved connect flag is 1");
        if (!hasWill && willQos != 0)
            reader.Report(Rules.WillQosWithoutWill, flagsAt, $"will QoS {willQos} without a will");
        if (!hasWill && willRetain)
            reader.Report(Rules.WillRetainWithoutWill, flagsAt, "will retain without a will");
        if (hasWill && willQos == 3)
            reader.Report(Rules.WillQos, flagsAt, "the will QoS is 3");
        if (hasPassword && !hasUserName && !reader.IsV5)
            reader.Report(Rules.PasswordWithoutUserName, flagsAt, "a password without a user name");

        var keepAlive = reader.ReadUInt16("the keep alive");
        var properties = reader.IsV5
            ? PropertyDecoder.Read(ref reader, 1 << (int)PacketType.Connect)
            : PacketProperties.Empty;
        var clientId = reader.ReadText("the client identifier");
        var cleanStart = (flags & 2) != 0;
        if (clientId.Length == 0 && !cleanStart && !reader.IsV5)
            reader.Report(Rules.EmptyClientId, reader.Position - 2, "an empty client identifier with CleanSession 0");
        return new ConnectPacket
        {
            ProtocolVersion = version,
            ProtocolName = name,
            CleanStart = cleanStart,
            KeepAliveSeconds = keepAlive,
            Properties = properties,
            ClientId = clientId,
            Will = hasWill ? ReadWill(ref reader, (QualityOfService)willQos, willRetain) : null,
            UserName = hasUserName ? reader.ReadText("the user name") : null,
            Password = hasPassword ? reader.Copy(reader.ReadBinary("the password")) : default(Bytes?),
        };
    }

    internal static ConnackPacket ReadConnack(ref PacketReader reader)
    {
        var flags = reader.ReadByte("the acknowledge flags");
        if ((flags & 0xFE) != 0)
            reader.Report(Rules.ConnackFlags, reader.Position - 1, $"the acknowledge flags are 0x{flags:X2}");
        var sessionPresent = (flags & 1) != 0;
        var codeAt = reader.Position;
        var code = reader.ReadByte("the reason code");
        if (code != 0 && sessionPresent)
            reader.Report(Rules.SessionPresentWithFailure, codeAt - 1, $"session present with code 0x{code:X2}");
        if (!reader.IsV5)
        {
            if (code > (byte)ConnectReturnCode.NotAuthorized)
                reader.Report(Rules.ConnackCode, codeAt, $"0x{code:X2} is not a return code of CONNACK");
            return new ConnackPacket(sessionPresent, ConnectReturnCodes.ToReasonCode((ConnectReturnCode)code));
        }
        if (!((ReasonCode)code).IsAllowedIn(PacketType.Connack))
            reader.Report(Rules.ConnackCode, codeAt, $"0x{code:X2} is not a reason code of CONNACK");
        return new ConnackPacket(sessionPresent, (ReasonCode)code)
        {
            Properties = PropertyDecoder.Read(ref reader, 1 << (int)PacketType.Connack),
        };
    }

    internal static DisconnectPacket ReadDisconnect(ref PacketReader reader)
    {
        var (reason, properties) = ReadReason(ref reader, PacketType.Disconnect, Rules.DisconnectCode);
        return new DisconnectPacket(reason) { Properties = properties };
    }

    internal static AuthPacket ReadAuth(ref PacketReader reader)
    {
        var start = reader.Position;
        var (reason, properties) = ReadReason(ref reader, PacketType.Auth, Rules.AuthCode);
        if (ReferenceEquals(properties, PacketProperties.Empty))
            reader.Report(Rules.AuthenticationMethodMissing, start, "AUTH has no authentication method");
        return new AuthPacket(reason) { Properties = properties };
    }

    /// <summary>The optional reason code and properties at the end of a packet of MQTT 5.</summary>
    internal static (ReasonCode Reason, PacketProperties Properties) ReadReason(
        ref PacketReader reader,
        PacketType type,
        Rule codeRule
    )
    {
        if (!reader.IsV5 || reader.Remaining == 0)
            return (ReasonCode.Success, PacketProperties.Empty);
        var reason = (ReasonCode)reader.ReadByte("the reason code");
        if (!reason.IsAllowedIn(type, reader.Origin))
            reader.Report(
                codeRule,
                reader.Position - 1,
                $"0x{(int)reason:X2} is not a reason code of this {type.ToString().ToUpperInvariant()}"
            );
        return (
            reason,
            reader.Remaining == 0 ? PacketProperties.Empty : PropertyDecoder.Read(ref reader, 1 << (int)type)
        );
    }

    private static WillMessage ReadWill(ref PacketReader reader, QualityOfService qos, bool retain)
    {
        var properties = reader.IsV5 ? PropertyDecoder.Read(ref reader, PropertyTable.Will) : PacketProperties.Empty;
        var topic = reader.ReadTopicName("the will topic");
        return new WillMessage(topic, reader.Copy(reader.ReadBinary("the will payload")), qos, retain)
        {
            Properties = properties,
        };
    }
}
