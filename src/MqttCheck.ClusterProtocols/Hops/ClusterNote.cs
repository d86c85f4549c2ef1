namespace MqttCheck.ClusterProtocols.Hops;

/// <summary>A decision of a node's protocol, for monitors.</summary>
/// <param name="Kind">The kind of decision.</param>
/// <param name="Peer">The node that it names; -1 for none.</param>
/// <param name="Value">The number that belongs to the kind.</param>
/// <param name="Topic">The topic that it is about; empty for all.</param>
internal readonly record struct ClusterNote(ClusterNoteKind Kind, int Peer, long Value, string Topic = "");
