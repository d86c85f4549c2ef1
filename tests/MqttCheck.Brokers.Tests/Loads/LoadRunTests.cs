using MqttCheck.Brokers.Loads.Logs;
using MqttCheck.Brokers.Loads.Messages;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Tests.Loads;

// In virtual time, so that several may share the machine.
[Parallelizable(ParallelScope.All)]
internal sealed class LoadRunTests
{
    [Test]
    [Category("Whole")]
    public void Every_message_arrives_once_and_in_order(
        [Values] WorkloadShape shape,
        [Values] QualityOfService qos,
        [Values(ProtocolVersion.V311, ProtocolVersion.V5)] ProtocolVersion version,
        [Values] ArrivalKind arrivals
    )
    {
        var load = new VirtualLoad(change: setup => setup with { Version = version });

        var result = load.Run(
            Shaped(shape) with
            {
                Qos = qos,
                SubscribeQos = qos,
                Arrivals = arrivals,
                MessagesPerSecond = 2000,
            }
        );

        Assert.That(result.Failure, Is.Null);
        Assert.That(result.Notes, Is.Empty);
        Assert.That(load.Log.Messages, Has.Count.GreaterThan(100));
        Assert.That(load.Log.Messages.Select(message => message.Outcome), Is.All.EqualTo(LoadOutcome.Delivered));
        Assert.That(
            load.Log.Messages.Select(message => message.Deliveries),
            Is.All.EqualTo(result.Workload.ReceiversPerMessage)
        );
        Assert.That(
            load.Log.Messages.Select(message => message.AcknowledgedNanoseconds == LoadMessage.None),
            Is.All.EqualTo(qos == QualityOfService.AtMostOnce)
        );
        Assert.That(
            (
                result.Counters.Duplicates,
                result.Counters.Redeliveries,
                result.Counters.Reordered,
                result.Counters.Strays
            ),
            Is.EqualTo((0, 0, 0, 0))
        );
        Assert.That(
            result.Times.EachDelivery.Count,
            Is.EqualTo(shape == WorkloadShape.FanOut ? result.Counters.Deliveries : 0)
        );
        // 100 us to the broker and 100 us to the subscriber.
        Assert.That(result.Times.Service.QuantileNanoseconds(0), Is.EqualTo(200_000).Within(200));
        Assert.That(result.SessionsLeft, Is.Zero);
        Assert.That(
            load.Log.Messages.Select(message => message.SentNanoseconds - message.IntendedNanoseconds),
            Is.All.Not.Negative
        );
    }

    [Test]
    public void A_closed_loop_keeps_its_window_full()
    {
        var load = new VirtualLoad();
        var result = load.Run();
        // An acknowledgement comes after 200 us: 4 in flight make 20 000 messages/s for each of 5 publishers.
        Assert.That((result.InPerSecond, result.OutPerSecond), Is.EqualTo((100_000, 100_000)).Within(1000));
        Assert.That(result.Times.OwnLag.MaximumNanoseconds, Is.Zero);
    }

    [Test]
    public void A_closed_loop_keeps_to_a_cap()
    {
        var load = new VirtualLoad(change: setup => setup with { MostPerSecond = 1000 });
        var result = load.Run();
        // 1000 messages/s for a tenth of a second, from five publishers that begin in turn.
        Assert.That(load.Log.Messages, Has.Count.InRange(105, 110), "the warm-up lasts for a hundredth of a second");
        Assert.That(result.OutPerSecond, Is.EqualTo(1000).Within(50));
    }

