using System.Diagnostics;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Logs;
using MqttCheck.Reports.Documents;
using static System.FormattableString;

namespace MqttCheck.Testing.Reporting;

/// <summary>The words of a check against the standard: the message of a failing test, and its report.</summary>
internal static class ConformanceReport
{
    /// <summary>The observation, in one line.</summary>
    public static string Actual(IReadOnlyList<Finding> findings) =>
        findings.Count == 0
            ? "no violation"
            : Invariant($"{findings.Count} {(findings.Count == 1 ? "violation" : "violations")}: ")
                + Invariant($"{string.Join(", ", findings.Select(finding => finding.Id).Distinct())}");

    /// <summary>The lines below: each finding with its transcript, then what was explored.</summary>
    public static IReadOnlyList<string> Details(
        TestHost host,
        ConformanceResult result,
        IReadOnlyList<Finding> findings,
        string? report
    )
    {
        var lines = new List<string>();
        foreach (var finding in findings)
        {
            lines.Add("");
            lines.Add(Heading(finding));
            lines.AddRange(Lines(finding).Select(line => "  " + line));
        }
        if (findings.Count > 0)
            lines.Add("");
        lines.Add("Explored: " + Explored(result));
        lines.Add("Broker:   " + FailureMessage.DescribeBroker(result.Broker));
        lines.Add("Repeat:   " + FailureMessage.Repeat(host, result.Seed));
        if (report is not null)
            lines.Add("Report:   " + report);
        return lines;
    }

    /// <summary>The report.</summary>
    public static ReportDocument Document(
        TestHost host,
        ConformanceResult result,
        IReadOnlyList<Finding> findings,
        string requirement
    )
    {
        var others = result.Report.Findings.Except(findings).ToArray();
        return new()
        {
            Title = "Does the broker conform to the standard?",
            Headline =
                findings.Count == 0
                    ? "No violation found"
                    : Invariant($"{findings.Count} {(findings.Count == 1 ? "violation" : "violations")}"),
            Tone = findings.Count == 0 ? DocumentTone.Good : DocumentTone.Bad,
            Lead = $"Required: {requirement}. Explored: {Explored(result)}.",
            GeneratedUtc = TimeProvider.System.GetUtcNow(),
            ToolVersion = TestReport.ToolVersion,
            Warnings = result.Report.BrokerLost
                ? ["The broker was lost; what would have come after is not known."]
                : [],
            Sections =
            [
                .. findings.Select(finding => new DocumentSection(
                    Heading(finding),
                    finding.Statement.Text,
                    [new DocumentListing("The shortest scenario and what happened", [.. Lines(finding)])]
                )),
                .. others.Select(finding => new DocumentSection(
                    $"Not counted: {Heading(finding)}",
                    finding.Statement.Text,
                    [new DocumentListing("The shortest scenario and what happened", [.. Lines(finding)])]
                )),
                Judged(result),
                Environment(host, result),
            ],
        };
    }

    private static DocumentSection Judged(ConformanceResult result) =>
        new(
            "Statements",
            "How often each statement of the standard was judged; one that was never judged is neither "
                + "kept nor violated.",
            [
                new DocumentTable(
                    "Statements",
                    ["statement", "class", "judged", "demands"],
                    [
                        .. Statements
                            .All.Where(statement => result.Versions.Any(statement.AppliesTo))
                            .Select(statement =>
                                (IReadOnlyList<string>)
                                    [
                                        statement.Name,
                                        Name(statement),
                                        Invariant($"{result.Report.Exercised.GetValueOrDefault(statement)}"),
                                        statement.Text,
                                    ]
                            ),
                    ]
                ),
            ]
        );

    private static DocumentSection Environment(TestHost host, ConformanceResult result)
    {
        var machine = MachineInformation.Current();
        return new(
            "Environment",
            "The result holds for this broker and these settings.",
            [
                new DocumentTable(
                    "Environment",
                    ["what", "value"],
                    [
                        ["broker", FailureMessage.DescribeBroker(result.Broker)],
                        ["seed", Invariant($"{result.Seed}")],
                        ["machine", TestReport.Describe(machine)],
                    ]
                ),
                new DocumentCommand("To repeat the test", FailureMessage.Repeat(host, result.Seed)),
            ]
        );
    }

    private static string Heading(Finding finding) =>
        $"{finding.Id} ({Name(finding.Statement)}, MQTT {ConformanceResult.Name(finding.Scenario.Version)}) "
        + $"{finding.Circumstances}";

    private static IEnumerable<string> Lines(Finding finding)
    {
        yield return "expected: " + finding.Statement.Text;
        yield return "observed: " + finding.Names.Symbolic(finding.Deviation.Explanation);
        yield return "scenario: " + finding.Scenario;
        foreach (var line in Transcript.Of(finding))
            yield return "  " + line;
        yield return Invariant($"repeated: {finding.Repeated}; found with {finding.FoundWith} commands, shrunk to ")
            + Invariant($"{finding.Scenario.Steps.Count} in {finding.Shrinking.TotalSeconds:0.0} s");
    }

    private static string Explored(ConformanceResult result) =>
        Invariant($"{result.Report.Scenarios} scenarios, {result.Report.Commands} commands in ")
        + Invariant($"{result.Report.Exploring.TotalSeconds:0.0} s, MQTT ")
        + Invariant($"{string.Join(" and ", result.Versions.Select(ConformanceResult.Name))}, seed ")
        + Invariant($"{result.Seed}");

    private static string Name(Statement statement) =>
        statement.Class switch
        {
            StatementClass.Must => "MUST",
            StatementClass.Should => "SHOULD",
            StatementClass.Option or StatementClass.Configuration => statement.Class.ToString().ToLowerInvariant(),
            _ => throw new UnreachableException(),
        };
}
