namespace MqttCheck.Reports.Input;

/// <summary>The values of a feature.</summary>
/// <param name="Feature">Its name, for example <c>active messages</c>.</param>
/// <param name="Values">Its value for each exchange.</param>
public sealed record FeatureValues(string Feature, IReadOnlyList<double> Values);
