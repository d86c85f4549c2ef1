using MqttCheck.Statistics;

namespace MqttCheck.LiveClusters.Links;

/// <summary>
/// One direction between two nodes: its law and its counters. All connections between the nodes share its rate and its
/// random stream, whichever node opened them.
/// </summary>
/// <param name="from">The node at its beginning.</param>
/// <param name="to">The node at its end.</param>
/// <param name="law">How it treats bytes.</param>
/// <param name="seed">The seed of all links.</param>
internal sealed class DirectedLink(int from, int to, LinkLaw law, ulong seed)
{
    /// <summary>The payload of a TCP segment over Ethernet, in bytes.</summary>
    public const int SegmentBytes = 1460;

    // This is the least retransmission time-out of Linux. RFC 6298 adds four deviations to the round trip; here they
    // are taken as half a round trip.
    private const double LeastRepairMilliseconds = 200;
    private const double RepairRoundTrips = 1.5;
    private const double NanosecondsPerMillisecond = 1e6;
    private const double BitsPerByte = 8;

    // This stream is independent of those of faults and clients with the same seed.
    private const ulong LinkStream = 0x6C696E6B;

    private readonly LinkLaw _usual = law;
    private RandomStream _random = RandomStream.For(seed, LinkStream, (ulong)from, (ulong)to);
    private long _freeAt = long.MinValue;

    public int From { get; } = from;

    public int To { get; } = to;

    /// <summary>How it treats bytes now.</summary>
    public LinkLaw Law { get; private set; } = law;

    /// <summary>Whether nothing leaves it.</summary>
    public bool IsStalled { get; set; }

    /// <summary>Whether connections are refused.</summary>
    public bool IsCut { get; set; }

    public LinkCounters Counters { get; } = new();

    /// <summary>Whether bytes pass at once.</summary>
    public bool IsIdle => !IsStalled && Law.IsIdle;

    /// <summary>Whether bytes are cut into segments. A segment may be lost, or waits for those before it.</summary>
    public bool CutsSegments => Law.BitsPerSecond is not null || Law.Loss > 0;

    /// <summary>Gives it another law.</summary>
    /// <param name="law">The law.</param>
    public void Slow(LinkLaw law) => Law = law;

    /// <summary>Ends stall, cut and slow-down.</summary>
    public void Heal()
    {
        IsStalled = IsCut = false;
        Law = _usual;
    }

    /// <summary>Draws a delay.</summary>
    /// <returns>The delay in nanoseconds.</returns>
    public long DrawDelay() => (long)(Law.DelayMilliseconds.Draw(ref _random) * NanosecondsPerMillisecond);

    /// <summary>The time at which a segment has been put on the link completely.</summary>
    /// <param name="arrived">The time at which it came.</param>
    /// <param name="bytes">Its size.</param>
    public long Serialize(long arrived, int bytes)
    {
        if (Law.BitsPerSecond is not { } rate)
            return arrived;
        _freeAt = Math.Max(arrived, _freeAt) + (long)(bytes * BitsPerByte / rate * 1e9);
        return _freeAt;
    }

    /// <summary>The delay of a segment because it, or its retransmissions, were lost.</summary>
    /// <returns>The time in nanoseconds, mostly 0.</returns>
    public long DrawRepair()
    {
        if (Law.Loss <= 0)
            return 0;
        var roundTrip = 2 * Law.DelayMilliseconds.Mean;
        var repair = Math.Max(LeastRepairMilliseconds, RepairRoundTrips * roundTrip) * NanosecondsPerMillisecond;
        var late = 0L;
        while (_random.NextDouble() < Law.Loss)
            late += (long)repair;
        return late;
    }
}
