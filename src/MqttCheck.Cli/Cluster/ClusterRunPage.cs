using MqttCheck.App.Clusters.Runs;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Cluster.Pages;
using MqttCheck.Cli.Results;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Properties.Histories;
using MqttCheck.Clusters.Topologies;
using MqttCheck.LiveClusters.Verdicts;
using MqttCheck.Reports.Documents;
using MqttCheck.Reports.Documents.Lanes;
using MqttCheck.Sequential;
using MqttCheck.Text;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Cli.Cluster;

/// <summary>
/// Writes the page of a cluster's runs: the answer, what became of each message, what went wrong, and then the numbers.
/// </summary>
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

    // The pictures of a page have so many marks together at most: some hundred thousand bytes.
    private const int MostMarks = 40_000;

    private static ReportDocument Document(
        ClusterRunRequest request,
        BrokerDescription broker,
        ClusterVerificationResult result,
        DateTimeOffset now
    ) =>
        new()
        {
            Title = $"Does cluster {request.Topology.Name} do what is asked of it?",
            Headline = ClusterRunSentence.Of(request.Topology, result),
            Tone = result.Conclusion.Tone(),
            Lead =
                $"{Counted.Of(result.Runs.Count, "live run")} of "
                + Invariant($"{request.Topology.Duration.TotalSeconds:0.###} s ")
                + (result.Runs.Count == 1 ? "on " : "each on ")
                + $"{request.Topology.System.Name()} {broker.Version}".TrimEnd()
                + $" with load '{request.Topology.Load.Name}'.",
            GeneratedUtc = now,
            ToolVersion = Tool.Version,
            Warnings =
            [
                .. result.Runs.Select(run => run.Failure).OfType<string>().Distinct(),
                .. result.EndedBy is { } ended ? [ended] : Array.Empty<string>(),
            ],
            Sections =
            [
                .. Pictures(request.Topology, result),
                .. Wrong(result),
                .. Asked(result),
                ClusterRunTables.Runs(result),
                .. ClusterRunTables.PredictedAndLive(result),
                .. ClusterRunTables.Faults(request.Topology, result),
                ClusterRunTables.Links(request.Topology, result),
                .. Seen(result),
                new(
                    "Repeat",
                    "The command that makes the same choices again.",
                    [new DocumentCommand("Repeat these runs", request.Repeat)]
                ),
            ],
        };

    /// <summary>The runs, the one that lost most first, by their numbers from 0.</summary>
    internal static IReadOnlyList<int> WorstFirst(IReadOnlyList<ClusterRunRecord> runs) =>
        [
            .. Enumerable
                .Range(0, runs.Count)
                .OrderByDescending(run => runs[run].Outcome.History?.Lost.Total)
                .ThenByDescending(run => runs[run].Outcome.Violations.Count)
                .ThenByDescending(run => runs[run].Outcome.Missing.Total)
                .ThenBy(run => run),
        ];

    private static IEnumerable<DocumentSection> Pictures(Topology topology, ClusterVerificationResult result)
    {
        var (marks, drawn) = (0, new List<LanePicture>());
        foreach (var run in WorstFirst(result.Runs))
        {
            if (result.Runs[run].Outcome.History is not { } history)
                continue;
            var picture = ClusterRunPicture.Of(topology, history, TitleOf(run, history));
            marks += picture.Marks;
            if (drawn.Count > 0 && marks > MostMarks)
                break;
            drawn.Add(picture);
        }
        if (drawn.Count == 0)
            yield break;
        var left = result.Runs.Count - drawn.Count;
        yield return new(
            "What became of each message",
            (drawn.Count > 1 ? "The run that lost most stands first. " : "")
                + (
                    drawn.Exists(picture => picture.Moments.Count > 0)
                        ? "Shaded times are faults; what was sent then is most in danger."
                        : "Nothing was made to fail."
                ),
            [
                drawn[0],
                .. drawn.Skip(1).Select(picture => new DocumentFold(picture.Title, [picture])),
                .. left > 0
                    ? [new DocumentNote(Invariant($"{left} runs that lost no more are not drawn; they stand below."))]
                    : Array.Empty<DocumentBlock>(),
            ]
        );
    }

    private static string TitleOf(int run, RunHistory history) =>
        Invariant($"Run {run + 1}: {ClusterRunSentence.Number(history.Published)} messages, ")
        + (history.Lost.Total == 0 ? "none lost" : $"{ClusterRunSentence.Number(history.Lost.Total)} lost");

    private static IEnumerable<DocumentSection> Wrong(ClusterVerificationResult result)
    {
        var stories = ClusterRunStories.Of(result, decides: true);
        if (stories.Count > 0)
            yield return new(
                "What went wrong",
                "Each kind of violation with its number, and the shortest history that shows it. Times count from the "
                    + "first message.",
                stories
            );
    }

    private static IEnumerable<DocumentSection> Seen(ClusterVerificationResult result)
    {
        var stories = ClusterRunStories.Of(result, decides: false);
        if (stories.Count > 0)
            yield return new(
                "Also seen",
                "It violates no standard and no promise of these brokers, and is worth knowing.",
                [new DocumentFold(Counted.Of(stories.OfType<DocumentStory>().Count(), "observation"), stories)]
            );
    }

    private static IEnumerable<DocumentSection> Asked(ClusterVerificationResult result)
    {
        if (result.Answers.Count > 0)
            yield return new(
                "What was asked",
                "Each property with what the runs say of it.",
                [
                    new DocumentTable(
                        "Properties",
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
                        ]
                    )
                    {
                        IsText = true,
                    },
                ]
            );
    }
}
