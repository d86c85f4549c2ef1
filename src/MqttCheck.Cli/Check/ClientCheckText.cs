using MqttCheck.App.Check;
using MqttCheck.Cli.Terminal;
using MqttCheck.Conformance.Findings;
using static System.FormattableString;

namespace MqttCheck.Cli.Check;

/// <summary>Prints the findings about a client program.</summary>
internal static class ClientCheckText
{
    private const int ShownObservations = 40;

    /// <summary>Prints findings, the table of statements, and what it comes to.</summary>
    public static void Print(Screen screen, CheckDocument document, string output)
    {
        foreach (var finding in document.Findings.Where(finding => finding.ExplainedBy is null))
            Print(screen, finding, document.Findings);
        StatementTable.Print(screen, document);
        foreach (var seen in document.NotRepeated)
        {
            screen.Line(
                Invariant($"seen once: {seen.Key} ({Suspicion.DescribeRepetitions(seen.Hits, seen.Replays)}): ")
                    + seen.Observed
            );
            screen.Line($"  script:   {string.Join("; ", seen.Scenario)}");
            screen.Lines(seen.Transcript.TakeLast(ShownObservations).Select(line => $"    {line}"));
            screen.Line();
        }
        var musts = document.Findings.Count(finding => finding.Class == "MUST");
        screen.Line(
            Invariant($"{document.Broker}: {document.Findings.Count} findings, {musts} of them violate a MUST; ")
                + Invariant($"{document.Scenarios} scripts in {document.ExploringSeconds:0} s of exploration")
        );
        if (document.NotLookedInto.Count > 0)
            screen.Line($"not looked into, for want of time: {string.Join("; ", document.NotLookedInto)}");
        screen.Line($"findings: {output}");
        screen.Line($"repeat:   {document.Command}");
    }

    private static void Print(Screen screen, CheckedFinding finding, IReadOnlyList<CheckedFinding> all)
    {
        screen.Line(
            $"{finding.Statement} ({finding.Class}, MQTT {finding.Protocol}) {finding.Circumstances}".TrimEnd()
        );
        screen.Line($"  expected: {finding.Expected}");
        screen.Line($"  observed: {finding.Observed}");
        screen.Line($"  script:   {string.Join("; ", finding.Scenario)}");
        screen.Lines(finding.Transcript.Select(line => $"    {line}"));
        screen.Line(
            Invariant($"  repeated: {Finding.DescribeRepetitions(finding.Hits, finding.Replays)}; shrunk to ")
                + Invariant($"{finding.Scenario.Count} lines in {finding.ShrinkingSeconds:0.0} s")
        );
        if (finding.AlsoAs.Count > 0)
            screen.Line($"  also as:  {string.Join("; ", finding.AlsoAs)}");
        var key = $"{finding.Name}|{finding.Circumstances}";
        screen.Lines(
            all.Where(other => other.ExplainedBy == key)
                .Select(other => $"  may also cause: {other.Statement} {other.Circumstances}".TrimEnd())
        );
        screen.Line($"  repeat:   {finding.Repeat}");
        screen.Line(
            Invariant($"  share:    in {Math.Floor(100 * finding.LeastShare):0} % of the repetitions at least, ")
                + "with 95 % confidence"
        );
        screen.Line();
    }
}
