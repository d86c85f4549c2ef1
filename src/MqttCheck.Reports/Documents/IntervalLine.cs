using MqttCheck.Statistics;

namespace MqttCheck.Reports.Documents;

/// <summary>One estimate of an <see cref="IntervalChart"/>.</summary>
/// <param name="Label">The estimated quantity.</param>
/// <param name="Estimate">The estimate; NaN when not known.</param>
/// <param name="Interval">Its interval; null when not known.</param>
/// <param name="Tone">How good it is.</param>
internal sealed record IntervalLine(string Label, double Estimate, Interval? Interval, DocumentTone Tone);
