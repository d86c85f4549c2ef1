using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Simulation;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Simulation;

public sealed class EventQueueTests
{
    // The order of events must not depend on the horizon, which only decides where events wait, nor on whether they had
    // another time before.
    [TestCase(0, 0)]
    [TestCase(1, 3)]
    public void Events_come_in_order_of_time_then_client_whatever_the_horizon_and_however_often_they_were_moved(
        int fewestMoves,
        int mostMoves
    )
    {
        var cases =
            from clients in Gen.Choose(1, 80)
            from horizon in Gen.Elements(1e-3, 1, 50, 1e6)
            from grid in Gen.Elements(0.0, 1, 50)
            from seed in Gen.Choose(0, int.MaxValue)
            from moves in Gen.Choose(fewestMoves, mostMoves)
            select (clients, horizon, grid, seed, moves);
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(200).WithReplay(1, 1),
            Prop.ForAll(Arb.From(cases), c => SameAsSorted(c.clients, c.horizon, c.grid, (ulong)c.seed, c.moves))
        );
    }

    // After each event so many others are moved to earlier times, the time of that event among them.
    private static bool SameAsSorted(int clients, double horizon, double grid, ulong seed, int moves)
    {
        var random = RandomStream.For(seed);
        var queue = new EventQueue(clients, horizon);
        var expected = new SortedSet<(double Time, int Client)>();
        var times = new double[clients];
        for (var client = 0; client < clients; client++)
        {
            queue.Add(client, times[client] = Later(0, grid, ref random));
            expected.Add((times[client], client));
        }
        for (var i = 0; i < 2000; i++)
        {
            queue.Advance();
            var (now, client) = expected.Min;
            if (queue.Client != client || queue.Time != now)
                return false;
            expected.Remove((now, client));
            queue.Replace(client, times[client] = Later(now, grid, ref random));
            expected.Add((times[client], client));
            for (var move = 0; move < moves; move++)
            {
                var other = random.NextInt(clients);
                var to = random.NextInt(3) == 0 ? now : now + random.NextDouble() * (times[other] - now);
                queue.Move(other, times[other], to);
                expected.Remove((times[other], other));
                expected.Add((times[other] = to, other));
            }
        }
        return true;
    }

    // Mostly short steps, sometimes none, sometimes very long ones.
    private static double Later(double now, double grid, ref RandomStream random)
    {
        var step = random.NextInt(10) switch
        {
            0 => 0,
            1 => 5000 * random.NextDouble(),
            _ => 20 * random.NextDouble(),
        };
        return grid == 0 ? now + step : Math.Ceiling((now + step) / grid) * grid;
    }
}
