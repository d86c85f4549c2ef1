using MqttCheck.Clusters.Topologies;
using static System.FormattableString;

namespace MqttCheck.Server.Answers;

/// <summary>The data of a topology's picture, from the topology as its file is read.</summary>
/// <param name="Name">The topology's name.</param>
/// <param name="System">The system that its nodes run.</param>
/// <param name="Nodes">Its nodes.</param>
/// <param name="Links">Its links, in the order of the file.</param>
/// <param name="Faults">Its faults, in the language of files.</param>
/// <param name="DurationSeconds">How long a run lasts.</param>
internal sealed record TopologyPicture(
    string Name,
    string System,
    IReadOnlyList<PictureNode> Nodes,
    IReadOnlyList<PictureLink> Links,
    IReadOnlyList<string> Faults,
    double DurationSeconds
)
{
    /// <summary>The picture of a topology.</summary>
    public static TopologyPicture Of(Topology topology) =>
        new(
            topology.Name,
            topology.System.Name(),
            [
                .. topology.Nodes.Select(
                    (node, index) =>
                        new PictureNode(
                            node.Name,
                            [.. topology.Sites.Where(site => site.Node == index).Select(site => site.Name)]
                        )
                ),
            ],
            [
                .. topology.Links.Select(link => new PictureLink(
                    link.From,
                    link.To,
                    Invariant($"{link.DelayMilliseconds}"),
                    link.DelayMilliseconds.Mean
                )),
            ],
            [.. topology.Scenario.Faults.Select(fault => $"{fault}")],
            topology.Duration.TotalSeconds
        );
}
