namespace MqttCheck.Clusters.Mosquitto;

/// <summary>One setting of a configuration file.</summary>
/// <param name="Place">Its line.</param>
/// <param name="Key">The word it begins with.</param>
/// <param name="Value">The rest; empty for a secret, which is not kept.</param>
internal sealed record ConfLine(ConfPlace Place, string Key, string Value);
