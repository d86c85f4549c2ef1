using MqttCheck.Cli.Terminal;
using MqttCheck.Clusters.Mosquitto;
using MqttCheck.Clusters.Mosquitto.Joining;
using MqttCheck.Clusters.Topologies.Bridges;
using MqttCheck.Clusters.Topologies.Sessions;
using MqttCheck.Sequential;
using static System.FormattableString;

namespace MqttCheck.Cli.Cluster.Configurations;

/// <summary>Configurations of Mosquitto and the remarks about them, as text.</summary>
internal static class ConfText
{
    // A screen or two; --format json has all.
    private const int MostOfOneRule = 12;

    /// <summary>Prints brokers and bridges.</summary>
    public static void PrintCluster(Screen screen, ConfTopology cluster)
    {
        var files = cluster.Nodes.Count(node => node.File is not null);
        screen.Line(
            $"{Counted.Of(files, "configuration")} of Mosquitto, {Counted.Of(cluster.Nodes.Count, "broker")}, "
                + Counted.Of(cluster.Links.Count, "bridge")
        );
        screen.Lines(SystemPromises.Of(cluster.Topology.System).Sentences);
        screen.Line();
        var nodes = new TextTable("node", "configuration", "broker", "known by", "addresses");
        foreach (var node in cluster.Nodes)
        {
            var traits = BridgePeers.Of(node.Broker);
            nodes.Add(
                node.Name,
                node.File?.File ?? "outside",
                traits.Name + (node.IsTold || node.File is not null ? "" : " (assumed)"),
                traits.Ground,
                string.Join(", ", node.Addresses)
            );
        }
        nodes.Print(screen);
        screen.Line();
        if (cluster.Links.Count == 0)
            return;
        var links = new TextTable("bridge", "leads", "line", "matched by", "forwards");
        foreach (var (index, link) in cluster.Links.Index())
        {
            var ends = cluster.Topology.Links[index];
            links.Add(
                link.Bridge.Name,
                $"{cluster.NameOf(ends.From)} -> {cluster.NameOf(ends.To)}"
                    + (link.Others.Count > 0 ? $" (else {string.Join(", ", link.Others)})" : ""),
                link.Bridge.Place.ToString(),
                Match(link.Match),
                string.Join("; ", ends.Topics)
            );
        }
        links.Print(screen);
        screen.Line();
    }

    /// <summary>Prints remarks.</summary>
    public static void PrintFindings(Screen screen, IReadOnlyList<ConfFinding> findings)
    {
        var table = new TextTable("line", "kind", "remark", "write instead");
        foreach (var finding in findings)
            table.Add(finding.Place.ToString(), Name(finding.Rule), finding.Text, finding.Advice);
        table.Record(screen);
        foreach (var same in findings.GroupBy(finding => finding.Rule))
        {
            foreach (var finding in same.Take(MostOfOneRule))
            {
                screen.Line($"{finding.Place}: {Name(finding.Rule)}: {finding.Text}");
                if (finding.Advice.Length > 0)
                    screen.Line($"    write instead: {finding.Advice}");
            }
            if (same.Count() > MostOfOneRule)
                screen.Line(Invariant($"... and {same.Count() - MostOfOneRule} more remarks '{Name(same.Key)}'"));
        }
        if (findings.Count > 0)
            screen.Line();
    }

    private static string Match(ConfMatch match) =>
        match switch
        {
            ConfMatch.Listener => "listener",
            ConfMatch.Name => "name and port",
            ConfMatch.PortAlone => "port alone",
            ConfMatch.Told => "--at",
            ConfMatch.Outside => "no file",
            _ => throw new ArgumentOutOfRangeException(nameof(match)),
        };

    private static string Name(ConfRule rule) =>
        rule switch
        {
            ConfRule.Loop => "loop",
            ConfRule.Copies => "copies",
            ConfRule.Echo => "echo",
            ConfRule.DeadTopic => "dead topic",
            ConfRule.MixedQos => "different QoS",
            ConfRule.LostWhenAway => "lost when away",
            ConfRule.NoEffect => "no effect",
            ConfRule.SameClientId => "same client identifier",
            ConfRule.OverlappingLines => "overlapping lines",
            ConfRule.AclPattern => "access rights",
            ConfRule.NewerKey => "newer setting",
            ConfRule.MountPoint => "mount point",
            ConfRule.Refused => "refused",
            _ => throw new ArgumentOutOfRangeException(nameof(rule)),
        };
}
