namespace MqttCheck.Reports.Documents;

/// <summary>A point of a curve.</summary>
/// <param name="X">The position on the horizontal axis, positive.</param>
/// <param name="Y">Its value, positive.</param>
internal readonly record struct CurvePoint(double X, double Y);
