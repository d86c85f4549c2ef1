using System.Diagnostics;
using MqttCheck.Clusters.Topologies.Faults;

namespace MqttCheck.Clusters.Topologies.Systems;

/// <summary>The keys of the commands by which faults of a node that runs already begin and end.</summary>
internal static class NodeCommands
{
    /// <summary>The keys.</summary>
    public static IReadOnlyList<string> Keys { get; } = ["kill", "stop", "start", "freeze", "thaw"];

    /// <summary>No command.</summary>
    public static IReadOnlyDictionary<string, string> None { get; } = new Dictionary<string, string>();

    /// <summary>The key of the command that begins or ends a fault.</summary>
    /// <param name="kind">A kind of fault of nodes.</param>
    /// <param name="begins">Whether the fault begins.</param>
    public static string KeyOf(FaultKind kind, bool begins) =>
        (kind, begins) switch
        {
            (FaultKind.Kill or FaultKind.Stop or FaultKind.Join, _) when kind.StartsProcess(begins) => "start",
            (FaultKind.Kill, _) => "kill",
            (FaultKind.Stop, _) => "stop",
            (FaultKind.Freeze, true) => "freeze",
            (FaultKind.Freeze, false) => "thaw",
            _ => throw new UnreachableException(),
        };

    /// <summary>
    /// The keys that a node needs for a fault and does not have. Every fault needs the command that ends it, because a
    /// node is left as it was found.
    /// </summary>
    /// <param name="node">A node that runs already.</param>
    /// <param name="kind">A kind of fault of nodes.</param>
    public static IEnumerable<string> Missing(TopologyNode node, FaultKind kind) =>
        new[] { KeyOf(kind, begins: true), KeyOf(kind, begins: false) }.Where(key => !node.Commands.ContainsKey(key));
}
