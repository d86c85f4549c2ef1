using FsCheck;
using FsCheck.Fluent;
using MqttCheck.ClusterProtocols.Transport;

namespace MqttCheck.ClusterProtocols.Tests.Transport;

/// <summary>What holds for every design, whatever is dropped and however often connections are lost.</summary>
[TestFixture]
internal sealed class TransportOrderTests
{
    private const long Millisecond = 1_000_000;

    [TestCase(300)]
    [TestCase(2000, Category = "Whole")]
    [TestCase(10_000, Explicit = true)]
    public void Each_message_goes_upward_once_and_in_order(int schedules)
    {
        var random = Prop.ForAll(
            Schedules().ToArbitrary(),
            schedule =>
            {
                var order = new OrderCheck(schedule.Setup.Nodes);
                TransportSimulation.Run(schedule.Setup, schedule.Seed, 0, order);
                return (order.Violation is null).Label(order.Violation ?? "");
            }
        );
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(schedules).WithReplay(11, 13), random);
    }

    [Test]
    public void What_was_under_way_when_a_connection_was_lost_arrives_all_the_same()
    {
        var random = Prop.ForAll(
            Schedules().ToArbitrary(),
            schedule =>
            {
                // Nothing is lost in the last five seconds, and a closed loop stops when one of its messages is lost.
                var setup = schedule.Setup with
                {
                    Load = TransportLoad.Closed(4),
                    DurationNanoseconds = schedule.Setup.DurationNanoseconds + 5000 * Millisecond,
                };
                var order = new OrderCheck(setup.Nodes);
                TransportSimulation.Run(setup, schedule.Seed, 0, order);
                var stuck = order.OldestUndelivered(setup.DurationNanoseconds - 2000 * Millisecond);
                return (stuck is null).Label(stuck ?? "");
            }
        );
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(100).WithReplay(17, 19), random);
    }

    private static Gen<Schedule> Schedules() =>
        from design in Gen.Elements<TransportDesign>(TransportDesign.All)
        from nodes in Gen.Choose(2, 4)
        from send in Gen.Choose(1, 40)
        from receive in Gen.Choose(1, 40)
        from window in Gen.Choose(0, 60)
        from perSecond in Gen.Choose(100, 2500)
        from receives in Gen.Choose(300, 2000)
        from seed in Gen.Choose(0, int.MaxValue)
        from reconnects in Reconnects(nodes)
        select new Schedule(
            new TransportSetup
            {
                Design = design with
                {
                    SendQueueCapacity = send,
                    ReceiveQueueCapacity = receive,
                    ShedLength = 2 * receive,
                    ReceivesPerSecond = receives,
                    RetransmissionNanoseconds = 60 * Millisecond,
                },
                Load = window > 0 ? TransportLoad.Closed(window) : TransportLoad.Open(perSecond),
                Nodes = nodes,
                DurationNanoseconds = 1200 * Millisecond,
                Reconnects = reconnects,
            },
            (ulong)seed
        );

    private static Gen<TransportReconnect[]> Reconnects(int nodes) =>
        (
            from at in Gen.Choose(0, 1000)
            from one in Gen.Choose(0, nodes - 1)
            from step in Gen.Choose(1, nodes - 1)
            select new TransportReconnect(at * Millisecond, one, (one + step) % nodes)
        ).ArrayOf();

    private sealed record Schedule(TransportSetup Setup, ulong Seed);

    private sealed class OrderCheck(int nodes) : ITransportObserver
    {
        private readonly Queue<(long Message, long At)>[,] _offered = new Queue<(long, long)>[nodes, nodes];

        public string? Violation { get; private set; }

        public void Offered(int node, int peer, long message, long now) =>
            (_offered[node, peer] ??= new()).Enqueue((message, now));

        public void Delivered(int node, int peer, long message, long now)
        {
            if (_offered[peer, node] is not { Count: > 0 } queue)
                Violation ??= $"{peer} -> {node}: {message} came, and nothing was offered";
            else if (queue.Dequeue().Message is var expected && expected != message)
                Violation ??= $"{peer} -> {node}: {message} came where {expected} was next";
        }

        public void Acknowledged(int node, int peer, long message, long now) { }

        public void Heard(int node, int peer, int waiting, long now) { }

        public void Arrived(int node, int peer, long sequence, long now) { }

        public void Asked(int node, int peer, long first, long last, long now) { }

        public void Sent(int node, int peer, long sequence, long now) { }

        public string? OldestUndelivered(long before)
        {
            foreach (var queue in _offered)
            {
                if (queue is { Count: > 0 } && queue.Peek().At < before)
                    return $"message {queue.Peek().Message} was offered at {queue.Peek().At} ns and did not arrive";
            }
            return null;
        }
    }
}
