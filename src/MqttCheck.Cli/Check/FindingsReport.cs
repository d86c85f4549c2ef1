using System.Text.Json;
using MqttCheck.App.Check;
using MqttCheck.App.Runs;
using MqttCheck.Cli.Results;
using MqttCheck.Conformance.Findings;
using MqttCheck.Reports.Documents;
using MqttCheck.Reports.Formats;
using static System.FormattableString;

namespace MqttCheck.Cli.Check;

/// <summary>The findings of a check as a page, Markdown, and cases.</summary>
internal static class FindingsReport
{
    private static readonly JsonSerializerOptions s_options = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        WriteIndented = true,
        NewLine = "\n",
    };

    /// <summary>Findings that can be written.</summary>
    public static ReportOutput Output(CheckDocument findings, DateTimeOffset now)
    {
        var document = Document(findings, now);
        return new(
            Cases(findings, now),
            writer => HtmlDocument.Write(writer, document),
            writer => MarkdownDocument.Write(writer, document),
            stream => JsonSerializer.Serialize(stream, findings, s_options)
        );
    }

    private static ReportDocument Document(CheckDocument findings, DateTimeOffset now) =>
        new()
        {
            Title =
                findings.Subject == CheckDocument.Client
                    ? "Does the client do what the standard says?"
                    : "Does the broker answer as the standard says?",
            Headline = Headline(findings),
            Tone =
                Violations(findings) > 0 ? DocumentTone.Bad
                : findings.Interrupted || findings.Findings.Any(finding => finding.Replays == 0) ? DocumentTone.Warning
                : DocumentTone.Good,
            Lead = Lead(findings),
            GeneratedUtc = now,
            ToolVersion = Tool.Version,
            Warnings = [.. Warnings(findings)],
            Sections =
            [
                .. findings.Findings.Select(finding => new DocumentSection(
                    Title(finding),
                    finding.Expected,
                    [
                        new DocumentListing("What happened", [.. Lines(finding), .. finding.Transcript]),
                        new DocumentCommand("To repeat it", finding.Repeat),
                    ]
                )),
                new(
                    "Statements",
                    "How often each statement of the standard was judged, and how many findings violate it.",
                    [
                        new DocumentTable(
                            "Statements",
                            ["statement", "3.1.1", "5", "class", "judged", "findings", "remark"],
                            [
                                .. findings.Coverage.Select(line =>
                                    (IReadOnlyList<string>)
                                        [
                                            line.Name,
                                            line.In311,
                                            line.In5,
                                            line.Class,
                                            Invariant($"{line.Judged}"),
                                            Invariant($"{line.Findings}"),
                                            line.Remark,
                                        ]
                                ),
                            ]
                        ),
                    ]
                ),
            ],
        };

    // A statement passes if scenarios judged it and found no violation. A statement that no scenario judged is left
    // out.
    private static ReportedCases Cases(CheckDocument findings, DateTimeOffset now) =>
        new()
        {
            Suite = "check " + findings.Broker,
            GeneratedUtc = now,
            Headline = Headline(findings),
            Detail = Lead(findings),
            Warnings = [.. Warnings(findings).Select(warning => ("Note", warning))],
            Cases =
            [
                .. findings.Findings.Select(finding => new ReportedCase(
                    "check",
                    Title(finding),
                    IsViolation(finding) ? CaseOutcome.Failed : CaseOutcome.Skipped,
                    IsViolation(finding) ? "violated" : "deviates",
                    finding.Observed,
                    [finding.Expected, .. Lines(finding), .. finding.Transcript, "repeat: " + finding.Repeat]
                )),
                .. findings
                    .Coverage.Where(line => line is { Judged: > 0, Findings: 0 })
                    .Select(line => new ReportedCase(
                        "check",
                        line.Name,
                        CaseOutcome.Passed,
                        "kept",
                        Invariant($"judged {line.Judged} times"),
                        []
                    )),
            ],
        };

    private static IEnumerable<string> Lines(CheckedFinding finding)
    {
        yield return "observed: " + finding.Observed;
        yield return "scenario: " + string.Join("; ", finding.Scenario);
        yield return "repeated: " + Finding.DescribeRepetitions(finding.Hits, finding.Replays);
        if (finding.Load is { } load)
            yield return $"under: a load of {load}";
        foreach (var other in finding.Beside)
            yield return $"beside: {other}";
        if (finding.OnFreshBroker is { } shown)
            yield return $"on a fresh broker: {shown}";
        if (finding.ExplainedBy is { } cause)
            yield return "may follow from: " + cause;
    }

    private static IEnumerable<string> Warnings(CheckDocument findings)
    {
        if (findings.Interrupted)
            yield return "The check was interrupted; the result is partial.";
        if (findings.Findings.Any(finding => finding.Replays == 0))
            yield return "The broker was lost and could not be started again; the result is partial.";
        if (findings.NotRepeated.Count > 0)
            yield return Invariant($"{findings.NotRepeated.Count} deviations were seen and not confirmed: ")
                + Invariant($"{string.Join(", ", findings.NotRepeated.Select(seen => seen.Key))}.");
    }

    private static string Headline(CheckDocument findings) =>
        Violations(findings) switch
        {
            0 => findings.Findings.Count == 0 ? "No deviation found"
            : findings.Findings.Any(finding => finding.Replays == 0) ? "The broker was lost"
            : Invariant($"{findings.Findings.Count} deviations, none from a MUST"),
            1 => "1 violation of a MUST",
            var violations => Invariant($"{violations} violations of a MUST"),
        };

    private static string Lead(CheckDocument findings) =>
        Invariant($"{findings.Broker} {findings.BrokerVersion}, MQTT ")
        + Invariant($"{string.Join(" and ", findings.Protocols)}: {findings.Scenarios} ")
        + Invariant($"scenarios with {findings.Commands} commands in ")
        + Invariant($"{findings.ExploringSeconds:0.#} s of exploration, seed {findings.Seed}.");

    private static int Violations(CheckDocument findings) => findings.Findings.Count(IsViolation);

    private static bool IsViolation(CheckedFinding finding) => finding is { Class: "MUST", Replays: > 0 };

    private static string Title(CheckedFinding finding) =>
        $"{finding.Statement} ({finding.Class}, MQTT {finding.Protocol}) {finding.Circumstances}";
}
