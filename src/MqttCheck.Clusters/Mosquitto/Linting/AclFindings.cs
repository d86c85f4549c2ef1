using MqttCheck.Clusters.Mosquitto.Joining;
using MqttCheck.Clusters.Topologies.Bridges;

namespace MqttCheck.Clusters.Mosquitto.Linting;

/// <summary>
/// Access rights at the far ends of bridges. The broker that opens a bridge gives it all rights: Mosquitto 2.0.11
/// forwards what its own file of rights denies to everybody.
/// </summary>
internal sealed class AclFindings(ConfTopology cluster)
{
    /// <summary>All findings.</summary>
    public IEnumerable<ConfFinding> All()
    {
        var rights = new Dictionary<int, AclFile>();
        for (var node = 0; node < cluster.Nodes.Count; node++)
        {
            if (cluster.Nodes[node].File is not { } file || RightsOf(file) is not { } read)
                continue;
            rights[node] = read;
            foreach (var line in read.Lines.Where(line => line.IsPattern && !line.HasPlace))
                yield return new ConfFinding(
                    line.Place,
                    ConfRule.AclPattern,
                    $"a pattern without %u and %c gives '{line.Filter}' to every client, whatever its name",
                    $"'topic {line.Access} {line.Filter}' below the 'user' that it is meant for"
                );
        }
        for (var link = 0; link < cluster.Links.Count; link++)
        {
            if (rights.GetValueOrDefault(cluster.Topology.Links[link].To) is { } far)
                foreach (var finding in Denied(link, far))
                    yield return finding;
        }
    }

    // Rights of single listeners are not followed.
    private static AclFile? RightsOf(MosquittoConf file) =>
        ConfLines.Find(file.Lines, "per_listener_settings") is not { Value: "true" }
        && ConfLines.Find(file.Lines, "acl_file") is { } line
            ? AclFile.Read(line.Value, Path.GetDirectoryName(file.File) ?? "")
            : null;

    private IEnumerable<ConfFinding> Denied(int link, AclFile rights)
    {
        var bridge = cluster.Links[link].Bridge;
        var user = (ConfLines.Find(bridge.Lines, "remote_username") ?? ConfLines.Find(bridge.Lines, "username"))?.Value;
        var far = cluster.NameOf(cluster.Topology.Links[link].To);
        foreach (var line in bridge.Topics)
        foreach (var isOut in (bool[])[true, false])
        {
            if (
                line.Topic.Direction.HasFlag(isOut ? BridgeDirection.Out : BridgeDirection.In)
                && rights.Denies(user, bridge.RemoteClientId, line.Topic.RemoteFilter, isOut)
            )
                yield return new ConfFinding(
                    line.Place,
                    ConfRule.AclPattern,
                    $"the rights of {far} let {(user is null ? "clients without a name" : $"user '{user}'")} "
                        + $"{(isOut ? "write" : "read")} no topic of '{line.Topic.RemoteFilter}': nothing passes",
                    (user is null ? "" : $"'user {user}' and ")
                        + $"'topic {(isOut ? "write" : "read")} {line.Topic.RemoteFilter}' in its acl_file"
                );
        }
    }
}
