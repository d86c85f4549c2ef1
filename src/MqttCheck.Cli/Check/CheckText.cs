using MqttCheck.App.Check;
using MqttCheck.Brokers.Loads;
using MqttCheck.Cli.Terminal;
using MqttCheck.Conformance.Account;
using MqttCheck.Conformance.Checking;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using static System.FormattableString;

namespace MqttCheck.Cli.Check;

/// <summary>Prints a report of a check.</summary>
/// <param name="output">The file of findings.</param>
/// <param name="summary">The file of the summary, or null.</param>
internal sealed class CheckText(Screen screen, CheckRequest request, string output, string? summary)
{
    private const int ShownObservations = 40;
    private const int ShownTraces = 10;

    /// <summary>Prints findings, the table of statements, and what it comes to.</summary>
    public void Print(CheckAnswer answer)
    {
        var (report, document) = (answer.Report, answer.Document);
        foreach (var (finding, described) in report.Findings.Zip(document.Findings))
            if (finding.ExplainedBy is null)
                Print(finding, described, report.Findings);
        StatementTable.Print(screen, document);
        for (var i = 0; i < report.Suspicions.Count; i++)
            Print(report.Suspicions[i], withTrace: i < ShownTraces);
        PrintRates(document);
        PrintTotals(report, document);
        PrintNotLookedInto(document);
        screen.Line($"findings: {output}");
        if (summary is not null)
            screen.Line($"summary:  {summary}");
        screen.Line($"repeat:   {request.CommandLine}");
        PrintSeldom(report, document);
    }

    private void Print(Finding finding, CheckedFinding described, IReadOnlyList<Finding> all)
    {
        screen.Line(
            $"{finding.Id} ({CheckDescription.Name(finding.Statement.Class)}, MQTT "
                + $"{BrokerVersions.Name(finding.Scenario.Version)}) {finding.Circumstances}"
        );
        screen.Line($"  expected: {finding.Statement.Text}");
        screen.Line($"  observed: {finding.Names.Symbolic(finding.Deviation.Explanation)}");
        screen.Line($"  scenario: {finding.Scenario}");
        screen.Lines(Transcript.Of(finding).Select(line => $"    {line}"));
        screen.Line(
            Invariant($"  repeated: {finding.Repeated}; found with {finding.FoundWith} commands, shrunk ")
                + Invariant($"to {finding.Scenario.Steps.Count} in {finding.Shrinking.TotalSeconds:0.0} s")
        );
        if (finding.Load is { } load)
            screen.Line($"  under:    a load of {load}; without it the scenario did not show it");
        if (finding.Beside.Count > 0)
            screen.Line(
                Invariant($"  beside:   {finding.Beside.Count} scenarios of other clients, each again and again; ")
                    + "without them the scenario did not show it"
            );
        if (finding.AlsoAs.Count > 0)
            screen.Line($"  also as:  {string.Join("; ", finding.AlsoAs)}");
        screen.Lines(
            all.Where(other => other.ExplainedBy == finding.Key)
                .Select(folded => $"  may also cause: {folded.Id} {folded.Circumstances}: {folded.Scenario}")
        );
        screen.Line($"  repeat:   {described.Repeat}");
        if (finding.IsRepeated)
            screen.Line(
                Invariant($"  share:    in {100 * Floor(finding.LeastShare):0} % of the repetitions at least, ")
                    + "with 95 % confidence"
            );
        if (described.OnFreshBroker is { } shown)
            screen.Line($"  on a fresh broker: {shown}");
        screen.Line();
    }

    // A bound that is rounded up would promise more than it may.
    private static double Floor(double share) => Math.Floor(100 * share) / 100;

    private void PrintTotals(CheckReport report, CheckDocument document)
    {
        var musts = report.Findings.Count(finding =>
            finding.Statement.Class == StatementClass.Must && finding.IsRepeated
        );
        var once = report.Findings.Count(finding => !finding.IsRepeated);
        screen.Line(
            Invariant($"{document.Broker} {document.BrokerVersion}: {report.Findings.Count} findings, ")
                + Invariant($"{musts} of them violate a ")
                + Invariant($"MUST{(once > 0 ? $", {once} seen once and not repeated" : "")}; {report.Scenarios} ")
                + Invariant($"scenarios, {report.Commands} commands in {report.Exploring.TotalSeconds:0} s of ")
                + Invariant($"exploration ({report.Commands / Math.Max(.001, report.Exploring.TotalSeconds):0}/s)")
                + (document.Load is { } load ? $", under a load of {load}" : "")
        );
    }

    // The last observations say most, and the file has more of them.
    private void Print(Suspicion suspicion, bool withTrace)
    {
        screen.Line(
            Invariant($"seen once: {suspicion.Key} ({suspicion.Times} times, {suspicion.Repeated}): ")
                + suspicion.Names.Symbolic(suspicion.Deviation.Explanation)
        );
        screen.Line($"  scenario: {suspicion.Scenario}");
        if (withTrace)
            screen.Lines(Transcript.Of(suspicion).TakeLast(ShownObservations).Select(line => $"    {line}"));
        screen.Line();
    }

    private void PrintRates(CheckDocument document)
    {
        if (!request.WithRates)
            return;
        screen.Lines(
            document.Rates.Select(rate =>
                Invariant($"rate: {rate.Key}: {rate.PerMillion:0.##} per million commands ({rate.Scenarios} ")
                + Invariant($"scenarios; 95 % interval {rate.Lower:0.##} to {rate.Upper:0.##})")
            )
        );
        var none = DeviationRate.Of("", 0, document.Commands);
        screen.Line(
            Invariant($"rate: what was not seen in {document.Commands} commands happens less than ")
                + Invariant($"{none.Upper:0.##} times per million commands, with 95 % confidence")
        );
    }

    private void PrintNotLookedInto(CheckDocument document)
    {
        if (document.NotLookedInto.Count == 0)
            return;
        string[] statements = [.. document.NotLookedInto.Select(key => key.Split('|')[0]).Distinct()];
        screen.Line(
            Invariant($"not looked into before the time was over: {document.NotLookedInto.Count} kinds of deviation ")
                + $"({string.Join(", ", statements)}); check longer to have them repeated"
        );
    }

    private void PrintSeldom(CheckReport report, CheckDocument document)
    {
        ProtocolVersion[] versions =
        [
            .. new[] { ProtocolVersion.V311, ProtocolVersion.V5 }.Where(version =>
                document.Protocols.Contains(BrokerVersions.Name(version))
            ),
        ];
        var seldom = new SeldomJudged(
            report.Tally,
            report.Exercised,
            versions,
            request.Counts,
            request.WithMalformed
        ).Names();
        if (seldom.Count > 0)
            screen.Line(
                Invariant($"judged fewer than {SeldomJudged.Enough} times: {string.Join(", ", seldom)}; ")
                    + "check longer to have them judged"
            );
    }
}
