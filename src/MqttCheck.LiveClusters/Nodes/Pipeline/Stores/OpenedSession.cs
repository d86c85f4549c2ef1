namespace MqttCheck.LiveClusters.Nodes.Pipeline.Stores;

/// <summary>A session whose client has connected.</summary>
/// <param name="Client">Its number.</param>
/// <param name="IsPresent">Whether it was there before.</param>
/// <param name="Change">The number of the change, by which its connection is told from later ones.</param>
internal readonly record struct OpenedSession(int Client, bool IsPresent, long Change);
