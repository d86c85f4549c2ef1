namespace MqttCheck.Verification;

/// <summary>The evidence after some sequences, for a chart of the way to a verdict.</summary>
/// <param name="Run">The run that the last counted sequence belongs to, from 1.</param>
/// <param name="Samples">Sequences counted so far, over all runs, in issue order.</param>
/// <param name="Successes">Those in time.</param>
/// <param name="Lower">Evidence about "worse" (<see cref="VerdictSide.Evidence"/>), null without this side.</param>
/// <param name="Upper">Evidence about "better", null without this side.</param>
public readonly record struct VerdictPathPoint(int Run, long Samples, long Successes, double? Lower, double? Upper);
