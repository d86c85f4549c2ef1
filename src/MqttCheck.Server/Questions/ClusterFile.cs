using System.Text;
using System.Text.Json;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Json;
using MqttCheck.Profiles.Workloads;
using static System.FormattableString;

namespace MqttCheck.Server.Questions;

/// <summary>Reads the topology file that a browser sends, as a file is read. It must not name another file.</summary>
internal static class ClusterFile
{
    // A run is simulated whole once it has begun, so its size must have an end.
    private const double MostMessages = 100_000;
    private const string Source = "topology";

    /// <summary>Reads it.</summary>
    /// <param name="text">The text of the file.</param>
    /// <param name="mostNodes">The most nodes that are allowed.</param>
    /// <exception cref="InputException">It is wrong, too large, or names another file: every finding.</exception>
    public static Topology Read(string text, int mostNodes)
    {
        var bytes = Encoding.UTF8.GetBytes(text);
        var findings = new JsonFindings(Source);
        var tree = JsonTree.Parse(bytes, Source);
        if (
            tree.Member("workload") is { Type: JsonTokenType.String } named
            && !WorkloadFile.BuiltInNames.Contains(named.Text)
        )
            findings.Add(
                named,
                $"{named.Given} given; allowed here: a workload inline, or one of "
                    + string.Join(", ", WorkloadFile.BuiltInNames)
            );
        findings.ThrowIfAny();
        var topology = ClusterInput.Parse(bytes, Source);
        var load = topology.Load;
        var seconds = (topology.Scenario.Duration ?? load.Duration).TotalSeconds;
        if (topology.Nodes.Count > mostNodes)
            findings.Add(tree, "nodes", Invariant($"{topology.Nodes.Count} given; allowed here: at most {mostNodes}"));
        // One message of every pair of clients, where each goes to all.
        if (load.MessagesPerSecond * seconds * load.ReceiversPerMessage > MostMessages)
            findings.Add(
                tree,
                "workload",
                Invariant($"{load.MessagesPerSecond:G4} messages/s for {seconds:G4} s to {load.ReceiversPerMessage} ")
                    + Invariant($"receivers given; allowed here: at most {MostMessages} deliveries; ")
                    + "'mqttcheck cluster predict' has no such limit"
            );
        findings.ThrowIfAny();
        return topology;
    }
}
