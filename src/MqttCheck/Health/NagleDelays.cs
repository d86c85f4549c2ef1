namespace MqttCheck.Health;

/// <summary>
/// Looks for the mode that Nagle's algorithm makes when it meets delayed acknowledgements: a sender holds back a small
/// segment until the last one is acknowledged, and the receiver acknowledges after 40 ms (Linux), so that latencies
/// pile up between 40 and 47 ms.
/// </summary>
/// <remarks>
/// Counts the latencies in the window 39.5 .. 48 ms and in one of the same width on either side. Without the mode a
/// smooth density makes the window's count about the mean of its neighbours'; it is called a mode when it exceeds three
/// times that mean and five standard deviations of a Poisson count more.
/// </remarks>
internal struct NagleDelays
{
    private const double Width = 8.5,
        Begin = 39.5;
    private const int FewestInMode = 20;

    private long _all,
        _below,
        _inside,
        _above;

    /// <summary>Counts a latency.</summary>
    /// <param name="latencyMilliseconds">The latency, not NaN.</param>
    public void Add(double latencyMilliseconds)
    {
        _all++;
        if (latencyMilliseconds < Begin - Width || latencyMilliseconds >= Begin + 2 * Width)
            return;
        if (latencyMilliseconds < Begin)
            _below++;
        else if (latencyMilliseconds < Begin + Width)
            _inside++;
        else
            _above++;
    }

    /// <summary>The share of all latencies that lie in the mode; 0 when there is none.</summary>
    public readonly double Share
    {
        get
        {
            var expected = (_below + _above) / 2.0;
            return _inside >= FewestInMode && _inside > 3 * expected + 5 * Math.Sqrt(3 * expected)
                ? (double)_inside / _all
                : 0;
        }
    }
}
