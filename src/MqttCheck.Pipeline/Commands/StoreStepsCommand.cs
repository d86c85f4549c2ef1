using System.Globalization;
using MqttCheck.Pipeline.Stores;
using MqttCheck.Pipeline.Stores.Postgres;

namespace MqttCheck.Pipeline.Commands;

/// <summary>
/// Runs <c>mqttcheck-pipeline store-steps</c>: the three stores of the article one after the other, as ratios.
/// </summary>
internal static class StoreStepsCommand
{
    // Messages a second that the article gives, in the order of the stores.
    private static readonly double[] s_published = [30_000, 40_000, 60_000];

    /// <summary>Measures and prints.</summary>
    public static async Task<int> RunAsync(StoreStepsSettings settings)
    {
        using var redis = await RedisProcess.StartAsync(settings.IsRedisDurable);
        if (redis is null)
            return await MissingAsync(RedisProcess.HowToInstall);
        using var postgres = await PostgresProcess.StartAsync(settings.CommitsLater ? ["synchronous_commit=off"] : []);
        if (postgres is null)
            return await MissingAsync(PostgresProcess.HowToInstall);
        Line($"{StoreSteps.Turns} turns of each store within {settings.Seconds} s, batch {settings.Batch}");
        Line($"PostgreSQL commits {(settings.CommitsLater ? "later" : "to the disk")}");
        Line($"Redis writes {(settings.IsRedisDurable ? "to the disk before it answers" : "nothing to the disk")}");
        var rates = await new StoreSteps(settings).MeasureAsync(postgres.ConnectionString, redis.Address);
        for (var i = 0; i < rates.Length; i++)
        {
            var (median, (lower, upper)) = StoreSteps.MedianOf(rates[i]);
            var (name, published) = (StoreSteps.Names[i], s_published[i]);
            Line($"{name}: {median:0} messages a second ({lower:0} .. {upper:0}); published {published:0}");
        }
        Ratio("synchronous Redis : PostgreSQL", rates, 1, 0);
        Ratio("asynchronous : synchronous Redis", rates, 2, 1);
        Ratio("asynchronous Redis : PostgreSQL", rates, 2, 0);
        Line($"these are medians of the turns, with the least and the greatest value, which is an interval of .992");
        return 0;
    }

    private static void Ratio(string name, double[][] rates, int above, int below)
    {
        var (median, (lower, upper)) = StoreSteps.MedianOf([.. rates[above].Zip(rates[below], (a, b) => a / b)]);
        var published = s_published[above] / s_published[below];
        Line($"{name}: {median:0.00} ({lower:0.00} .. {upper:0.00}); published {published:0.00}");
    }

    private static async Task<int> MissingAsync(string how)
    {
        await Console.Error.WriteLineAsync($"error: {how}");
        return 3;
    }

    private static void Line(FormattableString text) => Console.WriteLine(text.ToString(CultureInfo.InvariantCulture));
}
