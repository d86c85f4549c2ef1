using System.Globalization;

namespace MqttCheck.LiveClusters.Runs;

/// <summary>The topics of probes, which tell them apart from the messages of a workload.</summary>
internal static class ClusterTopics
{
    private const string Level = "probe/";

    /// <summary>The topic on which one node's probe client sends to another's: <c>PREFIXprobe/FROM/TO</c>.</summary>
    /// <param name="prefix">The prefix of the run.</param>
    /// <param name="from">The node that sends.</param>
    /// <param name="to">The node that receives.</param>
    public static string Probe(string prefix, int from, int to) =>
        string.Create(CultureInfo.InvariantCulture, $"{prefix}{Level}{from}/{to}");

    /// <summary>
    /// The topic of the retained messages of a node's probe client: <c>PREFIXprobe/NODE/retained</c>.
    /// </summary>
    /// <param name="prefix">The prefix of the run.</param>
    /// <param name="node">The node, or null for the filter of all nodes.</param>
    internal static string Retained(string prefix, int? node) =>
        string.Create(CultureInfo.InvariantCulture, $"{prefix}{Level}{(node is { } one ? $"{one}" : "+")}/retained");

    /// <summary>The topic of a retained message that a node is to keep: <c>PREFIXprobe/keptNODE/kNUMBER</c>.</summary>
    /// <param name="prefix">The prefix of the run.</param>
    /// <param name="node">The node.</param>
    /// <param name="number">The number of the message.</param>
    internal static string Kept(string prefix, int node, int number) =>
        string.Create(CultureInfo.InvariantCulture, $"{prefix}{Level}kept{node}/k{number}");

    /// <summary>
    /// The topic of clients that share a subscription or take over: <c>PREFIXprobe/KIND/NUMBER</c>, which no node's
    /// probes have.
    /// </summary>
    /// <param name="prefix">The prefix of the run.</param>
    /// <param name="kind">What they do, in a word.</param>
    /// <param name="number">The number of the group or of the client.</param>
    internal static string Session(string prefix, string kind, int number) =>
        string.Create(CultureInfo.InvariantCulture, $"{prefix}{Level}{kind}/{number}");

    /// <summary>Whether a topic is one of probe clients, retained ones included.</summary>
    /// <param name="prefix">The prefix of the run.</param>
    /// <param name="topic">The topic.</param>
    internal static bool IsOfProbes(string prefix, string topic) =>
        topic.StartsWith(prefix, StringComparison.Ordinal)
        && topic.AsSpan(prefix.Length).StartsWith(Level, StringComparison.Ordinal);

    /// <summary>Whether a topic is one of probes.</summary>
    /// <param name="prefix">The prefix of the run.</param>
    /// <param name="topic">The topic.</param>
    /// <param name="from">The node that sends, or -1.</param>
    /// <param name="to">The node that receives, or -1.</param>
    public static bool TryReadProbe(string prefix, string topic, out int from, out int to)
    {
        (from, to) = (-1, -1);
        return IsOfProbes(prefix, topic)
            && topic[(prefix.Length + Level.Length)..].Split('/') is [var sender, var receiver]
            && int.TryParse(sender, NumberStyles.None, CultureInfo.InvariantCulture, out from)
            && int.TryParse(receiver, NumberStyles.None, CultureInfo.InvariantCulture, out to);
    }
}
