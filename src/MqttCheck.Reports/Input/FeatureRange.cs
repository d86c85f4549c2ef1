namespace MqttCheck.Reports.Input;

/// <summary>The values that a feature took in training.</summary>
/// <param name="Feature">Its name, for example <c>active messages</c>.</param>
/// <param name="Minimum">The smallest value; NaN when not known.</param>
/// <param name="Maximum">The largest value.</param>
public sealed record FeatureRange(string Feature, double Minimum, double Maximum);
