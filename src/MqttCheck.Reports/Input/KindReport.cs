using MqttCheck.Clients;
using MqttCheck.Logs;

namespace MqttCheck.Reports.Input;

/// <summary>
/// The exchanges of one kind of message. Latencies are those of successful exchanges, NaN when there is none.
/// </summary>
public sealed record KindReport
{
    /// <summary>The kind.</summary>
    public required MessageKind Kind { get; init; }

    /// <summary>Number of exchanges, whatever their outcome.</summary>
    public long Count { get; init; }

    /// <summary>Number of exchanges by outcome; outcomes that did not occur are absent.</summary>
    public IReadOnlyDictionary<ExchangeOutcome, long> Outcomes { get; init; } = new Dictionary<ExchangeOutcome, long>();

    /// <summary>The latency that half of the exchanges stay below.</summary>
    public double MedianMilliseconds { get; init; } = double.NaN;

    /// <summary>The latency that 90 % stay below.</summary>
    public double P90Milliseconds { get; init; } = double.NaN;

    /// <summary>The latency that 99 % stay below.</summary>
    public double P99Milliseconds { get; init; } = double.NaN;

    /// <summary>The latency that 99.9 % stay below.</summary>
    public double P999Milliseconds { get; init; } = double.NaN;

    /// <summary>Number of exchanges that failed; those that the end of the run cut off are none.</summary>
    public long Errors { get; init; }

    /// <summary>The largest latency.</summary>
    public double MaximumMilliseconds { get; init; } = double.NaN;

    /// <summary>Number of successful exchanges in each bin of <see cref="LogReport.BinEdgesMilliseconds"/>.</summary>
    public IReadOnlyList<long> BinCounts { get; init; } = [];
}
