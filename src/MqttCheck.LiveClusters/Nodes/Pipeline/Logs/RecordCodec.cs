using System.Buffers.Binary;
using System.Text;
using MqttCheck.ClusterProtocols.Pipeline;

namespace MqttCheck.LiveClusters.Nodes.Pipeline.Logs;

/// <summary>Records as bytes, for the wire, for files and for the store. Numbers are big-endian.</summary>
internal static class RecordCodec
{
    private const int MessageHead = 23;
    private const int RecordHead = 15;

    // No part of the log has this number.
    private const int NoPartition = -1;

    /// <summary>
    /// A message: its number, its quality of service, its topic's length, its place in the log, its topic, and what it
    /// says.
    /// </summary>
    public static byte[] Encode(in PipelineMessage message)
    {
        var topic = Encoding.UTF8.GetByteCount(message.Topic);
        var bytes = new byte[MessageHead + topic + message.Payload.Length];
        BinaryPrimitives.WriteInt64BigEndian(bytes, message.Id);
        bytes[8] = (byte)message.Qos;
        // The topic of a packet has a length of two bytes too.
        BinaryPrimitives.WriteUInt16BigEndian(bytes.AsSpan(9), (ushort)topic);
        BinaryPrimitives.WriteInt32BigEndian(bytes.AsSpan(11), message.Place?.Partition ?? NoPartition);
        BinaryPrimitives.WriteInt64BigEndian(bytes.AsSpan(15), message.Place?.Offset ?? 0);
        Encoding.UTF8.GetBytes(message.Topic, bytes.AsSpan(MessageHead));
        message.Payload.Span.CopyTo(bytes.AsSpan(MessageHead + topic));
        return bytes;
    }

    /// <summary>Reads a message.</summary>
    public static PipelineMessage Message(ReadOnlySpan<byte> bytes)
    {
        var rest = bytes[MessageHead..];
        var topic = BinaryPrimitives.ReadUInt16BigEndian(bytes[9..]);
        var payload = rest[topic..];
        var partition = BinaryPrimitives.ReadInt32BigEndian(bytes[11..]);
        return new PipelineMessage(
            BinaryPrimitives.ReadInt64BigEndian(bytes),
            Encoding.UTF8.GetString(rest[..topic]),
            bytes[8]
        )
        {
            Place =
                partition == NoPartition
                    ? null
                    : new LogPlace(partition, BinaryPrimitives.ReadInt64BigEndian(bytes[15..])),
            Payload = payload.IsEmpty ? default : payload.ToArray(),
        };
    }

    /// <summary>A record: its client, identifier and score, whether its client has it, and the message.</summary>
    public static byte[] Encode(in LogRecord record)
    {
        var message = Encode(record.Stored.Message);
        var bytes = new byte[RecordHead + message.Length];
        BinaryPrimitives.WriteInt32BigEndian(bytes, record.Client);
        BinaryPrimitives.WriteUInt16BigEndian(bytes.AsSpan(4), record.Stored.PacketId);
        BinaryPrimitives.WriteInt64BigEndian(bytes.AsSpan(6), record.Stored.Score);
        bytes[14] = (byte)(record.Stored.IsReceived ? 1 : 0);
        message.CopyTo(bytes, RecordHead);
        return bytes;
    }

    /// <summary>Reads a record.</summary>
    public static LogRecord Record(ReadOnlySpan<byte> bytes) =>
        new(
            BinaryPrimitives.ReadInt32BigEndian(bytes),
            new StoredMessage(
                BinaryPrimitives.ReadUInt16BigEndian(bytes[4..]),
                BinaryPrimitives.ReadInt64BigEndian(bytes[6..]),
                Message(bytes[RecordHead..])
            )
            {
                IsReceived = bytes[14] == 1,
            }
        );
}
