using MqttCheck.Brokers.Loads;
using MqttCheck.Brokers.Loads.Logs;
using MqttCheck.Brokers.Loads.Messages;

namespace MqttCheck.Brokers.Tests.Loads;

/// <summary>Keeps the messages of a load.</summary>
internal sealed class MessageList : ILoadSink
{
    public List<LoadMessage> Messages { get; } = [];

    public List<LoadRepeat> Repeats { get; } = [];

    public IEnumerable<LoadMessage> Counted => Messages.Where(message => !message.IsWarmUp);

    public void Append(in LoadMessage message) => Messages.Add(message);

    public void AppendRepeat(in LoadRepeat repeat) => Repeats.Add(repeat);

    public int Count(LoadOutcome outcome) => Counted.Count(message => message.Outcome == outcome);

    /// <summary>Every message of every publisher is there once, and the log says what the counters say.</summary>
    public void AssertBalanced(LoadResult result)
    {
        foreach (var publisher in Messages.GroupBy(message => message.Publisher))
            Assert.That(
                publisher.Select(message => message.Number).Order(),
                Is.EqualTo(Enumerable.Range(0, publisher.Count()).Select(number => (long)number)),
                $"publisher {publisher.Key}"
            );
        foreach (var outcome in Enum.GetValues<LoadOutcome>())
            Assert.That(result.Counters[outcome], Is.EqualTo(Count(outcome)), outcome.ToString());
        Assert.That(
            (Repeats.Count(repeat => !repeat.IsRedelivery), Repeats.Count(repeat => repeat.IsRedelivery)),
            Is.EqualTo((result.Counters.Duplicates, result.Counters.Redeliveries))
        );
        Assert.That(
            Messages.Select(message => (message.Publisher, message.Number)),
            Is.SupersetOf(Repeats.Select(repeat => (repeat.Publisher, repeat.Number)).Distinct())
        );
        Assert.That(result.Counters.WarmUpMessages, Is.EqualTo(Messages.Count(message => message.IsWarmUp)));
        Assert.That(
            result.Times.Latency.Count + result.Counters.CaughtUp,
            Is.EqualTo(Counted.Count(message => message is { Outcome: LoadOutcome.Delivered, Deliveries: > 0 }))
        );
    }
}
