namespace MqttCheck.Reports.Documents;

/// <summary>Curves over a common axis, both axes logarithmic. In Markdown it is a table.</summary>
/// <param name="Title">The title.</param>
/// <param name="Explanation">How to read it.</param>
/// <param name="XLabel">The quantity and unit of the horizontal axis.</param>
/// <param name="YLabel">The quantity and unit of the vertical axis.</param>
/// <param name="Lines">The curves, up to four.</param>
internal sealed record CurveChart(
    string Title,
    string Explanation,
    string XLabel,
    string YLabel,
    IReadOnlyList<CurveLine> Lines
) : DocumentBlock
{
    /// <summary>Places on the horizontal axis marked by a vertical line, with their names.</summary>
    public IReadOnlyList<KeyValuePair<string, double>> Marks { get; init; } = [];
}
