using MqttCheck.Clusters.Mosquitto.Joining;
using MqttCheck.Clusters.Topologies.Bridges;
using static System.FormattableString;

namespace MqttCheck.Clusters.Mosquitto.Linting;

/// <summary>Bridges that the broker at the far end does not take, or throws out for each other.</summary>
internal sealed class PeerFindings(ConfTopology cluster)
{
    private const string Report = "https://github.com/eclipse-mosquitto/mosquitto/issues/2889";

    /// <summary>All findings.</summary>
    public IEnumerable<ConfFinding> All() =>
        [.. Enumerable.Range(0, cluster.Links.Count).SelectMany(OfLink), .. SameIds()];

    private IEnumerable<ConfFinding> OfLink(int index)
    {
        var (link, bridge, peer) = (cluster.Topology.Links[index], cluster.Links[index].Bridge, cluster.PeerOf(index));
        var (name, isVersion5) = (cluster.NameOf(link.To), bridge.ProtocolVersion == 5);
        if (isVersion5 && !peer.TakesVersion5)
            yield return Refused(
                ConfLines.PlaceOf(bridge, "bridge_protocol_version"),
                $"{name} ({peer.Title}) does not take MQTT 5 ({peer.Ground})",
                "'bridge_protocol_version mqttv311' and 'try_private false'"
            );
        else if (!isVersion5 && bridge.TriesPrivate && peer.Bit == BridgeBitAnswer.Closes)
            yield return Refused(
                ConfLines.PlaceOf(bridge, "try_private"),
                $"{name} ({peer.Title}) closes the connection of a bridge, and Mosquitto tries it again for ever "
                    + $"({peer.Ground})",
                "'try_private false'"
            );
        else if (!isVersion5 && bridge.TriesPrivate && cluster.Nodes[link.To].Broker == BridgePeer.VerneMq)
            yield return Refused(
                ConfLines.PlaceOf(bridge, "try_private"),
                Invariant($"{name} (VerneMQ) takes the bridge only if its listener allows protocol version ")
                    + Invariant($"{128 + bridge.ProtocolVersion} ({peer.Ground})"),
                Invariant($"{128 + bridge.ProtocolVersion} in allowed_protocol_versions there, or 'try_private false'")
            );
        foreach (var line in bridge.Topics.Where(line => (int)line.Topic.Qos > peer.MostQos))
            yield return Refused(
                line.Place,
                Invariant($"{name} ({peer.Title}) takes QoS {peer.MostQos} at most ({peer.Ground})"),
                $"'topic {line.Topic with { Qos = (Protocol.QualityOfService)peer.MostQos }}'"
            );
        if (cluster.Nodes[link.To].File is { } far && ConfLines.Find(far.Lines, "retain_available") is { } setting)
            foreach (var finding in WithoutRetained(bridge, setting, name))
                yield return finding;
        if (link.IsMounted)
            yield return MountPoint(index, name);
        if (cluster.Nodes[link.To].Broker == BridgePeer.AwsIot)
            foreach (var finding in OfAwsIot(bridge, name))
                yield return finding;
        if (cluster.Nodes[link.To].File is { } file && cluster.Links[index].Match != ConfMatch.PortAlone)
            foreach (
                var listener in file
                    .Listeners.Where(listener => listener.Port == cluster.Links[index].Address.Port)
                    .Take(1)
                    .Where(listener => listener.IsTls != bridge.IsTls)
            )
                yield return Refused(
                    cluster.Links[index].Address.Place,
                    bridge.IsTls
                        ? $"the bridge speaks TLS, and the listener of {listener.Place} does not"
                        : $"the listener of {listener.Place} speaks TLS, and the bridge does not",
                    bridge.IsTls ? "another port, or a certificate there" : "'bridge_cafile', or another port"
                );
    }

    private ConfFinding MountPoint(int index, string name)
    {
        var (bridge, port) = (cluster.Links[index].Bridge, cluster.Links[index].Address.Port);
        var listener = cluster.Nodes[cluster.Topology.Links[index].To].File!.ListenerAt(port)!;
        var receives = bridge.Topics.Any(line => line.Topic.Direction.HasFlag(BridgeDirection.In));
        return new(
            bridge.Place,
            ConfRule.MountPoint,
            $"at {name} all topics of this bridge stand below '{listener.MountPoint}' ({listener.Place})"
                + (receives ? ", which Mosquitto 2.0.11 does not take off what it sends (tried)" : ""),
            receives ? "prefixes in the lines 'topic', which all versions treat alike" : ""
        );
    }

    // A bridge leaves a retained will, which such a broker refuses with the whole connection (tried with 2.0.11).
    private static IEnumerable<ConfFinding> WithoutRetained(ConfBridge bridge, ConfLine setting, string name)
    {
        if (
            setting.Value is "false" or "0"
            && bridge.Notifies
            && ConfLines.Find(bridge.Lines, "notifications_local_only")?.Value != "true"
            && ConfLines.Find(bridge.Lines, "bridge_outgoing_retain")?.Value != "false"
        )
            yield return Refused(
                ConfLines.PlaceOf(bridge, "notifications"),
                $"{name} takes no retained messages ({setting.Place}), and refuses the bridge, since its notification "
                    + "is one",
                "'notifications false'"
            );
    }

    private static IEnumerable<ConfFinding> OfAwsIot(ConfBridge bridge, string name)
    {
        (string Key, bool IsWrong, string Value)[] wanted =
        [
            ("try_private", bridge.TriesPrivate && bridge.ProtocolVersion != 5, "false"),
            ("notifications", bridge.Notifies, "false"),
            ("bridge_attempt_unsubscribe", bridge.AttemptsUnsubscribe && bridge.Topics.Any(IsOut), "false"),
            ("cleansession", !bridge.IsCleanSession, "true"),
        ];
        return wanted
            .Where(setting => setting.IsWrong)
            .Select(setting =>
                Refused(
                    ConfLines.PlaceOf(bridge, setting.Key),
                    $"{name} (AWS IoT Core) is known to close bridges without '{setting.Key} {setting.Value}' (by "
                        + $"documentation, not tried: {Report})",
                    $"'{setting.Key} {setting.Value}'"
                )
            );

        static bool IsOut(ConfTopic line) => line.Topic.Direction == BridgeDirection.Out;
    }

    private IEnumerable<ConfFinding> SameIds()
    {
        var first = new Dictionary<(int To, string Id), int>();
        for (var link = 0; link < cluster.Links.Count; link++)
        {
            if (IdOf(link) is not { } id || first.TryAdd((cluster.Topology.Links[link].To, id), link))
                continue;
            var (bridge, other) = (cluster.Links[link].Bridge, first[(cluster.Topology.Links[link].To, id)]);
            yield return new ConfFinding(
                ConfLines.PlaceOf(bridge, "remote_clientid"),
                ConfRule.SameClientId,
                $"{cluster.Links[other].Bridge.Place} has the same client identifier at "
                    + $"{cluster.NameOf(cluster.Topology.Links[link].To)}: each bridge throws the other one out",
                "a 'remote_clientid' of its own for each bridge"
            );
        }
    }

    // By default the name of the host stands in front. Files whose bridges lead to this host are on this host.
    private string? IdOf(int link)
    {
        var bridge = cluster.Links[link].Bridge;
        return bridge.RemoteClientId ?? (ConfHosts.IsLoopback(bridge.Addresses[0].Host) ? $"\n{bridge.Name}" : null);
    }

    private static ConfFinding Refused(ConfPlace place, string text, string advice) =>
        new(place, ConfRule.Refused, text, advice);
}
