namespace MqttCheck.Reports.Documents.Lanes;

/// <summary>A time in which the place of a lane was disturbed.</summary>
/// <param name="From">Its beginning, as a share of the time axis, 0 .. 1.</param>
/// <param name="To">Its end, likewise.</param>
internal readonly record struct LaneShade(double From, double To);
