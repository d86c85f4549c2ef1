using MqttCheck.Statistics;

namespace MqttCheck.Reports.Documents;

/// <summary>Estimates with their intervals, one line each, on a common axis. In Markdown it is a table.</summary>
/// <param name="Title">The title.</param>
/// <param name="Explanation">How to read it.</param>
/// <param name="Minimum">The left end of the axis.</param>
/// <param name="Maximum">The right end of the axis.</param>
/// <param name="Lines">The estimates.</param>
internal sealed record IntervalChart(
    string Title,
    string Explanation,
    double Minimum,
    double Maximum,
    IReadOnlyList<IntervalLine> Lines
) : DocumentBlock
{
    /// <summary>Values marked by a vertical line, with their names.</summary>
    public IReadOnlyList<KeyValuePair<string, double>> Marks { get; init; } = [];

    /// <summary>Values that count as equal, drawn as a pale band; null for none.</summary>
    public Interval? Band { get; init; }
}
