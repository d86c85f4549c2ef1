using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.LiveClusters.Nodes.Pipeline.Logs;
using MqttCheck.LiveClusters.Nodes.Pipeline.Stores;
using Npgsql;

namespace MqttCheck.Pipeline.Stores.Postgres;

/// <summary>
/// The store in PostgreSQL. Requests that wait are sent together and committed together, as many as a batch may have.
/// </summary>
internal sealed class PostgresStore : ISessionStore
{
    private readonly StoreOptions _options;
    private readonly PostgresWriter[] _writers;

    private PostgresStore(StoreOptions options, PostgresWriter[] writers) => (_options, _writers) = (options, writers);

    /// <summary>Connects to a server, and makes the tables.</summary>
    /// <param name="connectionString">How to connect.</param>
    /// <param name="options">Limit and lifetime.</param>
    /// <param name="batch">The most requests that are committed together, positive.</param>
    /// <param name="writers">How many connections there are. Each has sessions of its own.</param>
    public static async Task<PostgresStore> ConnectAsync(
        string connectionString,
        StoreOptions options,
        int batch = 1,
        int writers = 4
    )
    {
        var connections = new NpgsqlConnection[writers];
        for (var i = 0; i < writers; i++)
        {
            connections[i] = new NpgsqlConnection(connectionString);
            await connections[i].OpenAsync();
        }
        await using (var create = new NpgsqlCommand(PostgresTables.Create, connections[0]))
            await create.ExecuteNonQueryAsync();
        return new PostgresStore(options, [.. connections.Select(connection => new PostgresWriter(connection, batch))]);
    }

    /// <inheritdoc/>
    public Task<IReadOnlyList<StoredMessage>> AddAsync(int client, IReadOnlyList<PipelineMessage> messages)
    {
        var partitions = messages.Select(message => message.Place?.Partition ?? -1).ToArray();
        var places = messages.Select(message => message.Place?.Offset ?? 0).ToArray();
        return AskAsync<IReadOnlyList<StoredMessage>>(
            client,
            PostgresTables.Add,
            rows =>
                [.. rows.Select(row => new StoredMessage((ushort)(int)row[1], (long)row[2], messages[(int)row[0]]))],
            client,
            _options.Limit,
            _options.LifetimeNanoseconds / 1_000_000,
            messages.Select(message => RecordCodec.Encode(message)).ToArray(),
            partitions,
            places
        );
    }

    /// <inheritdoc/>
    public Task<bool> RemoveAsync(int client, ushort packetId) =>
        AskAsync(client, PostgresTables.Remove, rows => rows.Count == 1, client, (int)packetId);

    /// <summary>Notes that the client of a session has a message of QoS 2.</summary>
    public Task ReceiveAsync(int client, ushort packetId) =>
        AskAsync(client, PostgresTables.Receive, _ => true, client, (int)packetId);

    /// <inheritdoc/>
    public async Task<StoredSession> GetAsync(int client)
    {
        // These are answered in their order.
        var dropped = AskAsync(client, PostgresTables.Drop, _ => true, client);
        var messages = AskAsync(
            client,
            PostgresTables.Get,
            rows =>
                rows.Select(row => new StoredMessage(
                        (ushort)(int)row[0],
                        (long)row[1],
                        RecordCodec.Message((byte[])row[3])
                    )
                    {
                        IsReceived = (bool)row[2],
                    })
                    .ToList(),
            client
        );
        var places = await AskAsync(
            client,
            PostgresTables.Places,
            rows => rows.ToDictionary(row => (int)row[0], row => (long)row[1]),
            client
        );
        await dropped;
        return new StoredSession(await messages, places);
    }

    /// <summary>
    /// Sets the last packet identifier of a session, as if this many messages had been added and removed.
    /// </summary>
    public Task SetLastAsync(int client, ushort packetId) =>
        AskAsync(client, PostgresTables.SetLast, _ => true, client, (int)packetId);

    /// <summary>Lets the messages of a session expire.</summary>
    public Task ExpireAsync(int client) => AskAsync(client, PostgresTables.Expire, _ => true, client);

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (var writer in _writers)
            await writer.DisposeAsync();
    }

    // The requests of a session keep their order.
    private Task<T> AskAsync<T>(
        int client,
        string statement,
        Func<IReadOnlyList<object[]>, T> read,
        params object[] parameters
    ) => _writers[client % _writers.Length].AskAsync(statement, parameters, read);
}
