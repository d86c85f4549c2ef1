using MqttCheck.Clusters.Monitors.Messages;
using MqttCheck.Clusters.Properties.Histories;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Reports.Documents.Lanes;
using static System.FormattableString;

namespace MqttCheck.Cli.Cluster.Pages;

/// <summary>The picture of a run: a lane for each node, its faults, and the fate of every message sent to it.</summary>
internal static class ClusterRunPicture
{
    // More lanes than these do not fit a screen; the others share one.
    private const int MostLanes = 12;

    // More lines than these would hide the marks.
    private const int MostMoments = 40;

    private static readonly Dictionary<MessageFate, (string Word, LaneColour Colour)> s_fates = new()
    {
        [MessageFate.Lost] = ("lost", LaneColour.Bad),
        [MessageFate.Unknown] = ("unknown", LaneColour.Open),
        [MessageFate.Repeated] = ("repeated", LaneColour.Twice),
        [MessageFate.Late] = ("late", LaneColour.Slow),
        [MessageFate.InTime] = ("in time", LaneColour.Good),
    };

    /// <summary>The word for a fate.</summary>
    public static string Word(MessageFate fate) => s_fates[fate].Word;

    /// <summary>The picture.</summary>
    /// <param name="topology">The cluster.</param>
    /// <param name="history">What became of the messages of a run.</param>
    /// <param name="title">The title.</param>
    public static LanePicture Of(Topology topology, RunHistory history, string title)
    {
        var fates = Enum.GetValues<MessageFate>().Where(fate => history.CountOf(fate) > 0).ToList();
        var nodes = Enumerable.Range(0, topology.Nodes.Count).Where(node => IsShown(topology, history, node)).ToList();
        var single = nodes.Count <= MostLanes ? nodes : Gravest(history, nodes);
        var rest = nodes.Except(single).ToList();
        return new LanePicture(
            title,
            Explanation(history),
            Math.Max(history.LengthNanoseconds, 1) / 1e9,
            [
                .. single.Select(node => LaneOf(topology, history, fates, topology.Nodes[node].Name, [node])),
                .. rest.Count == 0
                    ? Array.Empty<PictureLane>()
                    : [LaneOf(topology, history, fates, Invariant($"{rest.Count} other nodes"), rest)],
            ]
        )
        {
            Moments = [.. Moments(history).Distinct().Take(MostMoments)],
            Meanings =
            [
                .. fates.Select(fate => new LaneMeaning(
                    s_fates[fate].Word,
                    Meaning(fate, history),
                    s_fates[fate].Colour
                )),
            ],
        };
    }

    private static IEnumerable<double> Moments(RunHistory history)
    {
        var length = Math.Max(history.LengthNanoseconds, 1.0);
        return history
            .Faults.SelectMany(fault => (double[])[fault.Begin / length, (fault.End ?? long.MaxValue) / length])
            .Where(share => share is >= 0 and <= 1);
    }

    private static string Explanation(RunHistory history) =>
        "A lane for each node, time to the right. Each message is marked when it was sent, at the node that it was "
        + "sent to; a higher mark stands for more messages."
        + (history.Published == 0 ? " No message was sent." : "");

    private static string Meaning(MessageFate fate, RunHistory history) =>
        fate switch
        {
            MessageFate.Lost => "the broker acknowledged it, and a reader never got it",
            MessageFate.Unknown => "it did not arrive, and nobody had promised that it would",
            MessageFate.Repeated => "a reader got it more than once",
            MessageFate.Late => Invariant($"it arrived more than {history.LateAfterNanoseconds / 1e9:0.###} s later"),
            MessageFate.InTime => "every reader got it once",
            _ => throw new ArgumentOutOfRangeException(nameof(fate)),
        };

    // A store, for example, takes no messages of clients; it is shown if something happens to it.
    private static bool IsShown(Topology topology, RunHistory history, int node) =>
        topology.Nodes[node].Kind == NodeKind.Broker || history.Faults.Any(fault => Hits(fault, node));

    // Nodes that lost messages or had a fault have a lane of their own before others.
    private static List<int> Gravest(RunHistory history, IEnumerable<int> nodes) =>
        [
            .. nodes
                .OrderByDescending(node => history.CountOf(node, MessageFate.Lost))
                .ThenByDescending(node => history.Faults.Count(fault => Hits(fault, node)))
                .ThenBy(node => node)
                .Take(MostLanes - 1)
                .Order(),
        ];

    private static PictureLane LaneOf(
        Topology topology,
        RunHistory history,
        IReadOnlyList<MessageFate> fates,
        string name,
        IReadOnlyList<int> nodes
    )
    {
        var faults = history.Faults.Where(fault => nodes.Any(node => Hits(fault, node))).ToList();
        var length = Math.Max(history.LengthNanoseconds, 1.0);
        return new PictureLane(
            name,
            [.. faults.Select(fault => Note(topology, fault))],
            [
                .. faults.Select(fault => new LaneShade(
                    Math.Clamp(fault.Begin / length, 0, 1),
                    Math.Clamp((fault.End ?? long.MaxValue) / length, 0, 1)
                )),
            ],
            [
                .. fates
                    .Select(fate => new LaneStrip(s_fates[fate].Word, s_fates[fate].Colour, Sum(history, nodes, fate)))
                    .Where(strip => strip.Total > 0),
            ]
        );
    }

    private static int[] Sum(RunHistory history, IReadOnlyList<int> nodes, MessageFate fate)
    {
        var sum = new int[FateBins.Columns];
        foreach (var node in nodes)
        {
            var counts = history.Bins.Of(node, fate);
            for (var column = 0; column < sum.Length; column++)
                sum[column] += counts[column];
        }
        return sum;
    }

    private static string Note(Topology topology, FaultSpan fault)
    {
        var words = FaultWords.Of(fault);
        var place = fault.Peer < 0 ? "" : fault.Place(node => topology.Nodes[node].Name) + " ";
        return Invariant($"{place}{words.Began} at {fault.Begin / 1e9:0.0} s")
            + (fault.End is { } end ? Invariant($", {words.Ended} at {end / 1e9:0.0} s") : "");
    }

    private static bool Hits(FaultSpan fault, int node) => fault.Node == node || fault.Peer == node;
}
