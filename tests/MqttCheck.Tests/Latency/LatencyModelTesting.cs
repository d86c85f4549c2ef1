using MqttCheck.Clients;
using MqttCheck.Latency;
using MqttCheck.Latency.Features;
using MqttCheck.Latency.Models;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Latency;

/// <summary>Reaches the draws of a model without its struct type.</summary>
internal static class LatencyModelTesting
{
    /// <summary>A model that draws from one table whatever the load.</summary>
    public static BinnedQuantilesModel Constant(QuantileTable table) =>
        new([new(0, table)], [new(1, new(1, 1, 1), null), null, null, null, null]);

    /// <summary>A latency of a connect with one open exchange.</summary>
    public static double Draw(this LatencyModel model, ref RandomStream random) =>
        model.Draw(new ExchangeFeatures { Kind = MessageKind.Connect, Active = 1 }, ref random);

    public static double Draw(this LatencyModel model, in ExchangeFeatures features, ref RandomStream random)
    {
        var consumer = new DrawOne { Features = features, Random = random };
        var latency = model.Use(1, consumer);
        random = consumer.Random;
        return latency;
    }

    private sealed class DrawOne : ILatencyProcessConsumer<double>
    {
        public required ExchangeFeatures Features;
        public required RandomStream Random;

        public double Run<TProcess>(Func<TProcess> create)
            where TProcess : struct, ILatencyProcess
        {
            var process = create();
            process.Reset(ref Random);
            var step = process.Start(0, Features, 100, ref Random);
            return step.TimeMilliseconds - 100;
        }
    }
}
