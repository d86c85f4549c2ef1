using System.Diagnostics;
using MqttCheck.Pipeline.Stores;
using StackExchange.Redis;

namespace MqttCheck.Pipeline.Tests;

/// <summary>The servers of a Redis Cluster, of which the first three are primaries at first.</summary>
internal sealed class RedisCluster(IReadOnlyList<RedisProcess> servers) : IDisposable
{
    private const int Primaries = 3;
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    /// <summary>The addresses, as a client takes them.</summary>
    public string Addresses => string.Join(',', servers.Select(server => server.Address));

    /// <summary>The servers.</summary>
    public IReadOnlyList<RedisProcess> Servers => servers;

    /// <summary>Waits until each primary has a replica that has caught up.</summary>
    public async Task ReplicatesAsync()
    {
        await using var connection = await ConnectionMultiplexer.ConnectAsync(Addresses + ",abortConnect=false");
        var watch = Stopwatch.StartNew();
        while (watch.Elapsed < s_patience)
        {
            var having = 0;
            foreach (var primary in servers.Take(Primaries))
                having += await HasReplicaAsync(connection.GetServer(primary.Address)) ? 1 : 0;
            if (having == Primaries)
                return;
            await Task.Delay(50);
        }
        throw new TimeoutException("A primary of the Redis Cluster has no replica.");
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (var server in servers)
            server.Dispose();
    }

    private static async Task<bool> HasReplicaAsync(IServer server)
    {
        try
        {
            var replication = (string?)await server.ExecuteAsync("INFO", "replication") ?? "";
            return replication.Contains("state=online", StringComparison.Ordinal);
        }
        catch (RedisException)
        {
            return false;
        }
    }
}
