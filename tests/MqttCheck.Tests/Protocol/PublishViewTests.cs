using System.Text;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Tests.Protocol;

public sealed class PublishViewTests
{
    [TestCase(ProtocolVersion.V311)]
    [TestCase(ProtocolVersion.V5)]
    public void A_written_publish_is_read_back_in_place(ProtocolVersion version)
    {
        var buffer = new byte[100];
        var length = PacketWriter.WritePublish(
            buffer,
            version,
            "a/b"u8,
            "payload"u8,
            QualityOfService.AtLeastOnce,
            retain: true,
            duplicate: false,
            packetId: 4711
        );

        Assert.That(length, Is.EqualTo(PacketWriter.PublishLength(version, 3, 7, QualityOfService.AtLeastOnce)));
        Assert.That(
            (PacketFrame.TryRead(buffer.AsSpan(0, length), 100, out var frame), frame.TotalLength),
            Is.EqualTo((FrameStatus.Complete, length))
        );
        Assert.That(PublishView.TryParse(version, buffer.AsSpan(0, length), out var view), Is.True);
        Assert.That(
            (Encoding.UTF8.GetString(view.Topic), Encoding.UTF8.GetString(view.Payload)),
            Is.EqualTo(("a/b", "payload"))
        );
        Assert.That(
            (view.PacketId, view.Qos, view.Retain, view.Duplicate),
            Is.EqualTo(((ushort)4711, QualityOfService.AtLeastOnce, true, false))
        );
        var packet = new PublishPacket
        {
            Topic = "a/b",
            Payload = "payload"u8.ToArray(),
            Qos = QualityOfService.AtLeastOnce,
            Retain = true,
            PacketId = 4711,
        };
        Assert.That(
            (PacketDecoder.Decode(buffer.AsSpan(0, length), version), PacketEncoder.Encode(packet, version)),
            Is.EqualTo((packet, buffer[..length]))
        );
    }
}
