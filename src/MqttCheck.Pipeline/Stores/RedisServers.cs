using System.Diagnostics;
using StackExchange.Redis;

namespace MqttCheck.Pipeline.Stores;

/// <summary>
/// A Redis server, or those of a Redis Cluster, and the scripts that they run. The library follows MOVED and knows
/// which server has which keys. Scripts that are sent together go together.
/// </summary>
internal sealed class RedisServers : IAsyncDisposable
{
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(100);

    private readonly ConnectionMultiplexer _connection;
    private readonly RedisSettings _settings;
    private readonly RedisReplicas _replicas;
    private readonly IDatabase _database;
    private readonly Lock _lock = new();
    private Task _learning = Task.CompletedTask;

    private RedisServers(ConnectionMultiplexer connection, RedisSettings settings)
    {
        (_connection, _settings) = (connection, settings);
        _replicas = new RedisReplicas(connection, settings.Replicas);
        _database = connection.GetDatabase();
    }

    /// <summary>Connects, and again whenever a server comes back.</summary>
    /// <param name="addresses">Hosts and ports, with commas between them.</param>
    /// <param name="settings">What counts as stored.</param>
    public static async Task<RedisServers> ConnectAsync(string addresses, RedisSettings settings)
    {
        var options = ConfigurationOptions.Parse(addresses);
        options.AbortOnConnectFail = false;
        options.ReconnectRetryPolicy = new LinearRetry(100);
        // A request to a server that is away fails at once, and is repeated by who has asked.
        options.BacklogPolicy = BacklogPolicy.FailFast;
        options.AsyncTimeout = 3000;
        return new RedisServers(await ConnectionMultiplexer.ConnectAsync(options), settings);
    }

    /// <summary>Runs a script after whose answer nothing needs to be kept for ever, and which may run twice.</summary>
    public Task<RedisResult> RunAsync(string script, RedisKey[] keys, params RedisValue[] arguments) =>
        PatientlyAsync(() => _database.ScriptEvaluateAsync(script, keys, arguments, CommandFlags.DemandMaster));

    /// <summary>
    /// Runs a script that writes, and may run twice. The first part of its answer names the server that ran it.
    /// </summary>
    /// <returns>The answer, when as many replicas have the change as was asked for.</returns>
    public Task<RedisResult[]> WriteAsync(string script, RedisKey[] keys, params RedisValue[] arguments) =>
        PatientlyAsync(async () =>
        {
            var ran = _database.ScriptEvaluateAsync(script, keys, arguments, CommandFlags.DemandMaster);
            var answer = (RedisResult[])(await ran)!;
            if (_settings.Replicas > 0)
                await _replicas.HaveAsync((string)answer[0]!, keys[0]);
            return answer;
        });

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _connection.DisposeAsync();

    private async Task<T> PatientlyAsync<T>(Func<Task<T>> ask)
    {
        var begun = Stopwatch.GetTimestamp();
        while (true)
        {
            try
            {
                return await ask();
            }
            catch (Exception notYet)
                when (notYet is RedisException or TimeoutException
                    && Stopwatch.GetElapsedTime(begun) < _settings.Patience
                )
            {
                await LearnAsync();
            }
        }
    }

    // Asks the servers which of them has which keys by now. Requests that fail together ask once.
    private Task LearnAsync()
    {
        lock (_lock)
            return _learning.IsCompleted ? _learning = AskAsync() : _learning;

        async Task AskAsync()
        {
            await Task.Delay(s_pause);
            await _connection.ConfigureAsync();
        }
    }
}
