using System.Net;
using MqttCheck.Brokers.Wire;
using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.LiveClusters.Nodes.Pipeline.Logs;
using MqttCheck.LiveClusters.Nodes.Pipeline.Requests;

namespace MqttCheck.LiveClusters.Nodes.Pipeline.Stores;

/// <summary>
/// A client of <see cref="StoreNode"/>. The task of a request is cancelled if the node stays away for longer than the
/// client's patience.
/// </summary>
/// <param name="address">The address of the node.</param>
/// <param name="patience">How long a request waits for a node that is away.</param>
/// <param name="wire">The wire that carries it; null for one of its own.</param>
internal sealed class StoreNodeClient(IPEndPoint address, TimeSpan patience, IWire? wire = null) : IPipelineStore
{
    private readonly RequestClient _requests = new(address, patience, linger: default, wire);

    /// <inheritdoc/>
    public Task<long> StartAsync(int node) =>
        AskAsync(StoreRequestKind.Start, request => request.Write(node), answer => answer.ReadInt64());

    /// <inheritdoc/>
    public Task<OpenedSession> OpenAsync(string clientId, int node, bool isPersistent) =>
        AskAsync(
            StoreRequestKind.Open,
            request =>
            {
                request.Write(clientId);
                request.Write(node);
                request.Write(isPersistent);
            },
            answer => new OpenedSession(answer.ReadInt32(), answer.ReadBoolean(), answer.ReadInt64())
        );

    /// <inheritdoc/>
    public Task CloseAsync(OpenedSession session) =>
        AskAsync(
            StoreRequestKind.Close,
            request =>
            {
                request.Write(session.Client);
                request.Write(session.Change);
            },
            _ => true
        );

    /// <inheritdoc/>
    public Task<bool> SubscribeAsync(int client, string filter, int qos) =>
        AskAsync(
            StoreRequestKind.Subscribe,
            request =>
            {
                request.Write(client);
                request.Write(filter);
                request.Write((byte)qos);
            },
            _ => true
        );

    /// <inheritdoc/>
    public Task<bool> UnsubscribeAsync(int client, string filter) =>
        AskAsync(
            StoreRequestKind.Unsubscribe,
            request =>
            {
                request.Write(client);
                request.Write(filter);
            },
            _ => true
        );

    /// <inheritdoc/>
    public Task<IReadOnlyList<SessionChange>> WatchAsync(long from) =>
        AskAsync<IReadOnlyList<SessionChange>>(
            StoreRequestKind.Watch,
            request => request.Write(from),
            answer => StoreCodec.All(answer, StoreCodec.Change)
        );

    /// <inheritdoc/>
    public Task<AddedMessages> AddAndFindAsync(int client, IReadOnlyList<PipelineMessage> messages) =>
        AskAsync(
            StoreRequestKind.Add,
            request =>
            {
                request.Write(client);
                request.Write(messages.Count);
                foreach (var message in messages)
                {
                    var bytes = RecordCodec.Encode(message);
                    request.Write(bytes.Length);
                    request.Write(bytes);
                }
            },
            answer => new AddedMessages(answer.ReadInt32(), StoreCodec.Messages(answer))
        );

    /// <inheritdoc/>
    public async Task<IReadOnlyList<StoredMessage>> AddAsync(int client, IReadOnlyList<PipelineMessage> messages) =>
        (await AddAndFindAsync(client, messages)).Messages;

    /// <inheritdoc/>
    public Task<bool> ReceiveAsync(int client, ushort packetId) =>
        AskAsync(
            StoreRequestKind.Receive,
            request =>
            {
                request.Write(client);
                request.Write(packetId);
            },
            _ => true
        );

    /// <inheritdoc/>
    public Task<bool> RemoveAsync(int client, ushort packetId) =>
        AskAsync(
            StoreRequestKind.Remove,
            request =>
            {
                request.Write(client);
                request.Write(packetId);
            },
            answer => answer.ReadBoolean()
        );

    /// <inheritdoc/>
    public Task<StoredSession> GetAsync(int client) =>
        AskAsync(StoreRequestKind.Get, request => request.Write(client), StoreCodec.Session);

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _requests.DisposeAsync();

    private async Task<T> AskAsync<T>(StoreRequestKind kind, Action<BinaryWriter> write, Func<BinaryReader, T> read)
    {
        using var bytes = new MemoryStream();
        await using var writer = new BinaryWriter(bytes);
        writer.Write((byte)kind);
        write(writer);
        writer.Flush();
        var answer = await _requests.AskAsync(bytes.GetBuffer().AsSpan(0, (int)bytes.Length));
        using var reader = new BinaryReader(new MemoryStream(answer));
        return read(reader);
    }
}
