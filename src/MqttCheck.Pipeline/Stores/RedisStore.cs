using System.Buffers.Binary;
using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.LiveClusters.Nodes.Pipeline.Logs;
using MqttCheck.LiveClusters.Nodes.Pipeline.Stores;
using StackExchange.Redis;

namespace MqttCheck.Pipeline.Stores;

/// <summary>
/// The store on a Redis server or a Redis Cluster, by scripts. Calls that are made together are sent together.
/// </summary>
internal sealed class RedisStore : ISessionStore
{
    private readonly RedisServers _servers;
    private readonly StoreOptions _options;
    private readonly RedisSettings _settings;

    private RedisStore(RedisServers servers, StoreOptions options, RedisSettings settings) =>
        (_servers, _options, _settings) = (servers, options, settings);

    /// <summary>The servers, for what else is kept there.</summary>
    public RedisServers Servers => _servers;

    /// <summary>Connects, and again whenever a server comes back.</summary>
    /// <param name="addresses">Host and port of a server, or of several of a cluster with commas between them.</param>
    /// <param name="options">Limit and lifetime.</param>
    /// <param name="settings">Names, and what counts as stored.</param>
    public static async Task<RedisStore> ConnectAsync(
        string addresses,
        StoreOptions options,
        RedisSettings? settings = null
    )
    {
        settings ??= new RedisSettings();
        return new RedisStore(await RedisServers.ConnectAsync(addresses, settings), options, settings);
    }

    /// <inheritdoc/>
    public async Task<IReadOnlyList<StoredMessage>> AddAsync(int client, IReadOnlyList<PipelineMessage> messages) =>
        (await AddAndFindAsync(client, messages)).Messages;

    /// <summary>Adds messages, and finds where the client is at that moment.</summary>
    public async Task<AddedMessages> AddAndFindAsync(int client, IReadOnlyList<PipelineMessage> messages)
    {
        RedisValue[] arguments =
        [
            _options.Limit,
            _options.LifetimeNanoseconds / 1_000_000,
            _settings.NeedsSession,
            .. messages.Select(message => (RedisValue)RecordCodec.Encode(message)),
        ];
        var answer = await _servers.WriteAsync(StoreScripts.Add, KeysOf(client), arguments);
        var given = (RedisValue[])answer[1]!;
        return new AddedMessages(
            (int)given[0],
            [
                .. given
                    .Skip(1)
                    .Chunk(3)
                    .Select(stored => new StoredMessage(
                        (ushort)(int)stored[1],
                        (long)stored[2],
                        messages[(int)stored[0]]
                    )),
            ]
        );
    }

    /// <inheritdoc/>
    public async Task<bool> RemoveAsync(int client, ushort packetId) =>
        (long)await _servers.RunAsync(StoreScripts.Remove, [Messages(client), Received(client)], (int)packetId) == 1;

    /// <summary>Notes that the client of a session has a message of QoS 2.</summary>
    public async Task<bool> ReceiveAsync(int client, ushort packetId)
    {
        await _servers.WriteAsync(StoreScripts.Receive, [Messages(client), Received(client)], (int)packetId);
        return true;
    }

    /// <inheritdoc/>
    public async Task<StoredSession> GetAsync(int client)
    {
        RedisKey[] keys = [Messages(client), Offsets(client), Received(client)];
        var parts = (RedisResult[])(await _servers.RunAsync(StoreScripts.Get, keys))!;
        var kept = ((RedisValue[])parts[0]!)
            .Chunk(4)
            .Select(stored => new StoredMessage(
                (ushort)(int)stored[0],
                (long)stored[1],
                RecordCodec.Message((byte[])stored[2]!)
            )
            {
                IsReceived = (int)stored[3] == 1,
            });
        var offsets = ((RedisValue[])parts[1]!)
            .Chunk(2)
            .ToDictionary(part => (int)part[0], part => BinaryPrimitives.ReadInt64BigEndian((byte[])part[1]!));
        return new StoredSession([.. kept], offsets);
    }

    /// <summary>Says to which broker the client of a session has connected.</summary>
    /// <param name="client">The session.</param>
    /// <param name="node">The broker; -1 where the connection is gone.</param>
    /// <param name="change">The number of the change by which it connected.</param>
    public Task PlaceAsync(int client, int node, long change) =>
        _servers.WriteAsync(StoreScripts.Place, [Place(client)], node, change);

    /// <summary>Removes all that there is of a session.</summary>
    public Task ForgetAsync(int client) => _servers.WriteAsync(StoreScripts.Forget, KeysOf(client));

    /// <summary>
    /// Sets the last packet identifier of a session, as if this many messages had been added and removed.
    /// </summary>
    public Task SetLastAsync(int client, ushort packetId) =>
        _servers.RunAsync("redis.call('SET', KEYS[1], ARGV[1])", [Last(client)], (int)packetId);

    /// <summary>Removes the messages of a session but keeps their references, as if the messages had expired.</summary>
    public Task ExpireAsync(int client) => _servers.RunAsync(StoreScripts.Expire, [Messages(client)]);

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _servers.DisposeAsync();

    private RedisKey[] KeysOf(int client) =>
        [Messages(client), Last(client), Offsets(client), Received(client), Place(client)];

    private RedisKey Messages(int client) => Key(client, "messages");

    private RedisKey Last(int client) => Key(client, "last");

    private RedisKey Offsets(int client) => Key(client, "offsets");

    private RedisKey Received(int client) => Key(client, "received");

    private RedisKey Place(int client) => Key(client, "place");

    // The braces keep the keys of a session on one server of a cluster.
    private RedisKey Key(int client, string what) =>
        FormattableString.Invariant($"{{{_settings.Prefix}:{client}}}_{what}");
}