    [Test]
    public void An_open_loop_sends_by_its_schedule_whatever_the_broker_does(
        [Values(ArrivalKind.Constant, ArrivalKind.Poisson)] ArrivalKind arrivals
    )
    {
        var workload = VirtualLoad.Workload() with { Arrivals = arrivals, MessagesPerSecond = 5000 };
        const double phase = .25;
        var (fast, slow) = (new VirtualLoad(), new VirtualLoad(delays: "uniform:0..9ms"));
        fast.Setup = fast.Setup with { ArrivalPhase = phase };
        slow.Setup = slow.Setup with { ArrivalPhase = phase };
        fast.Run(workload);
        slow.Run(workload);
        Assert.That(Intended(slow), Is.EqualTo(Intended(fast)));
        for (var publisher = 0; publisher < 5; publisher++)
        {
            var schedule = new ArrivalSchedule(workload, publisher, fast.Setup.Seed, phase);
            var expected = new List<long>();
            for (var time = schedule.Next(); time < 110_000_000; time = schedule.Next())
                expected.Add(time);
            var number = publisher;
            Assert.That(
                fast.Log.Messages.Where(message => message.Publisher == number)
                    .OrderBy(message => message.Number)
                    .Select(message => message.IntendedNanoseconds),
                Is.EqualTo(expected)
            );
        }

        static List<(int, long, long)> Intended(VirtualLoad load) =>
            [
                .. load
                    .Log.Messages.Select(message => (message.Publisher, message.Number, message.IntendedNanoseconds))
                    .Order(),
            ];
    }

    [Test]
    public void A_stall_of_S_seconds_at_rate_r_gives_r_times_S_minus_x_latencies_above_x()
    {
        // From 1 s on the broker is silent for 1 s; with one message in flight each publisher sends nothing meanwhile,
        // and what it should have sent counts from then.
        var load = new VirtualLoad(delays: "stall=1s@1s");
        var result = load.Run(
            VirtualLoad.Workload() with
            {
                Arrivals = ArrivalKind.Constant,
                MessagesPerSecond = 1000,
                InFlight = 1,
                WarmUp = LoadWarmUp.Lasting(TimeSpan.Zero),
                Duration = TimeSpan.FromSeconds(4),
            }
        );
        var latencies = load
            .Log.Counted.Select(message => (message.DeliveredNanoseconds - message.IntendedNanoseconds) / 1e9)
            .ToList();
        Assert.That(latencies, Has.Count.EqualTo(4000));
        foreach (var x in (double[])[.1, .3, .5, .7, .9])
        {
            // The queue of a publisher, 200 messages, drains at one message in 200 us: up to 40 ms more.
            Assert.That(
                latencies.Count(latency => latency > x),
                Is.InRange(1000 * (1 - x) - 6, 1000 * (1 - x + .045)),
                $"above {x} s"
            );
        }
        // The service times show none of it: only the messages that were in flight.
        Assert.That(
            load.Log.Counted.Count(message => message.DeliveredNanoseconds - message.SentNanoseconds > 100_000_000),
            Is.LessThanOrEqualTo(5)
        );
        Assert.That(result.Times.Latency.QuantileNanoseconds(.9) / 1e6, Is.GreaterThan(500));
        // The lag was the broker's doing, not the generator's.
        Assert.That(result.Times.Lag.QuantileNanoseconds(.9), Is.GreaterThan(5e8));
        Assert.That(result.Times.OwnLag.MaximumNanoseconds, Is.LessThan(1_000_000));
        Assert.That(result.Health.IsValid);
    }

    [Test]
    public void The_scenario_of_TBMQ_warms_up_and_spreads_its_messages_over_each_second()
    {
        var load = new VirtualLoad();
        var result = load.Run(
            WorkloadFile.Read("tbmq-p2p") with
            {
                Publishers = 20,
                Subscribers = 20,
                MessagesPerSecond = 20,
            }
        );
        Assert.That((result.Counters.WarmUpMessages, result.Counters[LoadOutcome.Delivered]), Is.EqualTo((200, 1200)));
        Assert.That(load.Log.Messages.Select(message => message.PayloadBytes), Is.All.EqualTo(63).Or.EqualTo(62));
        var warmUp = load
            .Log.Messages.Where(message => message.IsWarmUp && message.Publisher == 0)
            .Select(message => message.IntendedNanoseconds);
        Assert.That(warmUp, Is.EqualTo(Enumerable.Range(0, 10).Select(number => number * 2_000_000_000L)));
        var first = load
            .Log.Counted.Where(message => message.IntendedNanoseconds < 21_000_000_000)
            .Select(message => message.IntendedNanoseconds)
            .Order();
        Assert.That(
            first,
            Is.EqualTo(Enumerable.Range(0, 20).Select(publisher => 20_000_000_000L + publisher * 50_000_000L))
        );
    }

