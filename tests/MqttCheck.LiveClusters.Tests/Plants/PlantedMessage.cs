using System.Text;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.LiveClusters.Tests.Plants;

/// <summary>A PUBLISH of the load at the place where something goes wrong with it.</summary>
internal sealed class PlantedMessage
{
    // The brokers of the tests give identifiers from 1 on.
    private const ushort OwnId = 60_000;

    private PlantedMessage(PlantLine line, bool isDown, byte[] packet, in PublishView view)
    {
        (Line, IsDown, Packet) = (line, isDown, packet);
        (Topic, Qos, Id, Payload) = (Encoding.UTF8.GetString(view.Topic), view.Qos, view.PacketId, [.. view.Payload]);
        IsRetained = view.Retain;
    }

    public PlantLine Line { get; }

    public bool IsDown { get; }

    public byte[] Packet { get; }

    public string Topic { get; }

    public QualityOfService Qos { get; }

    public ushort Id { get; }

    public byte[] Payload { get; }

    public bool IsRetained { get; }

    /// <summary>Whether it is one of the retained messages of probes.</summary>
    public bool IsOfProbes => Topic.Contains("probe/", StringComparison.Ordinal);

    /// <summary>Reads a PUBLISH; null for other packets.</summary>
    public static PlantedMessage? Of(PlantLine line, bool isDown, byte[] packet) =>
        PublishView.TryParse(ProtocolVersion.V311, packet, out var view)
            ? new PlantedMessage(line, isDown, packet, view)
            : null;

    /// <summary>The message with something else in it.</summary>
    public byte[] With(
        string? topic = null,
        byte[]? payload = null,
        QualityOfService? qos = null,
        ushort? id = null,
        bool isRetained = false,
        bool isRepeat = false
    ) =>
        PacketEncoder.Encode(
            new PublishPacket
            {
                Topic = topic ?? Topic,
                Payload = new Bytes(payload ?? Payload),
                Qos = qos ?? Qos,
                PacketId = qos == QualityOfService.AtMostOnce ? (ushort)0 : id ?? Id,
                Retain = isRetained,
                Duplicate = isRepeat,
            },
            ProtocolVersion.V311
        );

    /// <summary>Sends a packet the way of the message; by default the message as it is.</summary>
    public void Pass(byte[]? packet = null) => Line.Send(IsDown, packet ?? Packet);

    /// <summary>Sends a packet the way of the message, whose acknowledgement nobody gets.</summary>
    public void PassUnanswered(byte[] packet, PacketType answer, ushort id)
    {
        Line.Take(!IsDown, answer, id);
        Pass(packet);
    }

    /// <summary>Acknowledges a message of QoS 1 in the name of the receiver.</summary>
    public void Answer()
    {
        Span<byte> ack = stackalloc byte[PacketWriter.MaximumAckBytes];
        Line.Send(!IsDown, ack[..PacketWriter.WriteAck(ack, PacketType.Puback, Id, ProtocolVersion.V311)].ToArray());
    }

    /// <summary>Acknowledges the message, and sends it on with another QoS.</summary>
    public void Replace(QualityOfService qos)
    {
        Answer();
        if (qos == QualityOfService.AtMostOnce)
            Pass(With(qos: qos));
        else
            PassUnanswered(With(qos: qos, id: OwnId), PacketType.Pubrec, OwnId);
    }
}
