using MqttCheck.App.Clusters.Runs;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Results;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.LiveClusters.Verdicts;
using MqttCheck.Reports.Documents;
using MqttCheck.Text;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Cli.Cluster;

/// <summary>Writes the page of a cluster's runs: verdicts first, then runs, links and the times of faults.</summary>
internal static class ClusterRunPage
{
    /// <summary>Writes the page.</summary>
    public static void Write(
        string path,
        ClusterRunRequest request,
        BrokerDescription broker,
        ClusterVerificationResult result,
        DateTimeOffset now
    )
    {
        using var text = new StringWriter();
        HtmlDocument.Write(text, Document(request, broker, result, now));
        AtomicFile.Write(path, text.ToString());
    }

    private static ReportDocument Document(
        ClusterRunRequest request,
        BrokerDescription broker,
        ClusterVerificationResult result,
        DateTimeOffset now
    ) =>
        new()
        {
            Title = $"Does cluster {request.Topology.Name} do what is asked of it?",
            Headline = result.Conclusion.IsMet() switch
            {
                true => "Yes, as far as these runs show",
                false => "No",
                null => result.Conclusion == Conclusion.Interrupted ? "Interrupted" : "Not decided",
            },
            Tone = result.Conclusion.Tone(),
            Lead =
                Invariant($"{broker.Name} {broker.Version}: {result.Runs.Count} live runs of ")
                + Invariant(
                    $"{request.Topology.Duration.TotalSeconds:0.###} s with load '{request.Topology.Load.Name}'."
                ),
            GeneratedUtc = now,
            ToolVersion = Tool.Version,
            Warnings = [.. result.Runs.Select(run => run.Failure).OfType<string>().Distinct()],
            Sections =
            [
                Verdicts(result),
                Runs(result),
                .. PredictedAndLive(result.Comparisons),
                Timeline(request.Topology, result),
                Links(request.Topology, result),
                new(
                    "Repeat",
                    "The command that makes the same choices again.",
                    [new DocumentCommand("Repeat these runs", request.Repeat)]
                ),
            ],
        };

    private static DocumentSection Verdicts(ClusterVerificationResult result) =>
        new(
            "Verdicts",
            "Each property with what the runs say of it, and what no cluster may do.",
            [
                new DocumentTable(
                    "Verdicts",
                    ["property", "verdict", "why"],
                    [
                        .. result.Answers.Select(answer =>
                            (IReadOnlyList<string>)
                                [
                                    answer.Property.ToString(),
                                    ClusterText.Word(answer.Holds, answer.Property.IsDecision, answer.Kind),
                                    ClusterRunText.Describe(answer),
                                ]
                        ),
                        .. result.Violations.Select(found =>
                            (IReadOnlyList<string>)
                                [
                                    found.Violation.Invariant,
                                    "violated",
                                    Invariant($"run {found.Run}: {found.Violation.What}"),
                                ]
                        ),
                        .. result.Reports.Select(found =>
                            (IReadOnlyList<string>)
                                [found.Report.Invariant, "reported", Invariant($"run {found.Run}: {found.Report.What}")]
                        ),
                    ]
                ),
            ]
        );

    private static DocumentSection Runs(ClusterVerificationResult result) =>
        new(
            "Runs",
            "What each run counted.",
            [
                new DocumentTable(
                    "Runs",
                    [
                        "run",
                        "published",
                        "owed",
                        "came",
                        "undelivered at the end",
                        "lost",
                        "not acknowledged and missing",
                        "racing",
                        "racing and missing",
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
                                        Invariant($"{index + 1}"),
                                        Invariant($"{run.Outcome.Publications}"),
                                        Invariant($"{run.Outcome.Owed}"),
                                        Invariant($"{run.Outcome.Owed - run.Outcome.Missing.Total}"),
                                        Invariant($"{run.Outcome.UndeliveredAtEnd}"),
                                        Invariant($"{run.Outcome.Lost}"),
                                        Invariant($"{run.Outcome.Missing.Unacknowledged}"),
                                        Invariant($"{run.Outcome.Racing}"),
                                        Invariant($"{run.Outcome.Missing.Racing}"),
                                        Invariant($"{run.Outcome.Duplicates}"),
                                        Invariant($"{run.Outcome.Reordered}"),
                                        run.Faults.Count == 0 && run.Outcome.RepairMilliseconds is null or 0
                                            ? "no fault"
                                            : Time(run.Outcome.RepairMilliseconds, run.Outcome),
                                        Time(run.Outcome.BlackoutMilliseconds, run.Outcome),
                                    ]
                        ),
                    ]
                ),
            ]
        );

    private static IEnumerable<DocumentSection> PredictedAndLive(IReadOnlyList<QuantityComparison> comparisons) =>
        comparisons.Count == 0
            ? []
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
                        ),
                    ]
                ),
            ];

    private static DocumentSection Timeline(Topology topology, ClusterVerificationResult result) =>
        new(
            "Timeline",
            "What went wrong in each run, and until when it lasted.",
            [
                new DocumentTable(
                    "Faults",
                    ["run", "fault", "until", "late by"],
                    [
                        .. result.Runs.SelectMany(
                            (run, index) =>
                                run.Faults.Select(fault =>
                                    (IReadOnlyList<string>)
                                        [
                                            Invariant($"{index + 1}"),
                                            ClusterRunText.FaultWords(topology, fault),
                                            fault.EndNanoseconds is { } end
                                                ? Invariant($"{end / 1e9:0.###} s")
                                                : "the end",
                                            Invariant($"{run.FaultLatenessNanoseconds / 1e6:0.#} ms"),
                                        ]
                                )
                        ),
                    ]
                ),
            ]
        );

    private static DocumentSection Links(Topology topology, ClusterVerificationResult result)
    {
        var expected = LinkLoads.PerPublication(topology);
        return new(
            "Links",
            "What entered each directed link in all runs; data include the probes between nodes.",
            [
                new DocumentTable(
                    "Links",
                    ["link", "data messages", "system messages", "packets", "bytes", "load messages expected"],
                    [
                        .. result
                            .Runs.SelectMany(run => run.Links)
                            .GroupBy(link => (link.From, link.To))
                            .Select(link =>
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
                ),
            ]
        );
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
