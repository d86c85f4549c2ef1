namespace MqttCheck.Clusters.Mosquitto;

/// <summary>A remark about a line of a configuration that Mosquitto accepts.</summary>
/// <param name="Place">The line.</param>
/// <param name="Rule">Its kind.</param>
/// <param name="Text">What it does, in a sentence without its end.</param>
/// <param name="Advice">What to write instead, in a sentence without its end; empty where nothing is better.</param>
internal sealed record ConfFinding(ConfPlace Place, ConfRule Rule, string Text, string Advice = "");
