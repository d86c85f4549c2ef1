using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Automata;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Automata;

public sealed class EventQueueTests
{
    // The order of events must not depend on the horizon, which only decides where events wait.
    [Test]
    public void Events_come_in_order_of_time_then_client_whatever_the_horizon()
    {
        var cases = from clients in Gen.Choose(1, 80)
                    from horizon in Gen.Elements(1e-3, 1, 50, 1e6)
                    from grid in Gen.Elements(0.0, 1, 50)
                    from seed in Gen.Choose(0, int.MaxValue)
                    select (clients, horizon, grid, seed);
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(200).WithReplay(1, 1),
            Prop.ForAll(Arb.From(cases), c => SameAsSorted(c.clients, c.horizon, c.grid, (ulong)c.seed)));
    }

    private static bool SameAsSorted(int clients, double horizon, double grid, ulong seed)
    {
        var random = RandomStream.For(seed);
        var queue = new EventQueue(clients, horizon);
        var expected = new PriorityQueue<int, (double, int)>();
        for (var client = 0; client < clients; client++)
        {
            var time = Later(0, grid, ref random);
            queue.Add(client, time);
            expected.Enqueue(client, (time, client));
        }
        for (var i = 0; i < 2000; i++)
        {
            queue.Advance();
            expected.TryDequeue(out var client, out var at);
            if (queue.Client != client || queue.Time != at.Item1) return false;
            var time = Later(at.Item1, grid, ref random);
            queue.Replace(client, time);
            expected.Enqueue(client, (time, client));
        }
        return true;
    }

    // Mostly short steps, sometimes none, sometimes very long ones.
    private static double Later(double now, double grid, ref RandomStream random)
    {
        var step = random.NextInt(10) switch { 0 => 0, 1 => 5000 * random.NextDouble(), _ => 20 * random.NextDouble() };
        return grid == 0 ? now + step : Math.Ceiling((now + step) / grid) * grid;
    }
}
