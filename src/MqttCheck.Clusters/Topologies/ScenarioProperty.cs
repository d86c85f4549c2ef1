namespace MqttCheck.Clusters.Topologies;

/// <summary>A property as a user wrote it.</summary>
/// <param name="Text">The text, not read yet.</param>
/// <param name="Source">The origin of the property, for messages: an option, or file, line and key.</param>
internal readonly record struct ScenarioProperty(string Text, string Source);
