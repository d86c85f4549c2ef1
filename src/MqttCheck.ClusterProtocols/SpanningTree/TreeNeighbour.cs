namespace MqttCheck.ClusterProtocols.SpanningTree;

/// <summary>A node's record of a neighbour and of the link to it.</summary>
internal struct TreeNeighbour
{
    public const long Unknown = -1;

    public int Peer;

    /// <summary>Whether the link can be used.</summary>
    public bool IsUp;

    /// <summary>Whether the link is only taken for dead because the peer did not answer.</summary>
    public bool IsSilent;

    /// <summary>Whether <see cref="Last"/> holds something.</summary>
    public bool HasLast;

    /// <summary>The last BPDU that came from the neighbour.</summary>
    public Bpdu Last;

    /// <summary>When that came.</summary>
    public long LastAt;

    /// <summary>When the PINGREQ was sent that has no answer yet; <see cref="Unknown"/> for none.</summary>
    public long PingedAt;

    /// <summary>The smoothed round trip in nanoseconds; <see cref="Unknown"/> before the first.</summary>
    public long RoundTrip;

    /// <summary>
    /// A round trip that is far from the smoothed one, until the next tells whether it was an exception; otherwise
    /// <see cref="Unknown"/>.
    /// </summary>
    public long Outlier;

    /// <summary>The cost of the link in nanoseconds; <see cref="Unknown"/> before the first round trip.</summary>
    public long Cost;

    public LinkRole Role;

    /// <summary>Nothing is known of it.</summary>
    public void Forget()
    {
        var peer = Peer;
        this = default;
        (Peer, PingedAt, RoundTrip, Outlier, Cost) = (peer, Unknown, Unknown, Unknown, Unknown);
    }

    /// <summary>Takes a round trip into the smoothed one.</summary>
    public void Smooth(long sample)
    {
        if (RoundTrip == Unknown)
        {
            RoundTrip = sample;
            return;
        }
        // A single outlier is ignored, because a stalled link may have caused it. Two outliers in a row on the same
        // side mean that the delay has changed.
        if (sample > 2 * RoundTrip || sample < RoundTrip / 2)
        {
            var isSecond = Outlier != Unknown && sample > RoundTrip == Outlier > RoundTrip;
            if (isSecond)
                (RoundTrip, Outlier) = (
                    sample > RoundTrip ? Math.Min(sample, Outlier) : Math.Max(sample, Outlier),
                    Unknown
                );
            else
                Outlier = sample;
            return;
        }
        Outlier = Unknown;
        // RFC 6298 smooths with the same weight.
        RoundTrip += (sample - RoundTrip) / 8;
    }
}
