namespace MqttCheck.Reports.Marks;

/// <summary>The name of a curve beside its end; names that would cover each other move apart.</summary>
/// <param name="Text">The name.</param>
/// <param name="Y">The value at which the curve ends.</param>
/// <param name="Role">The colour.</param>
internal sealed record EndName(string Text, double Y, Role Role);