    [Test]
    public void Subscribers_that_were_offline_get_what_they_missed(
        [Values(ProtocolVersion.V311, ProtocolVersion.V5)] ProtocolVersion version,
        [Values(1, 2)] int qos
    )
    {
        var load = new VirtualLoad(change: setup => setup with { Version = version });
        var result = load.Run(
            VirtualLoad.Workload() with
            {
                PersistentSubscribers = true,
                Qos = (QualityOfService)qos,
                SubscribeQos = (QualityOfService)qos,
                Arrivals = ArrivalKind.Constant,
                MessagesPerSecond = 1000,
                Duration = TimeSpan.FromSeconds(1),
                OfflineShare = .4,
                OfflineTime = TimeSpan.FromMilliseconds(400),
            }
        );
        Assert.That(result.Counters[LoadOutcome.Delivered], Is.EqualTo(1000));
        // 2 of 5 subscribers, 200 messages/s each, for 400 ms.
        Assert.That(result.Counters.CaughtUp, Is.InRange(158, 164));
        Assert.That(result.Counters.NotCaughtUp, Is.Zero);
        Assert.That(result.Times.CatchUp.QuantileNanoseconds(1), Is.InRange(3.9e8, 4.1e8));
        Assert.That(result.Times.Latency.QuantileNanoseconds(1) / 1e6, Is.LessThan(10), "the others did not wait");
        Assert.That((result.Counters.ConnectionsLost, result.SessionsLeft), Is.EqualTo((0, 0)));
    }

    // A way of the network takes 100 us, so the broker has not closed the first connection yet.
    [Test]
    public void A_subscriber_that_comes_back_before_its_connection_has_ended_loses_none()
    {
        var load = new VirtualLoad();
        var result = load.Run(
            VirtualLoad.Workload() with
            {
                PersistentSubscribers = true,
                Qos = QualityOfService.AtLeastOnce,
                SubscribeQos = QualityOfService.AtLeastOnce,
                OfflineShare = .4,
                OfflineTime = TimeSpan.FromMicroseconds(20),
            }
        );
        Assert.That(result.Notes, Is.Empty);
        Assert.That(result.Counters.ConnectionsLost, Is.Zero);
        Assert.That(result.Counters[LoadOutcome.Delivered], Is.Positive.And.EqualTo(result.Counters.Messages));
        Assert.That((result.Counters.NotCaughtUp, result.SessionsLeft), Is.EqualTo((0L, 0)));
    }

    [Test]
    public void Payloads_of_a_law_of_sizes_arrive_whole()
    {
        var load = new VirtualLoad();
        var result = load.Run(VirtualLoad.Workload() with { Payload = LoadPayload.Parse("4..3000", "test") });
        Assert.That(load.Log.Messages.Select(message => message.Outcome), Is.All.EqualTo(LoadOutcome.Delivered));
        Assert.That(load.Log.Messages.Select(message => message.PayloadBytes).Distinct().Count(), Is.GreaterThan(1000));
    }

    [Test]
    public void A_run_that_is_cancelled_gives_every_message_an_outcome()
    {
        var load = new VirtualLoad(delays: "publish=constant:50ms");
        using var cancellation = new CancellationTokenSource();
        load.After(TimeSpan.FromMilliseconds(60), cancellation.Cancel);
        var result = load.Run(cancellation.Token);
        Assert.That(result.Interrupted);
        Assert.That(result.Counters[LoadOutcome.Cancelled], Is.Positive);
    }

    private static Workload Shaped(WorkloadShape shape) =>
        shape switch
        {
            WorkloadShape.FanIn => VirtualLoad.Workload() with { Shape = shape, Publishers = 10, Subscribers = 3 },
            WorkloadShape.FanOut => VirtualLoad.Workload() with { Shape = shape, Publishers = 2, Subscribers = 70 },
            _ => VirtualLoad.Workload(),
        };
}
