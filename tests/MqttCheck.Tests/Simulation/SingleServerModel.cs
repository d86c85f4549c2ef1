using MqttCheck.Latency;
using MqttCheck.Latency.Features;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Tests.Simulation;

/// <summary>
/// A latency model for tests: one server, first come first served; every exchange makes a number of visits, each with a
/// service time of the same law.
/// </summary>
internal sealed class SingleServerModel(Law serviceMilliseconds, int visits = 1) : LatencyModel
{
    public override string Kind => "queue";

    public override TResult Use<TResult>(int clients, ILatencyProcessConsumer<TResult> consumer) =>
        consumer.Run(() => new Process(serviceMilliseconds, new int[clients], visits));

    private struct Process(Law service, int[] left, int visits) : ILatencyProcess
    {
        private double _busyUntil;

        public void Reset(ref RandomStream random)
        {
            _busyUntil = 0;
            Array.Clear(left);
        }

        public LatencyStep Start(
            int client,
            in ExchangeFeatures features,
            double nowMilliseconds,
            ref RandomStream random
        )
        {
            left[client] = visits;
            return Continue(client, nowMilliseconds, ref random);
        }

        public LatencyStep Continue(int client, double nowMilliseconds, ref RandomStream random)
        {
            _busyUntil = Math.Max(_busyUntil, nowMilliseconds) + service.Draw(ref random);
            return new(_busyUntil, --left[client] == 0);
        }
    }
}
