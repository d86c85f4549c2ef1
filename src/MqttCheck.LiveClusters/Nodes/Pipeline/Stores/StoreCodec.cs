using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.LiveClusters.Nodes.Pipeline.Logs;

namespace MqttCheck.LiveClusters.Nodes.Pipeline.Stores;

/// <summary>Stored messages and changes of sessions as bytes.</summary>
internal static class StoreCodec
{
    /// <summary>Writes messages: how many, and each as a record with its length before it.</summary>
    public static void Write(BinaryWriter to, IReadOnlyList<StoredMessage> messages)
    {
        to.Write(messages.Count);
        foreach (var message in messages)
        {
            var record = RecordCodec.Encode(new LogRecord(0, message));
            to.Write(record.Length);
            to.Write(record);
        }
    }

    /// <summary>Reads messages.</summary>
    public static IReadOnlyList<StoredMessage> Messages(BinaryReader from) =>
        All(from, reader => RecordCodec.Record(reader.ReadBytes(reader.ReadInt32())).Stored);

    /// <summary>Writes a session.</summary>
    public static void Write(BinaryWriter to, StoredSession session)
    {
        Write(to, session.Messages);
        to.Write(session.Last.Count);
        foreach (var (partition, offset) in session.Last)
        {
            to.Write(partition);
            to.Write(offset);
        }
    }

    /// <summary>Reads a session.</summary>
    public static StoredSession Session(BinaryReader from) =>
        new(Messages(from), All(from, reader => (reader.ReadInt32(), reader.ReadInt64())).ToDictionary());

    /// <summary>Reads a count and that many items.</summary>
    public static T[] All<T>(BinaryReader from, Func<BinaryReader, T> read) =>
        [.. Enumerable.Range(0, from.ReadInt32()).Select(_ => read(from))];

    /// <summary>Writes a change.</summary>
    public static void Write(BinaryWriter to, in SessionChange change)
    {
        to.Write((byte)change.Kind);
        to.Write(change.Client);
        to.Write(change.Node);
        to.Write(change.IsPersistent);
        to.Write(change.Filter);
        to.Write((byte)change.Qos);
    }

    /// <summary>Reads a change.</summary>
    public static SessionChange Change(BinaryReader from) =>
        new((SessionChangeKind)from.ReadByte(), from.ReadInt32())
        {
            Node = from.ReadInt32(),
            IsPersistent = from.ReadBoolean(),
            Filter = from.ReadString(),
            Qos = from.ReadByte(),
        };
}
