using MqttCheck.Brokers.Loads.Logs;

namespace MqttCheck.Brokers.Loads;

/// <summary>
/// The counters of a load. Messages are those that count, without the warm-up, unless a counter says otherwise.
/// </summary>
internal sealed record LoadCounters
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

    /// <summary>Connections that the broker or the network ended after the load began.</summary>
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

    // These counters can be summed over parts; the backlog cannot, because it belongs to one connection.
    private long[] Sums =>
        [
            .. _byOutcome,
            WarmUpMessages,
            WarmUpFailed,
            CaughtUp,
            NotCaughtUp,
            Reordered,
            Duplicates,
            Redeliveries,
            Strays,
            SentInWindow,
            DeliveriesInWindow,
            Deliveries,
            ConnectionsLost,
        ];

    /// <summary>Writes the counters.</summary>
    internal void Write(BinaryWriter writer)
    {
        foreach (var count in Sums)
            writer.Write(count);
        writer.Write(LargestBacklogBytes);
    }

    /// <summary>Reads the bytes that <see cref="Write"/> wrote.</summary>
    internal static LoadCounters Read(BinaryReader reader)
    {
        var read = new LoadCounters();
        read.Add([.. Enumerable.Range(0, read.Sums.Length).Select(_ => reader.ReadInt64())]);
        read.LargestBacklogBytes = reader.ReadInt32();
        return read;
    }

    /// <summary>Adds the counters of another part of the load.</summary>
    internal void Add(LoadCounters other)
    {
        Add(other.Sums);
        LargestBacklogBytes = Math.Max(LargestBacklogBytes, other.LargestBacklogBytes);
    }

    private void Add(long[] sums)
    {
        var outcomes = _byOutcome.Length;
        for (var outcome = 0; outcome < outcomes; outcome++)
            _byOutcome[outcome] += sums[outcome];
        WarmUpMessages += sums[outcomes];
        WarmUpFailed += sums[outcomes + 1];
        CaughtUp += sums[outcomes + 2];
        NotCaughtUp += sums[outcomes + 3];
        Reordered += sums[outcomes + 4];
        Duplicates += sums[outcomes + 5];
        Redeliveries += sums[outcomes + 6];
        Strays += sums[outcomes + 7];
        SentInWindow += sums[outcomes + 8];
        DeliveriesInWindow += sums[outcomes + 9];
        Deliveries += sums[outcomes + 10];
        ConnectionsLost += sums[outcomes + 11];
    }
}
