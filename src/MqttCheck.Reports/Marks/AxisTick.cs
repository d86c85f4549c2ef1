namespace MqttCheck.Reports.Marks;

/// <summary>A named value of an axis.</summary>
/// <param name="At">The value.</param>
/// <param name="Text">Its name.</param>
internal readonly record struct AxisTick(double At, string Text);
