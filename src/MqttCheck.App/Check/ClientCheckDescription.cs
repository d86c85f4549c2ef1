using MqttCheck.Brokers.Loads;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Roles.Running;
using MqttCheck.Conformance.Roles.Searching;
using MqttCheck.Conformance.Roles.Watching;
using MqttCheck.Protocol;

namespace MqttCheck.App.Check;

/// <summary>A report on a client program as the file of findings has it.</summary>
internal sealed class ClientCheckDescription(ClientCheckRequest request)
{
    private const string NoOccasion = "no occasion in this run";

    /// <summary>The document of a report.</summary>
    public CheckDocument Of(ClientReport report, DateTimeOffset started, bool interrupted)
    {
        ProtocolVersion[] versions = [.. report.Versions.Order()];
        return new()
        {
            Subject = CheckDocument.Client,
            Broker = request.Program,
            BrokerVersion = "",
            Started = started,
            Interrupted = interrupted,
            BudgetSeconds = request.Budget.TotalSeconds,
            Command = request.CommandLine,
            Protocols = [.. versions.Select(BrokerVersions.Name)],
            Seed = request.Seed,
            Scenarios = report.Scripts,
            Commands = report.Acts,
            ExploringSeconds = Math.Round(report.Exploring.TotalSeconds, 1),
            Findings = [.. report.Findings.Select(Describe)],
            NotRepeated = [.. report.Suspicions.Select(NotRepeated)],
            NotLookedInto = [.. report.NotLookedInto.Keys],
            Coverage =
            [
                .. ClientStatements
                    .All.Where(statement => versions.Any(statement.AppliesTo))
                    .Select(statement => Describe(statement, report)),
            ],
        };
    }

    /// <summary>A run, one line for each packet, up to a deviation.</summary>
    public static IReadOnlyList<string> Transcript(PlayedRun run, Deviation? deviation) =>
        ClientTranscript.Of(run.Trace, deviation?.Entry ?? run.Trace.Count);

    private CheckedFinding Describe(ClientFinding finding) =>
        new()
        {
            Statement = finding.Id,
            Name = finding.Deviation.Statement.Name,
            Class = CheckDescription.Name(finding.Deviation.Statement.Class),
            Expected = finding.Deviation.Statement.Text,
            Observed = finding.Deviation.Explanation,
            Circumstances = finding.Deviation.Circumstances,
            AlsoAs = [.. finding.AlsoAs],
            ExplainedBy = finding.ExplainedBy,
            Protocol = BrokerVersions.Name(finding.Version),
            Scenario = [.. finding.Script.Acts.Select(act => act.ToString())],
            Replays = finding.Replays,
            Hits = finding.Hits,
            LeastShare = Math.Floor(finding.LeastShare * 1000) / 1000,
            ShrinkingSeconds = Math.Round(finding.Shrinking.TotalSeconds, 1),
            Transcript = Transcript(finding.Run, finding.Deviation),
            Repeat = request.RepeatOf(finding.Script.ToString(), finding.Repetitions),
        };

    private static NotRepeated NotRepeated(ClientFinding seen) =>
        new()
        {
            Key = seen.Deviation.Key,
            Times = 1,
            Replays = seen.Replays,
            Hits = seen.Hits,
            Observed = seen.Deviation.Explanation,
            Protocol = BrokerVersions.Name(seen.Version),
            Scenario = [.. seen.Script.Acts.Select(act => act.ToString())],
            Transcript = Transcript(seen.Run, seen.Deviation),
        };

    private CheckedStatement Describe(Statement statement, ClientReport report)
    {
        var judged = report.Exercised.GetValueOrDefault(statement);
        return new(
            statement.Name,
            statement.In311 ?? "",
            statement.In5 ?? "",
            CheckDescription.Name(statement.Class),
            judged,
            report.Findings.Count(finding => finding.Deviation.Statement == statement),
            !request.Counts(statement) ? "skipped"
                : judged > 0 ? ""
                : NoOccasion
        );
    }
}
