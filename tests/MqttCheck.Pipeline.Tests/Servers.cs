using MqttCheck.Pipeline.Stores;

namespace MqttCheck.Pipeline.Tests;

/// <summary>Servers that tests need.</summary>
internal static class Servers
{
    /// <summary>A Redis server; skips the test where it is not installed, and fails in CI.</summary>
    public static async Task<RedisProcess> RedisAsync(bool isDurable)
    {
        if (await RedisProcess.StartAsync(isDurable) is { } server)
            return server;
        Missing.Report(RedisProcess.HowToInstall);
        return null!;
    }
}
