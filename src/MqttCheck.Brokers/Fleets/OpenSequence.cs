using MqttCheck.Clients;

namespace MqttCheck.Brokers.Fleets;

/// <summary>A client's running sequence, from which its outcome will be made.</summary>
internal struct OpenSequence
{
    private double _worst,
        _worstPublish,
        _worstAcknowledgement;

    /// <summary>Whether a sequence is running.</summary>
    public bool IsOpen { get; private set; }

    /// <summary>Whether it counts.</summary>
    public bool IsCounted { get; private set; }

    /// <summary>Its place in the order of beginnings, meaningful if it counts.</summary>
    public long IssueIndex { get; private set; }

    /// <summary>Its number.</summary>
    public int Number { get; private set; }

    /// <summary>The largest latencies so far.</summary>
    public readonly SequenceLatencies Latencies => new(_worst, _worstPublish, _worstAcknowledgement);

    /// <summary>Its first request is sent.</summary>
    public void Begin(int number, bool counted, long issueIndex) =>
        this = new()
        {
            IsOpen = true,
            IsCounted = counted,
            Number = number,
            IssueIndex = issueIndex,
        };

    /// <summary>An exchange succeeded.</summary>
    /// <param name="latencyMilliseconds">Until the last awaited answer.</param>
    /// <param name="publish">Whether it was a publication.</param>
    /// <param name="acknowledgementMilliseconds">Until its acknowledgement; NaN if it has none.</param>
    public void Add(double latencyMilliseconds, bool publish, double acknowledgementMilliseconds)
    {
        _worst = Math.Max(_worst, latencyMilliseconds);
        if (!publish)
            return;
        _worstPublish = Math.Max(_worstPublish, latencyMilliseconds);
        if (acknowledgementMilliseconds > _worstAcknowledgement)
            _worstAcknowledgement = acknowledgementMilliseconds;
    }

    /// <summary>The sequence is over.</summary>
    public void End() => IsOpen = false;
}
