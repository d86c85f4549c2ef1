using MqttCheck.Clusters.Mosquitto.Joining;
using MqttCheck.Clusters.Topologies.Bridges;
using MqttCheck.Protocol;
using static System.FormattableString;

namespace MqttCheck.Clusters.Mosquitto.Linting;

/// <summary>The messages that are lost while a link or a node is away, each with its reason.</summary>
internal sealed class LossFindings(ConfTopology cluster)
{
    /// <summary>All findings.</summary>
    public IEnumerable<ConfFinding> All() =>
        [.. Enumerable.Range(0, cluster.Links.Count).SelectMany(OfLink), .. OfNodes()];

    private IEnumerable<ConfFinding> OfLink(int index)
    {
        var (link, bridge) = (cluster.Topology.Links[index], cluster.Links[index].Bridge);
        if (bridge.StartType == "once")
            yield return new ConfFinding(
                ConfLines.PlaceOf(bridge, "start_type"),
                ConfRule.LostWhenAway,
                "after its first failure the bridge is never opened again, and nothing passes until a restart",
                "'start_type automatic'"
            );
        var sent = LinesOf(bridge, BridgeDirection.Out);
        var fetched = LinesOf(bridge, BridgeDirection.In);
        var isLocalGiven = ConfLines.Find(bridge.Lines, "local_cleansession") is not null;
        foreach (
            var finding in Queue(
                sent,
                cluster.Nodes[link.From],
                bridge.IsLocalCleanSession,
                ConfLines.PlaceOf(bridge, isLocalGiven ? "local_cleansession" : "cleansession"),
                "'local_cleansession false'"
            )
        )
            yield return finding;
        foreach (
            var finding in Queue(
                fetched,
                cluster.Nodes[link.To],
                bridge.IsCleanSession,
                ConfLines.PlaceOf(bridge, "cleansession"),
                "'cleansession false', with 'bridge_attempt_unsubscribe true'"
            )
        )
            yield return finding;
    }

    private static List<ConfTopic> LinesOf(ConfBridge bridge, BridgeDirection direction) =>
        [.. bridge.Topics.Where(line => line.Topic.Direction.HasFlag(direction))];

    // The messages that one end keeps for the other one while the link is away.
    private static IEnumerable<ConfFinding> Queue(
        List<ConfTopic> lines,
        ConfNode keeper,
        bool isClean,
        ConfPlace session,
        string remedy
    )
    {
        if (lines.Count == 0)
            yield break;
        if (isClean)
        {
            yield return new ConfFinding(
                session,
                ConfRule.LostWhenAway,
                $"while the link is away, {keeper.Name} keeps nothing for this bridge: its session is clean",
                remedy
            );
            yield break;
        }
        var fleeting = lines.FindAll(line => line.Topic.Qos == QualityOfService.AtMostOnce);
        if (fleeting.Count > 0 && keeper.File is not { QueuesQos0: true })
            yield return new ConfFinding(
                fleeting[0].Place,
                ConfRule.LostWhenAway,
                $"while the link is away, {keeper.Name} keeps no messages of QoS 0"
                    + (
                        fleeting.Count > 1
                            ? $" (also {string.Join(", ", fleeting.Skip(1).Select(line => line.Place))})"
                            : ""
                    ),
                $"'topic {fleeting[0].Topic with { Qos = QualityOfService.AtLeastOnce }}'"
                    + (keeper.File is null ? "" : $", or 'queue_qos0_messages true' in {keeper.File.File}")
            );
        if (fleeting.Count < lines.Count && keeper.File is { MaxQueuedMessages: > 0 and var most } file)
            yield return new ConfFinding(
                ConfLines.Find(file.Lines, "max_queued_messages")?.Place ?? lines[0].Place,
                ConfRule.LostWhenAway,
                Invariant($"while the link is away, {keeper.Name} keeps the first {most} messages for this bridge and ")
                    + "drops the later ones",
                $"a larger 'max_queued_messages' in {file.File}, if the link is away for longer"
            );
    }

    private IEnumerable<ConfFinding> OfNodes()
    {
        for (var node = 0; node < cluster.Nodes.Count; node++)
        {
            if (
                cluster.Nodes[node].File is not { } file
                || !cluster.Topology.Links.Any(link => link.From == node || link.To == node)
            )
                continue;
            var autosave =
                ConfLines.Find(file.Lines, "autosave_interval")?.Place ?? ConfLines.PlaceOf(file, "persistence");
            if (!file.IsPersistent)
                yield return new ConfFinding(
                    ConfLines.PlaceOf(file, "persistence"),
                    ConfRule.LostWhenAway,
                    $"when {file.Name} stops, what it keeps for bridges and clients is lost, and retained messages too",
                    "'persistence true'"
                );
            else if (file.AutosaveSeconds == 0)
                yield return new ConfFinding(
                    autosave,
                    ConfRule.LostWhenAway,
                    $"when {file.Name} crashes, all that it keeps since its start is lost: it saves only at its end",
                    "'autosave_interval 60', or what can be lost"
                );
            else
                yield return new ConfFinding(
                    autosave,
                    ConfRule.LostWhenAway,
                    Invariant($"when {file.Name} crashes, what it kept in the last {file.AutosaveSeconds} ")
                        + (file.CountsChanges ? "changes is lost" : "seconds is lost"),
                    file.AutosaveSeconds > 60 ? "a shorter 'autosave_interval', if that is too much" : ""
                );
        }
    }
}
