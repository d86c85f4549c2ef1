using System.Buffers.Binary;
using System.Globalization;
using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.LiveClusters.Nodes.Pipeline.Logs;
using MqttCheck.LiveClusters.Nodes.Pipeline.Stores;
using StackExchange.Redis;

namespace MqttCheck.Pipeline.Stores;

/// <summary>The store on a Redis server, by scripts. Calls that are made together are sent together.</summary>
internal sealed class RedisStore(ConnectionMultiplexer connection, StoreOptions options) : ISessionStore
{
    private readonly IDatabase _database = connection.GetDatabase();

    /// <summary>Connects to a server, and again whenever it comes back.</summary>
    /// <param name="address">Host and port.</param>
    /// <param name="options">Limit and lifetime.</param>
    public static async Task<RedisStore> ConnectAsync(string address, StoreOptions options)
    {
        var settings = ConfigurationOptions.Parse(address);
        settings.AbortOnConnectFail = false;
        settings.ReconnectRetryPolicy = new LinearRetry(100);
        // A request to a server that is away fails at once, and its records are processed again.
        settings.BacklogPolicy = BacklogPolicy.FailFast;
        return new RedisStore(await ConnectionMultiplexer.ConnectAsync(settings), options);
    }

    /// <inheritdoc/>
    public async Task<IReadOnlyList<StoredMessage>> AddAsync(int client, IReadOnlyList<PipelineMessage> messages)
    {
        RedisValue[] arguments =
        [
            options.Limit,
            options.LifetimeNanoseconds / 1_000_000,
            .. messages.Select(message => (RedisValue)RecordCodec.Encode(message)),
        ];
        RedisKey[] keys = [Messages(client), Last(client), Offsets(client)];
        var given = (RedisValue[])(await _database.ScriptEvaluateAsync(StoreScripts.Add, keys, arguments))!;
        return
        [
            .. given
                .Chunk(3)
                .Select(stored => new StoredMessage((ushort)(int)stored[1], (long)stored[2], messages[(int)stored[0]])),
        ];
    }

    /// <inheritdoc/>
    public async Task<bool> RemoveAsync(int client, ushort packetId) =>
        (long)await _database.ScriptEvaluateAsync(StoreScripts.Remove, [Messages(client)], [(int)packetId]) == 1;

    /// <inheritdoc/>
    public async Task<StoredSession> GetAsync(int client)
    {
        RedisKey[] keys = [Messages(client), Offsets(client)];
        var parts = (RedisResult[])(await _database.ScriptEvaluateAsync(StoreScripts.Get, keys))!;
        var kept = ((RedisValue[])parts[0]!)
            .Chunk(3)
            .Select(stored => new StoredMessage(
                (ushort)(int)stored[0],
                (long)stored[1],
                RecordCodec.Message((byte[])stored[2]!)
            ));
        var offsets = ((RedisValue[])parts[1]!)
            .Chunk(2)
            .ToDictionary(part => (int)part[0], part => BinaryPrimitives.ReadInt64BigEndian((byte[])part[1]!));
        return new StoredSession([.. kept], offsets);
    }

    /// <summary>
    /// Sets the last packet identifier of a session, as if this many messages had been added and removed.
    /// </summary>
    public Task SetLastAsync(int client, ushort packetId) => _database.StringSetAsync(Last(client), (int)packetId);

    /// <summary>Removes the messages of a session but keeps their references, as if the messages had expired.</summary>
    public Task ExpireAsync(int client) => _database.ScriptEvaluateAsync(StoreScripts.Expire, [Messages(client)]);

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => connection.DisposeAsync();

    // The braces keep the keys of a session on one server of a cluster.
    private static string Messages(int client) =>
        string.Create(CultureInfo.InvariantCulture, $"{{mqttcheck:{client}}}_messages");

    private static string Last(int client) =>
        string.Create(CultureInfo.InvariantCulture, $"{{mqttcheck:{client}}}_last");

    private static string Offsets(int client) =>
        string.Create(CultureInfo.InvariantCulture, $"{{mqttcheck:{client}}}_offsets");
}
