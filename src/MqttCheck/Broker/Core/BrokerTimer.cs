namespace MqttCheck.Broker.Core;

/// <summary>
/// A timer that belongs to a connection or a session for life, so that the number of timers is bounded by theirs.
/// </summary>
/// <param name="owner">The connection or session.</param>
/// <param name="kind">The event that takes place when it is due.</param>
internal sealed class BrokerTimer(object owner, BrokerTimerKind kind)
{
    public object Owner { get; } = owner;

    public BrokerTimerKind Kind { get; } = kind;

    /// <summary>When it is due; meaningful while it is set.</summary>
    public long DueNanoseconds { get; set; }

    /// <summary>Orders timers that are due at the same time by when they were set.</summary>
    public long Sequence { get; set; }

    /// <summary>Its place in the heap, -1 while it is not set.</summary>
    public int Position { get; set; } = -1;
}
