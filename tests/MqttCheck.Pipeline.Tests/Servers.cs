using MqttCheck.Pipeline.Stores;
using MqttCheck.Pipeline.Stores.Postgres;

namespace MqttCheck.Pipeline.Tests;

/// <summary>Servers that tests need; a test is skipped where one is not installed, and fails in CI.</summary>
internal static class Servers
{
    /// <summary>A Redis server.</summary>
    public static async Task<RedisProcess> RedisAsync(bool isDurable) =>
        Found(await RedisProcess.StartAsync(isDurable), RedisProcess.HowToInstall);

    /// <summary>A Redis Cluster of three primaries with a replica each.</summary>
    public static async Task<RedisCluster> RedisClusterAsync()
    {
        var servers = Found(await RedisProcess.StartClusterAsync(count: 6, replicas: 1), RedisProcess.HowToInstall);
        var cluster = new RedisCluster(servers);
        await cluster.ReplicatesAsync();
        return cluster;
    }

    /// <summary>A PostgreSQL server.</summary>
    public static async Task<PostgresProcess> PostgresAsync() =>
        Found(await PostgresProcess.StartAsync(), PostgresProcess.HowToInstall);

    private static T Found<T>(T? server, string howToInstall)
        where T : class
    {
        if (server is null)
            Missing.Report(howToInstall);
        return server!;
    }
}
