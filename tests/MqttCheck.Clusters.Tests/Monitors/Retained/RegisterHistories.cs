using MqttCheck.Clusters.Monitors.Retained;

namespace MqttCheck.Clusters.Tests.Monitors.Retained;

/// <summary>Histories of a register that works: each operation takes effect at a drawn time of its own.</summary>
internal static class RegisterHistories
{
    /// <summary>Clients that write and read as often, one operation after the other each.</summary>
    public static RegisterOperation[] Of(int clients, int operations, int seed)
    {
        var random = new Random(seed);
        var free = new long[clients];
        var drawn = new List<(long Effect, bool IsWrite, long Called, long Returned, int Client)>();
        for (var index = 0; index < operations; index++)
        {
            var client = index % clients;
            var called = free[client] + random.Next(50);
            var effect = called + random.Next(100);
            var returned = effect + random.Next(100);
            free[client] = returned + 1;
            drawn.Add((effect, random.Next(2) == 0, called, returned, client));
        }
        var (value, next) = (RegisterOperation.Nothing, 0L);
        var made = new List<RegisterOperation>();
        foreach (var one in drawn.OrderBy(one => one.Effect))
        {
            if (one.IsWrite)
                value = next++;
            made.Add(new(one.IsWrite, value, one.Called, one.Returned, one.Client));
        }
        return [.. made.OrderBy(one => one.Called)];
    }
}
