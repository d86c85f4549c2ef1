using MqttCheck.Protocol.Packets;

namespace MqttCheck.Protocol.Decoders;

/// <summary>Reads PUBLISH and its acknowledgements.</summary>
internal static class PublishDecoder
{
    internal static PublishPacket ReadPublish(ref PacketReader reader, int flags)
    {
        var qos = (flags >> 1) & 3;
        var duplicate = (flags & 8) != 0;
        if (qos == 3)
            reader.Report(Rules.Qos3, 0, "the QoS is 3");
        if (qos == 0 && duplicate)
            reader.Report(Rules.DuplicateAtQos0, 0, "the duplicate flag is 1 at QoS 0");

        var topicAt = reader.Position + 2;
        var topic = reader.ReadText("the topic name");
        var packetId =
            qos == 0
                ? (ushort)0
                : reader.ReadPacketId(reader.Origin == PacketOrigin.Server ? Rules.PacketIdFromServer : Rules.PacketId);
        var properties = reader.IsV5
            ? PropertyDecoder.Read(ref reader, 1 << (int)PacketType.Publish)
            : PacketProperties.Empty;
        if (topic.Length > 0)
            reader.CheckTopicName(topic, topicAt, "the topic name");
        else if (properties.TopicAlias is null)
            reader.Report(Rules.TopicWithoutAlias, topicAt, "neither a topic name nor a topic alias");
        return new PublishPacket
        {
            Topic = topic,
            Payload = reader.Copy(reader.ReadRaw(reader.Remaining)),
            Qos = (QualityOfService)qos,
            Retain = (flags & 1) != 0,
            Duplicate = duplicate,
            PacketId = packetId,
            Properties = properties,
        };
    }

    internal static Packet ReadAck(ref PacketReader reader, PacketType type)
    {
        var packetId = reader.ReadPacketId(Rules.AnswerPacketId);
        var rule = type switch
        {
            PacketType.Puback => Rules.PubackCode,
            PacketType.Pubrec => Rules.PubrecCode,
            PacketType.Pubrel => Rules.PubrelCode,
            _ => Rules.PubcompCode,
        };
        var (reason, properties) = ConnectDecoder.ReadReason(ref reader, type, rule);
        return type switch
        {
            PacketType.Puback => new PubackPacket(packetId, reason) { Properties = properties },
            PacketType.Pubrec => new PubrecPacket(packetId, reason) { Properties = properties },
            PacketType.Pubrel => new PubrelPacket(packetId, reason) { Properties = properties },
            _ => new PubcompPacket(packetId, reason) { Properties = properties },
        };
    }
}
