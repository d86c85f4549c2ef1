using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Defects;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Checking;

/// <summary>The packets behind <see cref="MalformedCommand"/>.</summary>
internal static class MalformedPackets
{
    // A packet that announces more bytes than it has makes the broker wait, which is correct.
    private static readonly string[] s_notVisible = ["remaining-length-beyond-end"];

    /// <summary>The defects that a client's packets can have in a version and that a broker can see.</summary>
    /// <param name="version">The protocol version.</param>
    public static IReadOnlyList<string> Names(ProtocolVersion version) =>
        [
            MalformedCommand.SecondConnect,
            MalformedCommand.NoConnect,
            .. version == ProtocolVersion.V5 ? [MalformedCommand.UnknownMethod] : Array.Empty<string>(),
            .. PacketDefects
                .All.Where(defect =>
                    defect.Origin != PacketOrigin.Server
                    && !s_notVisible.Contains(defect.Name)
                    && MalformedCommand.PacketOf(defect, version) is not null
                )
                .Select(defect => defect.Name),
        ];

    /// <summary>The bytes.</summary>
    internal static byte[] Bytes(string name, ProtocolVersion version, ScenarioNames names)
    {
        if (name == MalformedCommand.SecondConnect)
            return PacketEncoder.Encode(Connect(version, names), version);
        if (name == MalformedCommand.NoConnect)
            return PacketEncoder.Encode(new PingreqPacket(), version);
        if (name == MalformedCommand.UnknownMethod)
            return version == ProtocolVersion.V5
                ? PacketEncoder.Encode(
                    Connect(version, names) with
                    {
                        Properties = new PacketProperties { AuthenticationMethod = "mqttcheck-unknown" },
                    },
                    version
                )
                : throw new InputException($"{name}: given for MQTT {version}; allowed: in MQTT 5.");
        var defect = PacketDefects.Find(name);
        var topic = names.Topic("~/malformed");
        Packet packet = MalformedCommand.PacketOf(defect, version) switch
        {
            PacketType.Publish => new PublishPacket { Topic = topic, Payload = new byte[] { 1 } },
            PacketType.Subscribe => new SubscribePacket(
                65000,
                [new SubscriptionRequest(topic, QualityOfService.AtMostOnce)]
            ),
            PacketType.Unsubscribe => new UnsubscribePacket(65000, [topic]),
            PacketType.Pingreq => new PingreqPacket(),
            PacketType.Puback => new PubackPacket(65000),
            PacketType.Pubrel => new PubrelPacket(65000),
            PacketType.Disconnect => new DisconnectPacket(),
            PacketType.Auth => new AuthPacket { Properties = new PacketProperties { AuthenticationMethod = "m" } },
            PacketType.Connect => Connect(version, names),
            _ => throw new InputException(
                $"The defect '{name}' does not exist for packets of clients in MQTT {version}."
            ),
        };
        return defect.Encode(packet, version);
    }

    private static ConnectPacket Connect(ProtocolVersion version, ScenarioNames names) =>
        new()
        {
            ProtocolVersion = version,
            ProtocolName = version == ProtocolVersion.V31 ? "MQIsdp" : "MQTT",
            ClientId = names.ClientId(25),
        };
}
