namespace MqttCheck.Clusters.Mosquitto;

/// <summary>One setting of a configuration file.</summary>
/// <param name="Place">Its line.</param>
/// <param name="Key">
/// The word it begins with; for an option of a plugin only <c>auth_opt_</c> or <c>plugin_opt_</c>.
/// </param>
/// <param name="Value">The rest; empty for a secret, which is not kept.</param>
internal sealed record ConfLine(ConfPlace Place, string Key, string Value);
