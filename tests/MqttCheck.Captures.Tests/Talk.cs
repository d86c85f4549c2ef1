using System.Text;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Captures.Tests;

/// <summary>Packets of MQTT as clients and brokers send them.</summary>
internal sealed class Talk(ProtocolVersion version = ProtocolVersion.V311)
{
    public byte[] Connect(string name, bool isClean = true) =>
        Bytes(
            new ConnectPacket
            {
                ProtocolVersion = version,
                ClientId = name,
                CleanStart = isClean,
                UserName = "anna",
                Password = MqttCheck.Protocol.Bytes.FromText("secret"),
            }
        );

    public byte[] Connack(bool isPresent = false, ReasonCode code = ReasonCode.Success) =>
        Bytes(new ConnackPacket(isPresent, code));

    public byte[] Publish(
        string topic,
        string payload,
        int qos = 0,
        int id = 0,
        bool isRetained = false,
        int alias = 0
    ) =>
        Bytes(
            new PublishPacket
            {
                Topic = topic,
                Payload = Encoding.UTF8.GetBytes(payload),
                Qos = (QualityOfService)qos,
                PacketId = (ushort)id,
                Retain = isRetained,
                Properties = alias > 0 ? new PacketProperties { TopicAlias = (ushort)alias } : PacketProperties.Empty,
            }
        );

    public byte[] Puback(int id) => Bytes(new PubackPacket((ushort)id, ReasonCode.Success));

    public byte[] Subscribe(int id, params string[] filters) =>
        Bytes(
            new SubscribePacket(
                (ushort)id,
                ValueList.Create<SubscriptionRequest>([
                    .. filters.Select(filter => new SubscriptionRequest(filter, QualityOfService.AtLeastOnce)),
                ])
            )
        );

    public byte[] Suback(int id, int filters = 1, ReasonCode code = ReasonCode.GrantedQos1) =>
        Bytes(new SubackPacket((ushort)id, ValueList.Create<ReasonCode>([.. Enumerable.Repeat(code, filters)])));

    public byte[] Unsubscribe(int id, string filter) =>
        Bytes(new UnsubscribePacket((ushort)id, ValueList.Create<string>([filter])));

    public byte[] Unsuback(int id) =>
        Bytes(new UnsubackPacket((ushort)id, version == ProtocolVersion.V5 ? [ReasonCode.Success] : []));

    public byte[] Pingreq() => Bytes(new PingreqPacket());

    public byte[] Pingresp() => Bytes(new PingrespPacket());

    public byte[] Disconnect() => Bytes(new DisconnectPacket());

    public byte[] Bytes(Packet packet) => PacketEncoder.Encode(packet, version);
}
