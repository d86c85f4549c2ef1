using System.Globalization;
using System.Text;
using MqttCheck.App.Check;
using MqttCheck.Conformance.Findings;

namespace MqttCheck.Cli.Check;

/// <summary>The summary of a check, in Markdown.</summary>
internal static class CheckSummary
{
    /// <summary>The text.</summary>
    public static string Of(CheckDocument document)
    {
        var text = new StringBuilder();
        var culture = CultureInfo.InvariantCulture;
        text.Append(culture, $"## {document.Broker} {document.BrokerVersion}\n\n");
        text.Append(culture, $"    {document.Command}\n\n");
        text.Append(
            culture,
            $"{document.Started.UtcDateTime:yyyy-MM-dd}, "
                + $"{TimeSpan.FromSeconds(document.BudgetSeconds).TotalMinutes:0.#} minutes, MQTT "
                + $"{string.Join(" and ", document.Protocols)}{(document.Interrupted ? ", interrupted" : "")}: "
        );
        text.Append(
            culture,
            $"{document.Scenarios} scenarios, {document.Commands} "
                + $"commands in {document.ExploringSeconds:0} s of exploration; "
        );
        text.Append(
            culture,
            $"{document.Findings.Count} findings, "
                + $"{document.Findings.Count(finding => finding is { Class: "MUST", Replays: > 0 })} "
                + $"of them violate a MUST.\n\n"
        );
        if (document.Findings.Count > 0)
        {
            text.Append(
                "| statement | class | MQTT | observed | smallest scenario | "
                    + "repeated | may follow from |\n|---|---|---|---|---|---|---|\n"
            );
            foreach (var finding in document.Findings)
                text.Append(
                    culture,
                    $"| {finding.Statement} | {finding.Class} | {finding.Protocol} | {Cell(finding.Observed)} "
                        + $"| {string.Join("<br>", finding.Scenario.Select(line => $"`{Cell(line)}`"))} | "
                        + $"{Repeated(finding)} | {Cell(finding.ExplainedBy ?? "")} |\n"
                );
            text.Append('\n');
        }
        if (document.NotRepeated.Count > 0)
        {
            var entries = document.NotRepeated.Select(entry =>
                $"{Cell(entry.Key)} ({Suspicion.DescribeRepetitions(entry.Hits, entry.Replays)})"
            );
            text.Append(culture, $"Seen and not confirmed, so not counted: {string.Join("; ", entries)}.\n\n");
        }
        text.Append("| statement | 3.1.1 | 5 | class | judged | findings | remark |\n|---|---|---|---|---|---|---|\n");
        foreach (var line in document.Coverage)
            text.Append(
                culture,
                $"| {line.Name} | {line.In311} | {line.In5} | {line.Class} "
                    + $"| {line.Judged} | {line.Findings} | {line.Remark} |\n"
            );
        text.Append('\n');
        return text.ToString();
    }

    // Long names say nothing more than short ones, and a bar would end the cell.
    private static string Repeated(CheckedFinding finding) =>
        finding.Replays == 0 ? "not: seen once, then the broker was lost"
        : finding.Hits < finding.Replays ? $"{finding.Hits} of {finding.Replays}, flaky"
        : $"{finding.Hits} of {finding.Replays}";

    private static string Cell(string text) =>
        (text.Length <= 200 ? text : $"{text[..160]}... ({text.Length} characters)").Replace(
            "|",
            "\\|",
            StringComparison.Ordinal
        );
}
