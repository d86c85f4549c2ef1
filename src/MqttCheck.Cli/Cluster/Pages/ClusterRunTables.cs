using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.LiveClusters.Runs;
using MqttCheck.LiveClusters.Verdicts;
using MqttCheck.Reports.Documents;
using MqttCheck.Sequential;
using static System.FormattableString;

namespace MqttCheck.Cli.Cluster.Pages;

/// <summary>The numbers of live runs in tables: runs, quantities, faults and links.</summary>
internal static class ClusterRunTables
{
    // A circle of more nodes than these is a tangle.
    private const int MostDrawn = 16;

    /// <summary>The counts of each run.</summary>
    public static DocumentSection Runs(ClusterVerificationResult result) =>
        new(
            "Runs",
            "What each run counted. A message with two readers is owed twice. A racing one was sent when its reader "
                + "had just come or was about to go; a repair or blackout is a time without service.",
            [
                new DocumentTable(
                    "Counts of each run",
                    [
                        "run",
                        "messages",
                        "owed",
                        "came",
                        "lost",
                        "missing, not promised",
                        "racing",
                        "repeated",
                        "out of order",
                        "repair",
                        "blackout",
                    ],
                    [
                        .. result.Runs.Select(
                            (run, index) =>
                                (IReadOnlyList<string>)
                                    [
                                        Invariant($"run {index + 1}"),
                                        Invariant($"{run.Outcome.Publications}"),
                                        Invariant($"{run.Outcome.Owed}"),
                                        Invariant($"{run.Outcome.Owed - run.Outcome.Missing.Total}"),
                                        Invariant($"{run.Outcome.Lost}"),
                                        Invariant($"{run.Outcome.Missing.Total - run.Outcome.Missing.Lost}"),
                                        Invariant($"{run.Outcome.Racing}"),
                                        Invariant($"{run.Outcome.Duplicates}"),
                                        Invariant($"{run.Outcome.Reordered}"),
                                        run.Faults.Count == 0 && run.Outcome.RepairMilliseconds is null or 0
                                            ? "no fault"
                                            : Time(run.Outcome.RepairMilliseconds, run.Outcome),
                                        Time(run.Outcome.BlackoutMilliseconds, run.Outcome),
                                    ]
                        ),
                    ]
                )
                {
                    IsText = true,
                },
            ]
        );

    /// <summary>Each quantity beside that of simulations; nothing where there are none.</summary>
    public static IEnumerable<DocumentSection> PredictedAndLive(ClusterVerificationResult result) =>
        result.Comparisons is not [_, ..] comparisons
            ? result.WhyNotSimulated is { } whyNot
                ? [new("Predicted and live", $"Not compared: {whyNot}", [])]
                : []
            :
            [
                new(
                    "Predicted and live",
                    "Each live run beside a simulation with the same clients and faults. Times of messages are means.",
                    [
                        new DocumentTable(
                            "Quantities",
                            ["quantity", "live", "predicted", "live less predicted, 95 %", "agree"],
                            [
                                .. comparisons.Select(comparison =>
                                    (IReadOnlyList<string>)
                                        [
                                            comparison.Quantity.Name,
                                            ClusterRunText.Value(comparison, comparison.Live),
                                            ClusterRunText.Value(comparison, comparison.Simulated),
                                            ClusterRunText.Difference(comparison),
                                            comparison.Agrees switch
                                            {
                                                true => "yes",
                                                false => "no",
                                                null => "not known",
                                            },
                                        ]
                                ),
                            ]
                        )
                        {
                            IsText = true,
                        },
                    ]
                ),
            ];

    /// <summary>The faults as they were planned and drawn.</summary>
    public static IEnumerable<DocumentSection> Faults(Topology topology, ClusterVerificationResult result)
    {
        if (result.Runs.All(run => run.Faults.Count == 0))
            yield break;
        yield return new(
            "Faults",
            "What was made to go wrong in each run, and until when it lasted.",
            [
                new DocumentTable(
                    "Times of faults",
                    ["run", "fault", "until", "late by"],
                    [
                        .. result.Runs.SelectMany(
                            (run, index) =>
                                run.Faults.Select(fault =>
                                    (IReadOnlyList<string>)
                                        [
                                            Invariant($"run {index + 1}"),
                                            ClusterRunText.FaultWords(topology, fault),
                                            fault.EndNanoseconds is { } end
                                                ? Invariant($"{end / 1e9:0.###} s")
                                                : "the end",
                                            Invariant($"{run.FaultLatenessNanoseconds / 1e6:0.#} ms"),
                                        ]
                                )
                        ),
                    ]
                )
                {
                    IsText = true,
                },
                .. Notes(result),
            ]
        );
    }

