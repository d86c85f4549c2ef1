using System.Diagnostics;
using MqttCheck.Clusters.Events;

namespace MqttCheck.ClusterProtocols.Hops;

/// <summary>A decision of a node's protocol, for monitors.</summary>
/// <param name="Kind">The kind of decision.</param>
/// <param name="Peer">The node that it names; -1 for none.</param>
/// <param name="Value">The number that belongs to the kind.</param>
/// <param name="Topic">The topic that it is about; empty for all.</param>
internal readonly record struct ClusterNote(ClusterNoteKind Kind, int Peer, long Value, string Topic = "")
{
    /// <summary>The event that monitors get for it.</summary>
    /// <param name="node">The node that decided.</param>
    /// <param name="nanoseconds">When it did.</param>
    internal ClusterEvent ToEvent(int node, long nanoseconds) =>
        new()
        {
            Nanoseconds = nanoseconds,
            Kind = Kind switch
            {
                ClusterNoteKind.Root => ClusterEventKind.RootChanged,
                ClusterNoteKind.Parent => ClusterEventKind.ParentChanged,
                ClusterNoteKind.Role => ClusterEventKind.RoleChanged,
                ClusterNoteKind.Discovery => ClusterEventKind.DiscoveryChanged,
                ClusterNoteKind.TopicMembers => ClusterEventKind.TopicMembersChanged,
                ClusterNoteKind.TopicRoot => ClusterEventKind.TopicRootChanged,
                ClusterNoteKind.TopicParent => ClusterEventKind.TopicParentChanged,
                ClusterNoteKind.Drop => ClusterEventKind.Dropped,
                _ => throw new UnreachableException(),
            },
            Node = node,
            Peer = Peer,
            Value = Value,
            Topic = Topic,
        };
}
