using MqttCheck.Clusters.Topologies.Bridges;

namespace MqttCheck.Clusters.Mosquitto;

/// <summary>A line <c>topic</c> of a bridge.</summary>
/// <param name="Place">Its line.</param>
/// <param name="Topic">What it forwards.</param>
internal sealed record ConfTopic(ConfPlace Place, BridgeTopic Topic);
