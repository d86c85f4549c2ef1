namespace MqttCheck.Reports.Documents;

/// <summary>One curve of a <see cref="CurveChart"/>.</summary>
/// <param name="Label">The name of the line.</param>
/// <param name="Points">Its points in ascending order of X.</param>
internal sealed record CurveLine(string Label, IReadOnlyList<CurvePoint> Points);
