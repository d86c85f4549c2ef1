using System.Net;
using MqttCheck.Brokers.Wire;
using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.LiveClusters.Nodes.Pipeline.Requests;

namespace MqttCheck.LiveClusters.Nodes.Pipeline.Stores;

/// <summary>
/// A store of sessions as a process of its own. Each request is atomic, and is answered after the file has been
/// written.
/// </summary>
internal sealed class StoreNode : RequestServer
{
    // This limit keeps the first answer to a broker that has just started from being very large.
    private const int MostChanges = 1000;

    private readonly FileStore _store;
    private readonly List<(RequestSource To, long Request, long From)> _watching = [];

    /// <summary>Opens the file and listens.</summary>
    /// <param name="path">The file.</param>
    /// <param name="options">Limit and lifetime.</param>
    /// <param name="address">The address to listen on; port 0 for a free one.</param>
    public StoreNode(string path, StoreOptions options, IPEndPoint address)
        : base(address)
    {
        _store = new FileStore(path, options);
        Begin();
    }

    /// <inheritdoc/>
    protected override void Apply(RequestSource from, long number, ReadOnlySpan<byte> content)
    {
        if ((StoreRequestKind)content[0] == StoreRequestKind.Watch)
        {
            _watching.RemoveAll(watch => watch.To == from);
            _watching.Add((from, number, BitConverter.ToInt64(content[1..])));
            return;
        }
        var (request, now) = (content.ToArray(), MonotonicClock.NowNanoseconds);
        Answer(from, number, BytesOf(answer => _store.Do(request, now, answer)));
    }

    /// <inheritdoc/>
    protected override void Finish()
    {
        foreach (var watch in _watching.Where(watch => watch.From < _store.Changes.Count).ToList())
        {
            _watching.Remove(watch);
            var changes = _store.Changes.Skip((int)watch.From).Take(MostChanges).ToList();
            Answer(
                watch.To,
                watch.Request,
                BytesOf(answer =>
                {
                    answer.Write(changes.Count);
                    foreach (var change in changes)
                        StoreCodec.Write(answer, change);
                })
            );
        }
        _store.Flush();
    }

    /// <inheritdoc/>
    protected override void CloseFile() => _store.Dispose();

    private static byte[] BytesOf(Action<BinaryWriter> write)
    {
        using var bytes = new MemoryStream();
        using var writer = new BinaryWriter(bytes);
        write(writer);
        writer.Flush();
        return bytes.ToArray();
    }
}
