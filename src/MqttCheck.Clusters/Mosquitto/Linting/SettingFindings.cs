using MqttCheck.Clusters.Mosquitto.Joining;
using MqttCheck.Clusters.Mosquitto.Reading;
using MqttCheck.Clusters.Topologies.Bridges;

namespace MqttCheck.Clusters.Mosquitto.Linting;

/// <summary>Settings that have no effect, and those of later versions.</summary>
internal sealed class SettingFindings(ConfTopology cluster)
{
    /// <summary>All findings.</summary>
    public IEnumerable<ConfFinding> All() =>
        cluster.Nodes.Select(node => node.File).OfType<MosquittoConf>().SelectMany(OfFile);

    private static IEnumerable<ConfFinding> OfFile(MosquittoConf file)
    {
        string[] ofDisk = ["autosave_interval", "autosave_on_changes", "persistence_file", "persistence_location"];
        foreach (var line in file.Lines.Where(line => !file.IsPersistent && ofDisk.Contains(line.Key)))
            yield return Idle(line, "nothing is saved without persistence", "'persistence true', or no such line");
        foreach (var line in file.NewerLines)
            yield return new ConfFinding(
                line.Place,
                ConfRule.NewerKey,
                $"'{line.Key}' needs Mosquitto {ConfKeys.Since(line)}; {ConfKeys.Followed} refuses it",
                $"no such line where Mosquitto is older than {ConfKeys.Since(line)}"
            );
        foreach (var finding in file.Bridges.SelectMany(OfBridge))
            yield return finding;
    }

    private static IEnumerable<ConfFinding> OfBridge(ConfBridge bridge)
    {
        if (Given("local_cleansession") is { } local && bridge.IsLocalCleanSession == bridge.IsCleanSession)
            yield return Idle(local, "it is what cleansession says already", "no such line");
        if (Given("try_private") is { } hint && bridge.ProtocolVersion == 5)
            yield return Idle(hint, "a bridge of MQTT 5 never says that it is one", "no such line");
        if (
            Given("bridge_attempt_unsubscribe") is { } unsubscribe
            && bridge.Topics.All(line => line.Topic.Direction != BridgeDirection.Out)
        )
            yield return Idle(
                unsubscribe,
                "only lines with 'out' are unsubscribed from, and there is none",
                "no such line"
            );
        foreach (var key in (string[])["threshold", "idle_timeout"])
        {
            if (Given(key) is { } lazy && bridge.StartType != "lazy")
                yield return Idle(lazy, "it counts for bridges with 'start_type lazy' only", "no such line");
        }
        if (Given("restart_timeout") is { } restart && bridge.StartType == "once")
            yield return Idle(restart, "a bridge with 'start_type once' is not restarted", "no such line");
        if (Given("round_robin") is { } turn && bridge.Addresses.Count == 1)
            yield return Idle(turn, "the bridge has one address", "no such line");
        foreach (var key in (string[])["notification_topic", "notifications_local_only"])
        {
            if (Given(key) is { } notice && !bridge.Notifies)
                yield return Idle(notice, "notifications are off", "'notifications true', or no such line");
        }

        ConfLine? Given(string key) => ConfLines.Find(bridge.Lines, key);
    }

    private static ConfFinding Idle(ConfLine line, string reason, string advice) =>
        new(line.Place, ConfRule.NoEffect, $"'{line.Key}' changes nothing: {reason}", advice);
}
