using System.Globalization;
using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.Clusters.Events;

namespace MqttCheck.LiveClusters.Nodes;

/// <summary>
/// A decision of a node's protocol as a line of its note file: <c>TIME KIND PEER VALUE [TOPIC]</c>. The time is that of
/// CLOCK_MONOTONIC in nanoseconds, one clock for all processes of a machine. The topic is percent-encoded.
/// </summary>
internal static class NodeNote
{
    private static readonly string[] s_kinds =
    [
        "root",
        "parent",
        "role",
        "drop",
        "discovery",
        "members",
        "topic-root",
        "topic-parent",
    ];

    /// <summary>The line, without its end.</summary>
    public static string Write(in ClusterNote note, long nanoseconds) =>
        string.Create(CultureInfo.InvariantCulture, $"{nanoseconds} {s_kinds[(int)note.Kind]} {note.Peer} {note.Value}")
        + (note.Topic.Length == 0 ? "" : " " + Uri.EscapeDataString(note.Topic));

    /// <summary>Reads a line.</summary>
    /// <param name="line">The line.</param>
    /// <param name="node">The node whose file it is.</param>
    /// <param name="read">The event.</param>
    /// <returns>False for a line that is torn, as the last one of a killed process may be.</returns>
    public static bool TryRead(string line, int node, out ClusterEvent read)
    {
        read = default;
        if (
            line.Split(' ') is not [var time, var kind, var peer, var value, .. { Length: <= 1 } topic]
            || Array.IndexOf(s_kinds, kind) is not (>= 0 and var index)
            || !long.TryParse(time, NumberStyles.None, CultureInfo.InvariantCulture, out var nanoseconds)
            || !int.TryParse(peer, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var named)
            || !long.TryParse(value, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number)
        )
            return false;
        var text = topic is [var escaped] ? Uri.UnescapeDataString(escaped) : "";
        read = new ClusterNote((ClusterNoteKind)index, named, number, text).ToEvent(node, nanoseconds);
        return true;
    }
}
