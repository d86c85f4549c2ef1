using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.LiveClusters.Nodes.Pipeline.Logs;

namespace MqttCheck.LiveClusters.Nodes.Pipeline.Stores;

/// <summary>
/// Keeps the sessions of a pipeline and their messages in memory, and every request that changed them in a file.
/// Opening the file repeats these requests. Everything that <see cref="Flush"/> has written survives, see
/// <see cref="EntryFile"/>.
/// </summary>
/// <remarks>Not thread-safe. An entry is its time and the request.</remarks>
internal sealed class FileStore : IDisposable
{
    private readonly SessionStoreModel _messages;
    private readonly SessionRegister _sessions = new();
    private readonly EntryFile _file;

    /// <summary>Opens a store, or begins one.</summary>
    /// <param name="path">The file.</param>
    /// <param name="options">Limit and lifetime.</param>
    public FileStore(string path, StoreOptions options)
    {
        _messages = new SessionStoreModel(options);
        _file = new EntryFile(
            path,
            entry =>
            {
                using var reader = ReaderOf(entry);
                var now = reader.ReadInt64();
                Change(reader, now, BinaryWriter.Null);
            }
        );
    }

    /// <summary>The changes of sessions so far.</summary>
    public IReadOnlyList<SessionChange> Changes => _sessions.Changes;

    /// <summary>Carries out any request except <see cref="StoreRequestKind.Watch"/>.</summary>
    /// <param name="request">The request.</param>
    /// <param name="now">The time of a clock that all processes of the machine share.</param>
    /// <param name="answer">Takes the content of the answer.</param>
    public void Do(ReadOnlySpan<byte> request, long now, BinaryWriter answer)
    {
        using var reader = ReaderOf(request);
        if ((StoreRequestKind)request[0] == StoreRequestKind.Get)
        {
            reader.ReadByte();
            StoreCodec.Write(answer, _messages.Read(reader.ReadInt32(), now));
            return;
        }
        Change(reader, now, answer);
        var entry = new byte[sizeof(long) + request.Length];
        BitConverter.TryWriteBytes(entry, now);
        request.CopyTo(entry.AsSpan(sizeof(long)));
        _file.Write(entry);
    }

    /// <summary>Writes all changes to the disk. Only then may they be acknowledged.</summary>
    public void Flush() => _file.Flush();

    /// <inheritdoc/>
    public void Dispose() => _file.Dispose();

    private static BinaryReader ReaderOf(ReadOnlySpan<byte> bytes) => new(new MemoryStream(bytes.ToArray()));

    private void Change(BinaryReader request, long now, BinaryWriter answer)
    {
        switch ((StoreRequestKind)request.ReadByte())
        {
            case StoreRequestKind.Start:
                foreach (var ended in _sessions.Start(request.ReadInt32()))
                    _messages.Forget(ended);
                answer.Write((long)_sessions.Changes.Count);
                break;
            case StoreRequestKind.Open:
                Open(request, answer);
                break;
            case StoreRequestKind.Close:
                var closed = request.ReadInt32();
                if (_sessions.Close(closed, request.ReadInt64()))
                    _messages.Forget(closed);
                break;
            case StoreRequestKind.Subscribe:
                _sessions.Subscribe(request.ReadInt32(), request.ReadString(), request.ReadByte());
                break;
            case StoreRequestKind.Unsubscribe:
                _sessions.Unsubscribe(request.ReadInt32(), request.ReadString());
                break;
            case StoreRequestKind.Add:
                Add(request, now, answer);
                break;
            case StoreRequestKind.Receive:
                _messages.Receive(request.ReadInt32(), request.ReadUInt16());
                break;
            case StoreRequestKind.Remove:
                answer.Write(_messages.Remove(request.ReadInt32(), request.ReadUInt16()));
                break;
        }
    }

    private void Open(BinaryReader request, BinaryWriter answer)
    {
        var (clientId, node, isPersistent) = (request.ReadString(), request.ReadInt32(), request.ReadBoolean());
        var (client, isPresent, change) = _sessions.Open(clientId, node, isPersistent, out var ended);
        if (ended >= 0)
            _messages.Forget(ended);
        answer.Write(client);
        answer.Write(isPresent);
        answer.Write(change);
    }

    // A client whose session has ended gets nothing: its records were in the log when the session ended.
    private void Add(BinaryReader request, long now, BinaryWriter answer)
    {
        var client = request.ReadInt32();
        var messages = StoreCodec.All(request, from => RecordCodec.Message(from.ReadBytes(from.ReadInt32())));
        answer.Write(_sessions.NodeOf(client));
        StoreCodec.Write(answer, _sessions.Has(client) ? _messages.Add(client, messages, now) : []);
    }
}