    /// <summary>The cluster with what crossed each of its links.</summary>
    public static DocumentSection Links(Topology topology, ClusterVerificationResult result)
    {
        var expected = LinkLoads.PerPublication(topology);
        var links = result.Runs.SelectMany(run => run.Links).GroupBy(link => (link.From, link.To)).ToList();
        return new(
            "The cluster and its links",
            "What entered each link in all runs, one direction in a line. Probes of MqttCheck between nodes are "
                + "included.",
            [
                .. links.Count > 0 && topology.Nodes.Count <= MostDrawn
                    ? [Network(topology, result, links)]
                    : Array.Empty<DocumentBlock>(),
                links.Count == 0
                    ? new DocumentNote(
                        "Nobody saw links: these brokers have none, or talk to each other past MqttCheck's relays."
                    )
                    : new DocumentTable(
                        "Links",
                        ["link", "messages", "messages of the brokers", "packets", "bytes", "expected without a fault"],
                        [
                            .. links.Select(link =>
                                (IReadOnlyList<string>)
                                    [
                                        $"{topology.Nodes[link.Key.From].Name} -> {topology.Nodes[link.Key.To].Name}",
                                        Invariant($"{link.Sum(run => run.DataPublications)}"),
                                        Invariant($"{link.Sum(run => run.SystemPublications)}"),
                                        Invariant($"{link.Sum(run => run.Packets)}"),
                                        Invariant($"{link.Sum(run => run.Bytes)}"),
                                        Predicted(topology, expected, link.Key.From, link.Key.To, result),
                                    ]
                            ),
                        ]
                    )
                    {
                        IsText = true,
                    },
            ]
        );
    }

    private static IEnumerable<DocumentBlock> Notes(ClusterVerificationResult result)
    {
        DocumentNote[] notes =
        [
            .. result.Runs.SelectMany(
                (run, index) => run.FaultNotes.Select(note => new DocumentNote(Invariant($"Run {index + 1}: {note}")))
            ),
        ];
        if (notes.Length > 0)
            yield return new DocumentFold(Counted.Of(notes.Length, "note") + " about what faults did", notes);
    }

    private static NetworkPicture Network(
        Topology topology,
        ClusterVerificationResult result,
        IEnumerable<IGrouping<(int From, int To), LinkTraffic>> links
    )
    {
        var ways = links
            .GroupBy(link => (Math.Min(link.Key.From, link.Key.To), Math.Max(link.Key.From, link.Key.To)))
            .ToList();
        // Brokers that do not speak MQTT with each other exchange bytes that nobody can read here.
        var hasMessages = result.Runs.Any(run => run.Links.Any(link => link.DataPublications > 0));
        return new(
            topology.Name,
            hasMessages
                ? "A thicker line carried more messages; a dashed node had a fault."
                : "A thicker line carried more bytes; what they mean is not seen. A dashed node had a fault.",
            [.. topology.Nodes.Select(node => node.Name)],
            [
                .. ways.Select(way => new NetworkWay(
                    way.Key.Item1,
                    way.Key.Item2,
                    way.Sum(link => link.Sum(run => hasMessages ? run.DataPublications : run.Bytes))
                )),
            ]
        )
        {
            Disturbed = result.Runs.SelectMany(run => run.Faults).SelectMany(fault => fault.Nodes).ToHashSet(),
        };
    }

    private static string Predicted(
        Topology topology,
        IReadOnlyList<double>? expected,
        int from,
        int to,
        ClusterVerificationResult result
    )
    {
        if (expected is null)
            return "-";
        var messages = topology
            .LinksBetween(from, to)
            .Sum(link => expected[2 * link + (topology.Links[link].From == from ? 0 : 1)]);
        return double.IsFinite(messages)
            ? Invariant($"{messages * result.Runs.Sum(run => run.Outcome.Publications):0}")
            : "without end";
    }

    private static string Time(double? milliseconds, ClusterOutcome outcome) =>
        milliseconds is { } known ? ClusterRunText.Seen(known, outcome) : "not seen";
}
