using MqttCheck.Brokers.Loads.Logs;

namespace MqttCheck.Brokers.Loads;

/// <summary>What a load counts. Messages are those that count, without the warm-up, unless it says otherwise.</summary>
public sealed record LoadCounters
{
    private readonly long[] _byOutcome = new long[Enum.GetValues<LoadOutcome>().Length];

    /// <summary>Warm-up messages that were due.</summary>
    public long WarmUpMessages { get; internal set; }

    /// <summary>Warm-up messages that were not delivered to every receiver.</summary>
    public long WarmUpFailed { get; internal set; }

    /// <summary>Messages that reached all receivers after one of them had been offline on purpose.</summary>
    public long CaughtUp { get; internal set; }

    /// <summary>Messages with a receiver that was offline on purpose and did not get them afterwards.</summary>
    public long NotCaughtUp { get; internal set; }

    /// <summary>
    /// First arrivals of a message at a receiver after that of a later message of the same publisher, warm-up included.
    /// </summary>
    public long Reordered { get; internal set; }

    /// <summary>
    /// Further arrivals of a message at the same receiver without a reason. Legal at QoS 1, a fault at QoS 0 and 2.
    /// Warm-up included.
    /// </summary>
    public long Duplicates { get; internal set; }

    /// <summary>Further arrivals with DUP set, as after a connection was resumed. Warm-up included.</summary>
    public long Redeliveries { get; internal set; }

    /// <summary>Messages that are not of this run.</summary>
    public long Strays { get; internal set; }

    /// <summary>Messages sent while those that count were sent.</summary>
    public long SentInWindow { get; internal set; }

    /// <summary>First deliveries that arrived in the same time.</summary>
    public long DeliveriesInWindow { get; internal set; }

    /// <summary>Deliveries of messages that count.</summary>
    public long Deliveries { get; internal set; }

    /// <summary>Connections that ended without our doing after the load began.</summary>
    public long ConnectionsLost { get; internal set; }

    /// <summary>The most bytes that a connection had to hold back because the broker did not read.</summary>
    public int LargestBacklogBytes { get; internal set; }

    /// <summary>How many messages ended in a way.</summary>
    /// <param name="outcome">The way.</param>
    public long this[LoadOutcome outcome]
    {
        get => _byOutcome[(int)outcome];
        internal set => _byOutcome[(int)outcome] = value;
    }

    /// <summary>How many messages there were: sent, or due and not sent.</summary>
    public long Messages => _byOutcome.Sum();

    /// <summary>How many were sent.</summary>
    public long Sent => Messages - this[LoadOutcome.Unsent];
}
