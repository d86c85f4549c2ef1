using MqttCheck.ClusterProtocols.Pipeline;

namespace MqttCheck.LiveClusters.Nodes.Pipeline.Stores;

/// <summary>Messages that were added to a session.</summary>
/// <param name="Node">The broker that its client was connected to at that moment; -1 for none.</param>
/// <param name="Messages">The messages with identifiers and scores; none if there is no such session.</param>
internal sealed record AddedMessages(int Node, IReadOnlyList<StoredMessage> Messages);
