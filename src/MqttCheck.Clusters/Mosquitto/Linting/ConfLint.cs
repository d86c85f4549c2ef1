using MqttCheck.Clusters.Mosquitto.Joining;
using MqttCheck.Clusters.Topologies.Bridges;

namespace MqttCheck.Clusters.Mosquitto.Linting;

/// <summary>All remarks about the configurations of a cluster.</summary>
internal static class ConfLint
{
    /// <summary>The remarks, the gravest first; those of one kind in the order of the files.</summary>
    /// <param name="cluster">The cluster.</param>
    /// <param name="routes">The routes of its topology.</param>
    public static IReadOnlyList<ConfFinding> Of(ConfTopology cluster, IReadOnlyList<BridgeRoute> routes)
    {
        IEnumerable<ConfFinding> found =
        [
            .. new RouteFindings(cluster, routes).All(),
            .. new PeerFindings(cluster).All(),
            .. new AclFindings(cluster).All(),
            .. new LineFindings(cluster).All(),
            .. new LossFindings(cluster).All(),
            .. new SettingFindings(cluster).All(),
        ];
        return [.. found.Distinct().OrderBy(finding => WeightOf(finding.Rule))];
    }

    /// <summary>How grave a kind of remark is: 0 for what makes the answer no, 2 for what may be meant so.</summary>
    public static int WeightOf(ConfRule rule) =>
        rule switch
        {
            ConfRule.Loop or ConfRule.Copies or ConfRule.Echo => 0,
            ConfRule.SameClientId or ConfRule.Refused or ConfRule.AclPattern or ConfRule.DeadTopic => 1,
            ConfRule.OverlappingLines
            or ConfRule.MixedQos
            or ConfRule.LostWhenAway
            or ConfRule.NoEffect
            or ConfRule.MountPoint
            or ConfRule.NewerKey => 2,
            _ => throw new ArgumentOutOfRangeException(nameof(rule)),
        };
}
