namespace MqttCheck.Reports.Input;

/// <summary>
/// Rate, latency and errors in equally long parts of a log, one run after the other. An exchange belongs to the part in
/// which it was sent.
/// </summary>
public sealed record TimeReport
{
    /// <summary>How long each part is, in seconds.</summary>
    public required double BinSeconds { get; init; }

    /// <summary>Number of exchanges sent in each part.</summary>
    public IReadOnlyList<long> Exchanges { get; init; } = [];

    /// <summary>How many of them failed.</summary>
    public IReadOnlyList<long> Errors { get; init; } = [];

    /// <summary>The median latency of those that succeeded, NaN where none did.</summary>
    public IReadOnlyList<double> MedianMilliseconds { get; init; } = [];

    /// <summary>The latency that 99 % of those that succeeded stay below, NaN where none did.</summary>
    public IReadOnlyList<double> P99Milliseconds { get; init; } = [];

    /// <summary>When each run began, ascending from 0.</summary>
    public IReadOnlyList<double> RunStartSeconds { get; init; } = [];
}
