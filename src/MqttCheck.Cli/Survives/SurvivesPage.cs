using MqttCheck.App.Clusters.Survival;
using MqttCheck.App.Runs;
using MqttCheck.Cli.Cluster.Pages;
using MqttCheck.Cli.Results;
using MqttCheck.Reports.Documents;
using MqttCheck.Sequential;
using MqttCheck.Text;
using static System.FormattableString;

namespace MqttCheck.Cli.Survives;

/// <summary>Writes the page: the sentence that answers, the table, what was lost, and how it was measured.</summary>
internal static class SurvivesPage
{
    /// <summary>Writes the page.</summary>
    public static void Write(
        string path,
        SurvivalRequest request,
        SurvivalAnswer answer,
        Func<SurvivalCell, string> repeat,
        DateTimeOffset now
    )
    {
        using var text = new StringWriter();
        HtmlDocument.Write(text, Document(request, answer, repeat, now));
        AtomicFile.Write(path, text.ToString());
    }

    /// <summary>The page as a document.</summary>
    public static ReportDocument Document(
        SurvivalRequest request,
        SurvivalAnswer answer,
        Func<SurvivalCell, string> repeat,
        DateTimeOffset now
    ) =>
        new()
        {
            Title = $"What does an acknowledged message survive at {request.Topology.Name}?",
            Headline = SurvivesText.Answer(answer) + ".",
            Tone = answer.Conclusion.Tone(),
            Lead =
                $"{answer.Broker.Name} {answer.Broker.Version}: {Counted.Of(answer.Runs, "run")} with "
                + $"{Counted.Of(answer.Table.TriedRows.Count, "fault")}. {SurvivesText.Survivors(answer)}",
            GeneratedUtc = now,
            ToolVersion = Tool.Version,
            Sections =
            [
                Table(answer),
                .. Lost(answer, repeat),
                .. Worst(request, answer),
                Measured(request, answer),
                new(
                    "Repeat",
                    "The command that makes the same choices again.",
                    [new DocumentCommand("Repeat the whole table", request.Repeat)]
                ),
            ],
        };

    private static DocumentSection Table(SurvivalAnswer answer) =>
        new(
            "What survives",
            "A row for each fault, a column for each thing that a broker promises to keep.",
            [
                new DocumentTable(
                    "What survives",
                    ["fault", .. answer.Table.Columns.Select(column => column.Title)],
                    [
                        .. answer.Table.Rows.Select(row =>
                            (IReadOnlyList<string>)
                                [
                                    row.Title,
                                    .. answer.Table.Columns.Select(column =>
                                        SurvivesText.Words(answer.Table[row, column], answer.Plan)
                                    ),
                                ]
                        ),
                    ]
                )
                {
                    IsText = true,
                },
            ]
        );

    private static IEnumerable<DocumentSection> Lost(SurvivalAnswer answer, Func<SurvivalCell, string> repeat) =>
        answer.Lost.Count == 0
            ? []
            :
            [
                new(
                    "What was lost",
                    "One example for each cell that says no, and the command that repeats it.",
                    [
                        .. answer.Lost.Select(cell => new DocumentCommand(
                            Invariant($"{cell.Row.Title}: {cell.Column.Title}: {SurvivesText.Loss(cell)} in run ")
                                + Invariant($"{cell.FirstRun}. {Sentence(cell.First!.Value.Example)}"),
                            repeat(cell)
                        )),
                    ]
                ),
            ];

    private static IEnumerable<DocumentSection> Worst(SurvivalRequest request, SurvivalAnswer answer)
    {
        if (answer.Worst is not { } worst)
            yield break;
        var (row, number, history) = worst;
        var lost = ClusterRunSentence.Number(history.Lost.Total);
        yield return new(
            "What became of each message",
            "The run that lost most messages. Shaded times are faults.",
            [
                ClusterRunPicture.Of(
                    request.Topology,
                    history,
                    Invariant($"{Sentence(row.Title)} Run {number}: ")
                        + $"{ClusterRunSentence.Number(history.Published)} messages, {lost} lost"
                ),
            ]
        );
    }

    private static DocumentSection Measured(SurvivalRequest request, SurvivalAnswer answer)
    {
        var load = request.Load;
        var scenario = load.ScenarioOf(request.Topology, answer.Table.MaximumQos, []);
        return new(
            "How it was measured",
            "The load, the faults and the error of the bounds.",
            [
                new DocumentTable(
                    "How it was measured",
                    ["what", "how"],
                    [
                        ["broker", $"{answer.Broker.Name} {answer.Broker.Version}, settings: {answer.Broker.Settings}"],
                        ["load", LoadOf(load, scenario.Workload!)],
                        ["faults", $"{load.FaultTime}: times are drawn in each run"],
                        ["end of a run", EndOf(load)],
                        ["runs", Invariant($"{answer.Runs}; {SurvivesText.Time(answer)}")],
                        .. SurvivesText.Meaning(answer).Select(line => (IReadOnlyList<string>)["meaning", line]),
                    ]
                )
                {
                    IsText = true,
                },
            ]
        );
    }

    private static string LoadOf(SurvivalLoad load, Profiles.Workloads.Workload workload) =>
        Invariant($"{Counted.Of(workload.Publishers, "publisher")}, each with a reader of its own whose session ")
        + Invariant($"outlives its connection, {workload.MessagesPerSecond:0} messages a second for ")
        + Invariant(
            $"{load.Duration.TotalSeconds:0.#} s; half of the readers are away for {load.Away.TotalSeconds:0.#} s "
        )
        + "while the fault happens; at each broker a client writes ten retained messages a second";

    private static string EndOf(SurvivalLoad load) =>
        "as soon as everything acknowledged has come; where something is missing, "
        + Invariant($"{load.Patience.Missing.TotalSeconds:0} s after the last message");

    private static string Sentence(string example) =>
        example.Length == 0 ? "" : $"{char.ToUpperInvariant(example[0])}{example[1..]}.";
}
