using MqttCheck.Broker.Core;
using MqttCheck.Statistics;

namespace MqttCheck.Broker.Delays;

/// <summary>
/// Holds back what the broker sends, by a <see cref="DelayPlan"/>: each packet of a connection leaves at the later of
/// its own time (arrival of what caused it + delay drawn) and that of the packet before it, so that the order on a
/// connection stays. A pure state machine like the broker: times come in, <see cref="NextDue"/> says when to call.
/// </summary>
internal sealed class DelaySchedule
{
    private const double MaximumMilliseconds = 86_400_000;

    private readonly DelayPlan _plan;
    private readonly RandomStream[] _streams;
    private readonly long _start;
    private readonly BrokerTimers _lines = new();

    /// <summary>A schedule with nothing held back.</summary>
    /// <param name="plan">The delays.</param>
    /// <param name="seed">The seed of their draws; each kind of answer has its own stream.</param>
    /// <param name="startNanoseconds">When the broker starts: stalls are counted from here.</param>
    public DelaySchedule(DelayPlan plan, ulong seed, long startNanoseconds)
    {
        (_plan, _start) = (plan, startNanoseconds);
        _streams = [.. Enum.GetValues<DelayedAnswer>().Select(answer => RandomStream.For(seed, 0xDE, (ulong)answer))];
    }

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
            _plan.Of(answer).Draw(ref _streams[(int)answer]) * (1 + (_plan.Load * HeldAnswers)),
            MaximumMilliseconds
        );
        var release = Math.Max(arrivalNanoseconds + (long)(milliseconds * 1e6), notBefore);
        foreach (var stall in _plan.Stalls)
            if (release >= _start + stall.FromNanoseconds)
                release = Math.Max(release, _start + stall.FromNanoseconds + stall.LengthNanoseconds);
        return release;
    }
}
