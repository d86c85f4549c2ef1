using MqttCheck.Brokers.Loads.Logs;
using MqttCheck.Brokers.Loads.Messages;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Tests.Loads.Messages;

public sealed class LoadTopicsTests
{
    [Test]
    public void Publishers_of_one_topic_are_told_apart_and_a_topic_that_nobody_wants_is_no_loss(
        [Values] QualityOfService qos
    )
    {
        var load = new VirtualLoad(change: setup =>
            setup with
            {
                Topics = LoadTopics.Shared(["t/a", "t/a", "t/b"], ["t/a", "t/+", "t/c", "t/a"]),
            }
        );
        var result = load.Run(
            VirtualLoad.Workload() with
            {
                Shape = WorkloadShape.FanOut,
                Publishers = 3,
                Subscribers = 4,
                Arrivals = ArrivalKind.Constant,
                MessagesPerSecond = 3000,
                Qos = qos,
                SubscribeQos = qos,
            }
        );
        Assert.That(load.Log.Messages.Select(message => message.Outcome), Is.All.EqualTo(LoadOutcome.Delivered));
        Assert.That(
            load.Log.Messages.Select(message => (message.Publisher, message.Deliveries)).Distinct(),
            Is.EquivalentTo(((int, int)[])[(0, 3), (1, 3), (2, 1)])
        );
        Assert.That(
            (result.Counters.Duplicates, result.Counters.Reordered, result.Counters.Strays),
            Is.EqualTo((0, 0, 0))
        );
    }

    [Test]
    public void A_message_that_nobody_gets_ends_with_its_acknowledgement([Values] QualityOfService qos)
    {
        var load = new VirtualLoad(change: setup => setup with { Topics = LoadTopics.Shared(["t/a"], ["t/b"]) });
        var result = load.Run(
            VirtualLoad.Workload() with
            {
                Shape = WorkloadShape.FanOut,
                Publishers = 1,
                Subscribers = 1,
                Arrivals = ArrivalKind.Constant,
                MessagesPerSecond = 1000,
                Qos = qos,
            }
        );
        Assert.That(load.Log.Messages, Has.Count.GreaterThan(50));
        Assert.That(load.Log.Messages.Select(message => message.Outcome), Is.All.EqualTo(LoadOutcome.Delivered));
        Assert.That(result.Times.Service.Count, Is.Zero);
    }

    [Test]
    public void Counted_warm_up_messages_are_followed_by_the_pause()
    {
        var load = new VirtualLoad(change: setup => setup with { WarmUpPause = TimeSpan.FromMilliseconds(70) });
        load.Run(
            VirtualLoad.Workload() with
            {
                WarmUp = new LoadWarmUp(2, TimeSpan.FromMilliseconds(10)),
                Arrivals = ArrivalKind.Constant,
                MessagesPerSecond = 1000,
            }
        );
        var counted = load.Log.Messages.Where(message => !message.IsWarmUp).ToList();
        var warmUp = load.Log.Messages.Where(message => message.IsWarmUp).ToList();
        Assert.That(warmUp.Select(message => message.Number).Distinct(), Is.EquivalentTo([0, 1]));
        Assert.That(warmUp.Max(message => message.IntendedNanoseconds), Is.LessThan(20_000_000));
        Assert.That(counted.Min(message => message.IntendedNanoseconds), Is.GreaterThanOrEqualTo(90_000_000));
    }
}
