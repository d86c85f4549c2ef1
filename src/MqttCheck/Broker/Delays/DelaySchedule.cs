using MqttCheck.Broker.Core;
using MqttCheck.Statistics;

namespace MqttCheck.Broker.Delays;

/// <summary>
/// Holds back what the broker sends, by a <see cref="DelayPlan"/>: each packet of a connection leaves at the later of
/// its own time (arrival of what caused it + delay drawn) and that of the packet before it, so that the order on a
/// connection stays. A pure state machine like the broker: times come in, <see cref="NextDue"/> says when to call.
/// </summary>
internal sealed class DelaySchedule(DelayPlan plan, ulong seed, long startNanoseconds)
{
    private const double MaximumMilliseconds = 86_400_000;

    private readonly RandomStream[] _streams =
    [
        .. Enum.GetValues<DelayedAnswer>().Select(answer => RandomStream.For(seed, 0xDE, (ulong)answer)),
    ];
    private readonly BrokerTimers _lines = new();

    /// <summary>How many requests of all connections have an answer that is held back.</summary>
    internal int HeldAnswers { get; set; }

    /// <summary>When <see cref="Release"/> has something to do; <see cref="long.MaxValue"/> for never.</summary>
    public long NextDue => _lines.NextDue;

    /// <summary>Hands over everything that is due.</summary>
    /// <param name="nowNanoseconds">The time.</param>
    public void Release(long nowNanoseconds)
    {
        while (_lines.TakeDue(nowNanoseconds) is { } timer)
            ((DelayLine)timer.Owner).Release(nowNanoseconds);
    }

    internal void Set(BrokerTimer line, long due) => _lines.Set(line, due);

    internal void Cancel(BrokerTimer line) => _lines.Cancel(line);

    /// <summary>Draws the time at which an answer leaves.</summary>
    internal long Draw(DelayedAnswer answer, long arrivalNanoseconds, long notBefore)
    {
        var milliseconds = Math.Min(
            plan.Of(answer).Draw(ref _streams[(int)answer]) * (1 + (plan.Load * HeldAnswers)),
            MaximumMilliseconds
        );
        var release = Math.Max(arrivalNanoseconds + (long)(milliseconds * 1e6), notBefore);
        foreach (var stall in plan.Stalls)
            if (release >= startNanoseconds + stall.FromNanoseconds)
                release = Math.Max(release, startNanoseconds + stall.FromNanoseconds + stall.LengthNanoseconds);
        return release;
    }
}
