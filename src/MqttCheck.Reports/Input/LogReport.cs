namespace MqttCheck.Reports.Input;

/// <summary>
/// A log of message exchanges in summary. Its size does not grow with the log; <c>LogReportBuilder</c> computes it.
/// </summary>
public sealed record LogReport
{
    /// <summary>Number of exchanges, whatever their outcome.</summary>
    public long Exchanges { get; init; }

    /// <summary>Number of runs (in a training log: of training cases).</summary>
    public int Runs { get; init; }

    /// <summary>Sum over the runs of the time from the first sending to the last end, in seconds.</summary>
    public double DurationSeconds { get; init; }

    /// <summary>
    /// Edges of the latency bins in milliseconds, ascending, equally wide on a logarithmic scale; one more than there
    /// are bins.
    /// </summary>
    public IReadOnlyList<double> BinEdgesMilliseconds { get; init; } = [];

    /// <summary>One entry for each kind of message in the log.</summary>
    public IReadOnlyList<KindReport> Kinds { get; init; } = [];

    /// <summary>
    /// How the columns of the log move together; null when there are fewer than two successful exchanges.
    /// </summary>
    public CorrelationReport? Correlation { get; init; }

    /// <summary>A sample of the exchanges; null when none succeeded.</summary>
    public ScatterReport? Scatter { get; init; }

    /// <summary>Rate, latency and errors over time; null when no time passed.</summary>
    public TimeReport? OverTime { get; init; }
}
