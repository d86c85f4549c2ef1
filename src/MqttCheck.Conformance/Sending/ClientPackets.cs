using MqttCheck.Brokers.Processes;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Sending;

/// <summary>The packets of the commands of a client.</summary>
/// <param name="names">The names of the run.</param>
/// <param name="version">The protocol version of the client.</param>
internal sealed class ClientPackets(ScenarioNames names, ProtocolVersion version)
{
    private bool IsV5 => version == ProtocolVersion.V5;

    /// <summary>User properties with a name that comes twice, so that their order can be seen.</summary>
    public static ValueList<UserProperty> UserProperties { get; } =
    [new UserProperty("b", "2"), new UserProperty("a", "1"), new UserProperty("b", "")];

    /// <summary>CONNECT.</summary>
    /// <param name="command">The command.</param>
    /// <param name="clientId">The client identifier.</param>
    /// <param name="credentials">How to log in; null for anonymous.</param>
    /// <param name="willPayload">Makes the payload of the will.</param>
    public ConnectPacket Connect(
        ConnectCommand command,
        string clientId,
        Credentials? credentials,
        Func<Bytes> willPayload
    ) =>
        new()
        {
            ProtocolVersion = version,
            ProtocolName = version == ProtocolVersion.V31 ? "MQIsdp" : "MQTT",
            CleanStart = command.Clean,
            ClientId = clientId,
            KeepAliveSeconds = command.KeepAliveSeconds ?? 0,
            UserName = credentials?.UserName ?? (command.WrongPassword ? "nobody" : null),
            Password =
                command.WrongPassword ? Bytes.FromText("wrong")
                : credentials is not null ? Bytes.FromText(credentials.Password)
                : default(Bytes?),
            Will = command.WillTopic is { } topic
                ? new WillMessage(names.Topic(topic), willPayload(), command.WillQos, command.WillRetain)
                {
                    Properties = IsV5
                        ? ForReceiver(command.WillWithProperties) with
                        {
                            WillDelayIntervalSeconds = command.WillDelaySeconds,
                            MessageExpiryIntervalSeconds = command.WillExpirySeconds,
                        }
                        : PacketProperties.Empty,
                }
                : null,
            Properties = IsV5
                ? new PacketProperties
                {
                    SessionExpiryIntervalSeconds = command.SessionExpirySeconds,
                    ReceiveMaximum = command.ReceiveMaximum,
                    TopicAliasMaximum = command.TopicAliasMaximum,
                    MaximumPacketSizeBytes = command.MaximumPacketBytes,
                    RequestProblemInformation = command.ProblemInformation,
                    RequestResponseInformation = command.ResponseInformation,
                    UserProperties = command.WithUserProperties ? UserProperties : [],
                }
                : PacketProperties.Empty,
        };

    /// <summary>DISCONNECT.</summary>
    /// <param name="command">The command.</param>
    /// <param name="mayChangeExpiry">Whether it may say how long the session lives.</param>
    public DisconnectPacket Disconnect(DisconnectCommand command, bool mayChangeExpiry) =>
        !IsV5
            ? new DisconnectPacket()
            : new DisconnectPacket(command.Reason)
            {
                Properties = new PacketProperties
                {
                    SessionExpiryIntervalSeconds = mayChangeExpiry ? command.SessionExpirySeconds : null,
                    ReasonString = command.WithReasonString ? "as the scenario says" : null,
                    UserProperties = command.WithUserProperties ? UserProperties : [],
                },
            };

    /// <summary>Properties that a message has for its receiver.</summary>
    /// <param name="all">Whether all of them or none.</param>
    public PacketProperties ForReceiver(bool all) =>
        new()
        {
            ContentType = all ? "text/plain" : null,
            ResponseTopic = all ? names.Topic("~/answer") : null,
            CorrelationData = all ? new Bytes(new byte[] { 0, 1, 255 }) : default(Bytes?),
            PayloadFormatIndicator = all ? PayloadFormat.Utf8 : null,
            UserProperties = all ? UserProperties : [],
        };

    /// <summary>Properties of a request that are for the broker alone.</summary>
    /// <param name="withUserProperties">Whether there are any.</param>
    public PacketProperties ForBroker(bool withUserProperties) =>
        withUserProperties && IsV5 ? new PacketProperties { UserProperties = UserProperties } : PacketProperties.Empty;

    /// <summary>An acknowledgement, written as a command says.</summary>
    /// <param name="ack">The plain acknowledgement.</param>
    /// <param name="style">The command; null for none.</param>
    public AckPacket Styled(AckPacket ack, AnswerCommand? style) =>
        style is null || !IsV5
            ? ack
            : ack with
            {
                ReasonCode = ack is PubackPacket or PubrecPacket ? style.Reason : ack.ReasonCode,
                Properties = new PacketProperties
                {
                    ReasonString = style.WithReasonString ? "as the scenario says" : null,
                    UserProperties = style.WithUserProperties ? UserProperties : [],
                },
            };

    /// <summary>The bytes of an acknowledgement or DISCONNECT that leave out nothing that could be left out.</summary>
    /// <param name="packet">The packet.</param>
    public byte[] EncodeLong(Packet packet)
    {
        var bytes = PacketEncoder.Encode(packet, version);
        return packet switch
        {
            _ when !IsV5 => bytes,
            AckPacket { Properties.IsEmpty: true } ack => [bytes[0], 4, .. bytes[2..4], (byte)ack.ReasonCode, 0],
            DisconnectPacket { Properties.IsEmpty: true } disconnect => [bytes[0], 2, (byte)disconnect.ReasonCode, 0],
            _ => bytes,
        };
    }
}
