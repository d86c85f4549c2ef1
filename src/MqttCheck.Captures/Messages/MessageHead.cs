using System.Buffers.Binary;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Frames;

namespace MqttCheck.Captures.Messages;

/// <summary>The fields before the payload of a PUBLISH, also where the payload is not whole.</summary>
internal readonly ref struct MessageHead
{
    /// <summary>The topic name, empty where an alias stands for it.</summary>
    public ReadOnlySpan<byte> Topic { get; private init; }

    /// <summary>The topic alias, 0 without one.</summary>
    public int TopicAlias { get; private init; }

    /// <summary>The packet identifier, 0 at QoS 0.</summary>
    public ushort PacketId { get; private init; }

    /// <summary>The quality of service.</summary>
    public QualityOfService Qos { get; private init; }

    /// <summary>The retain flag.</summary>
    public bool IsRetained { get; private init; }

    /// <summary>The duplicate flag.</summary>
    public bool IsDuplicate { get; private init; }

    /// <summary>How long the payload was.</summary>
    public int PayloadLength { get; private init; }

    /// <summary>The print of the payload, 0 where it is not whole.</summary>
    public long Print { get; private init; }

    /// <summary>Reads the head.</summary>
    /// <param name="version">The version of the connection.</param>
    /// <param name="packet">The packet.</param>
    /// <param name="head">The head.</param>
    /// <returns>False if it breaks a rule, or its head is not whole.</returns>
    public static bool TryParse(ProtocolVersion version, in SeenPacket packet, out MessageHead head)
    {
        head = default;
        if (packet.IsWhole)
        {
            if (!PublishView.TryParse(version, packet.Bytes, out var view, packet.Origin))
                return false;
            head = new()
            {
                Topic = view.Topic,
                TopicAlias = view.TopicAlias,
                PacketId = view.PacketId,
                Qos = view.Qos,
                IsRetained = view.Retain,
                IsDuplicate = view.Duplicate,
                PayloadLength = view.Payload.Length,
                Print = PayloadPrint.Of(view.Payload),
            };
            return true;
        }
        return TryParsePart(version, packet, out head);
    }

    // Without its end the packet is read as if its payload were as long as what is there of it.
    private static bool TryParsePart(ProtocolVersion version, in SeenPacket packet, out MessageHead head)
    {
        head = default;
        var bytes = packet.Bytes;
        var lengthBytes = bytes.Length < 2 ? 0 : VariableByteInteger.Read(bytes[1..], out _);
        if (lengthBytes <= 0)
            return false;
        var body = bytes[(1 + lengthBytes)..];
        var flags = bytes[0];
        var qos = (flags >> 1) & 3;
        if (body.Length < 2 || qos == 3)
            return false;
        var at = 2 + BinaryPrimitives.ReadUInt16BigEndian(body) + (qos > 0 ? 2 : 0);
        if (version >= ProtocolVersion.V5)
        {
            if (
                body.Length <= at
                || VariableByteInteger.Read(body[at..], out var properties) is not (> 0 and var prefix)
            )
                return false;
            at += prefix + properties;
        }
        if (body.Length < at)
            return false;
        Span<byte> header = stackalloc byte[4];
        var whole = new byte[1 + VariableByteInteger.Length(at) + at];
        var used = VariableByteInteger.Write(header, at);
        whole[0] = flags;
        header[..used].CopyTo(whole.AsSpan(1));
        body[..at].CopyTo(whole.AsSpan(1 + used));
        if (!PublishView.TryParse(version, whole, out var view, packet.Origin))
            return false;
        head = new()
        {
            Topic = view.Topic,
            TopicAlias = view.TopicAlias,
            PacketId = view.PacketId,
            Qos = view.Qos,
            IsRetained = view.Retain,
            IsDuplicate = view.Duplicate,
            PayloadLength = packet.TotalLength - 1 - lengthBytes - at,
        };
        return true;
    }
}
