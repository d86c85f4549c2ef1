using MqttCheck.Statistics;

namespace MqttCheck.Health;

/// <summary>
/// Recognises answers that a broker holds back until the next packet of the same connection, at any rate. Nagle's
/// algorithm (RFC 896) keeps a small segment until the one before it is acknowledged; a client that delays
/// acknowledgements (RFC 1122, 4.2.3.2) sends that with its next packet.
/// </summary>
/// <remarks>
/// The first arrival after each packet is a trial. It is a success if it answers what was sent before this packet and
/// after the last one, and follows within 1/8 of the wait for the packet and of the silence before it. Arrivals that
/// do not depend on the packets succeed with probability 1/8 at most: no more of all time follows a packet as closely,
/// whatever the pattern of packets. Latencies that equal the time between two packets succeed too. So arrivals have to
/// keep a steadier distance to the packet than to what they answer, in more than half of the pairs; without holding
/// back the packet only adds to the scatter.
/// </remarks>
internal sealed class HeldAnswers
{
    /// <summary>The chance of a success without holding back, and so the least share that is reported.</summary>
    public const double Chance = 1.0 / Nearness;

    /// <summary>The chance that answers which are not held back pass one of the two exact binomial tests.</summary>
    public const double Error = 1e-4;

    private const double ChanceOfSteadier = .5;
    private const int Nearness = 8;

    private long _trials,
        _successes,
        _pairs,
        _steadier;

    /// <summary>The share of the answers that were held back; 0 where the tests do not show that any were.</summary>
    public double Share =>
        BinomialIntervals.LowerBound(_successes, _trials, Error) > Chance
        && BinomialIntervals.LowerBound(_steadier, _pairs, Error) > ChanceOfSteadier
            ? (double)_successes / _trials
            : 0;

    /// <summary>An answer arrived, or a delivery.</summary>
    /// <param name="connection">The connection that it arrived on.</param>
    /// <param name="since">When what it answers was sent, on this connection or another, in nanoseconds.</param>
    /// <param name="at">When it arrived, in nanoseconds.</param>
    public void Arrived(ref Connection connection, long since, long at)
    {
        connection.Heard(at);
        if (!connection.IsFirst || at < connection.Earliest)
            return;
        connection.IsFirst = false;
        _trials++;
        if (since >= connection.Earliest || since < connection.EarliestBefore)
            return;
        // An arrival while the packet was being sent shows that the packet left earlier.
        var distance = Math.Max(at - connection.Sent, (at - connection.Earliest) / 2);
        var latency = at - since;
        if (Nearness * distance <= Math.Min(connection.Sent - since, connection.Silence))
            _successes++;
        if (connection.HasOne)
            Compare(Math.Abs(distance - connection.Distance), Math.Abs(latency - connection.Latency));
        (connection.Distance, connection.Latency) = (distance, latency);
        connection.HasOne = !connection.HasOne;
    }

    private void Compare(long changeOfDistance, long changeOfLatency)
    {
        // Packets at exactly equal times tell nothing.
        if (changeOfDistance == changeOfLatency)
            return;
        _pairs++;
        if (changeOfDistance < changeOfLatency)
            _steadier++;
    }

    /// <summary>The latest packet and arrivals of one connection. Times are in nanoseconds.</summary>
    internal struct Connection
    {
        /// <summary>When the latest packet was sent.</summary>
        public long Sent { get; private set; }

        /// <summary>The earliest time at which it can have left.</summary>
        public long Earliest { get; private set; }

        /// <summary>The earliest time at which the packet before can have left.</summary>
        public long EarliestBefore { get; private set; }

        /// <summary>How long nothing had arrived when it was sent.</summary>
        public long Silence { get; private set; }

        /// <summary>Whether no answer has arrived since.</summary>
        public bool IsFirst { get; set; }

        /// <summary>Whether an arrival after the next packet waits for a second one to be compared with.</summary>
        public bool HasOne { get; set; }

        /// <summary>How long after the packet that arrival came.</summary>
        public long Distance { get; set; }

        /// <summary>How long after what it answers that arrival came.</summary>
        public long Latency { get; set; }

        private long LastHeard { get; set; }

        /// <summary>A connection that has begun; what was sent before does not count.</summary>
        /// <param name="at">When.</param>
        public static Connection Begin(long at) =>
            new()
            {
                Sent = at,
                Earliest = at,
                LastHeard = at,
            };

        /// <summary>A packet was sent that is no reply to an arrival.</summary>
        /// <param name="sent">When.</param>
        /// <param name="earliest">The earliest time at which it can have left.</param>
        public void Sends(long sent, long earliest)
        {
            (Sent, EarliestBefore, Earliest, Silence) = (sent, Earliest, earliest, earliest - LastHeard);
            IsFirst = true;
        }

        /// <summary>Anything arrived; perhaps before the latest packet was sent, and was read after it.</summary>
        /// <param name="at">When.</param>
        public void Heard(long at)
        {
            LastHeard = at;
            if (at < Earliest)
                Silence = Earliest - at;
        }
    }
}
