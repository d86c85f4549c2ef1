namespace MqttCheck.Clusters.Topologies.Bridges;

/// <summary>A message at a broker.</summary>
/// <param name="Node">The index of the broker.</param>
/// <param name="Via">The directed link that brought it, as in <see cref="BridgeHop.Way"/>; -1 for none.</param>
/// <param name="Topic">The topic there.</param>
internal readonly record struct BridgePlace(int Node, int Via, string Topic);
