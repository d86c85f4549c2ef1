using StackExchange.Redis;

namespace MqttCheck.Pipeline.Stores;

/// <summary>
/// Waits until replicas have what a server of a Redis Cluster has answered. Requests that wait for one server share the
/// command WAIT.
/// </summary>
/// <param name="connection">The connections, of which each server has one for commands.</param>
/// <param name="count">How many replicas must have it.</param>
internal sealed class RedisReplicas(ConnectionMultiplexer connection, int count)
{
    // Longer than a replica takes that runs, and shorter than the library waits for an answer.
    private const int PatienceMilliseconds = 1000;

    private readonly Lock _lock = new();
    private readonly Dictionary<string, Line> _lines = new(StringComparer.Ordinal);

    /// <summary>Waits for the replicas of a server.</summary>
    /// <param name="id">The server, as CLUSTER MYID names it.</param>
    /// <param name="key">A key of the change that they must have.</param>
    /// <exception cref="RedisException">Fewer replicas have it, or the server is gone.</exception>
    public Task HaveAsync(string id, RedisKey key)
    {
        lock (_lock)
        {
            if (!_lines.TryGetValue(id, out var line))
                _lines[id] = line = new Line();
            return line.Next ??= Task.Run(() => WaitInTurnAsync(line, id, key));
        }
    }

    private async Task WaitInTurnAsync(Line line, string id, RedisKey key)
    {
        await line.Turn.WaitAsync();
        try
        {
            // Changes that are answered from here on wait for the next turn.
            lock (_lock)
                line.Next = null;
            var server = await FindAsync(line, id);
            // WAIT tells of what its own connection has written, so that one which was made anew must write first.
            var written = server.ExecuteAsync("PEXPIRE", key, 7 * 86_400_000L);
            var having = (int)await server.ExecuteAsync("WAIT", count, PatienceMilliseconds);
            await written;
            if (having < count)
                throw new RedisException(
                    FormattableString.Invariant($"{having} replicas of {id} have a change, and {count} must have it.")
                );
        }
        finally
        {
            line.Turn.Release();
        }
    }

    private async Task<IServer> FindAsync(Line line, string id)
    {
        if (line.Server is { IsConnected: true } known)
            return known;
        foreach (var server in connection.GetServers().Where(server => server.IsConnected))
            if ((string?)await server.ExecuteAsync("CLUSTER", "MYID") == id)
                return line.Server = server;
        throw new RedisException($"Server {id} is not reached.");
    }

    private sealed class Line
    {
        public SemaphoreSlim Turn { get; } = new(1);

        public Task? Next { get; set; }

        public IServer? Server { get; set; }
    }
}
