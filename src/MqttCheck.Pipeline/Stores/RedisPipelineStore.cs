using System.Globalization;
using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.LiveClusters.Nodes.Pipeline.Stores;
using StackExchange.Redis;

namespace MqttCheck.Pipeline.Stores;

/// <summary>The store of a live pipeline on Redis: messages by session, and a register of all sessions.</summary>
/// <param name="store">The messages.</param>
/// <param name="prefix">The beginning of the names of all keys.</param>
internal sealed class RedisPipelineStore(RedisStore store, string prefix) : IPipelineStore
{
    // The first answer to a broker that has just started would be very large otherwise.
    private const int MostChanges = 1000;

    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(10);

    // The braces keep the register on one server of a cluster.
    private readonly RedisKey[] _keys =
    [
        .. ((string[])["numbers", "sessions", "changes", "last", "kept"]).Select(key =>
            (RedisKey)$"{{{prefix}:register}}_{key}"
        ),
    ];

    private readonly CancellationTokenSource _stop = new();

    /// <inheritdoc/>
    public async Task<long> StartAsync(int node)
    {
        var answer = await ChangeAsync(RegisterScripts.Start, node);
        foreach (var ended in (RedisValue[])answer[2]!)
            await store.ForgetAsync((int)ended);
        return (long)answer[1];
    }

    /// <inheritdoc/>
    public async Task<OpenedSession> OpenAsync(string clientId, int node, bool isPersistent)
    {
        var request = Guid.NewGuid().ToString("N");
        var answer = await ChangeAsync(RegisterScripts.Open, clientId, node, isPersistent, request);
        var opened = new OpenedSession((int)answer[2], (int)answer[3] == 1, (long)answer[4]);
        if ((int)answer[5] is >= 0 and var ended)
            await store.ForgetAsync(ended);
        // The broker reads the session only then, so that whatever is added later finds the broker.
        await store.PlaceAsync(opened.Client, node, opened.Change);
        return opened;
    }

    /// <inheritdoc/>
    public async Task CloseAsync(OpenedSession session)
    {
        await store.PlaceAsync(session.Client, -1, session.Change);
        var answer = await ChangeAsync(RegisterScripts.Close, session.Client, session.Change);
        if ((int)answer[2] == 1)
            await store.ForgetAsync(session.Client);
    }

    /// <inheritdoc/>
    public Task<bool> SubscribeAsync(int client, string filter, int qos) =>
        ChangeAsync(SessionChangeKind.Subscribed, client, filter, qos);

    /// <inheritdoc/>
    public Task<bool> UnsubscribeAsync(int client, string filter) =>
        ChangeAsync(SessionChangeKind.Unsubscribed, client, filter, qos: 0);

    /// <inheritdoc/>
    public async Task<IReadOnlyList<SessionChange>> WatchAsync(long from)
    {
        while (true)
        {
            var lines = (string[])(await store.Servers.RunAsync(RegisterScripts.Read, _keys, from, MostChanges))!;
            if (lines.Length > 0)
                return [.. lines.Select(ChangeOf)];
            await Task.Delay(s_pause, _stop.Token);
        }
    }

    /// <inheritdoc/>
    public Task<AddedMessages> AddAndFindAsync(int client, IReadOnlyList<PipelineMessage> messages) =>
        store.AddAndFindAsync(client, messages);

    /// <inheritdoc/>
    public Task<IReadOnlyList<StoredMessage>> AddAsync(int client, IReadOnlyList<PipelineMessage> messages) =>
        store.AddAsync(client, messages);

    /// <inheritdoc/>
    public Task<bool> ReceiveAsync(int client, ushort packetId) => store.ReceiveAsync(client, packetId);

    /// <inheritdoc/>
    public Task<bool> RemoveAsync(int client, ushort packetId) => store.RemoveAsync(client, packetId);

    /// <inheritdoc/>
    public Task<StoredSession> GetAsync(int client) => store.GetAsync(client);

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await store.DisposeAsync();
        _stop.Dispose();
    }

    private async Task<bool> ChangeAsync(SessionChangeKind kind, int client, string filter, int qos)
    {
        await ChangeAsync(RegisterScripts.Change, client, kind.ToString(), qos, filter);
        return true;
    }

    // A broker must not read a change that a failover may take back. So those are read that replicas have.
    private async Task<RedisResult[]> ChangeAsync(string script, params RedisValue[] arguments)
    {
        var answer = await store.Servers.WriteAsync(script, _keys, arguments);
        await store.Servers.RunAsync(RegisterScripts.Keep, _keys, (long)answer[1]);
        return answer;
    }

    private static SessionChange ChangeOf(string line)
    {
        var parts = line.Split('|', 6);
        return new SessionChange(Enum.Parse<SessionChangeKind>(parts[0]), Number(parts[1]))
        {
            Node = Number(parts[2]),
            IsPersistent = parts[3] == "1",
            Qos = Number(parts[4]),
            Filter = parts[5],
        };
    }

    private static int Number(string text) => int.Parse(text, CultureInfo.InvariantCulture);
}
