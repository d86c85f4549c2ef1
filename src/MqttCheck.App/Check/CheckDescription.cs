using MqttCheck.Brokers.Loads;
using MqttCheck.Conformance.Checking;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;

namespace MqttCheck.App.Check;

/// <summary>A report of a check as the file of findings has it.</summary>
/// <param name="request">The parameters of the check.</param>
/// <param name="onFresh">The result of each finding's command on a fresh broker, by its key.</param>
internal sealed class CheckDescription(CheckRequest request, IReadOnlyDictionary<string, string> onFresh)
{
    /// <summary>The remark of a statement that was never judged.</summary>
    public const string NoOccasion = "no occasion in this run";

    /// <summary>The document of a report.</summary>
    /// <param name="broker">The broker as the user named it, and its version.</param>
    /// <param name="versions">The versions that were checked.</param>
    public CheckDocument Of(
        CheckReport report,
        IReadOnlyList<ProtocolVersion> versions,
        (string Name, string Version) broker,
        DateTimeOffset started,
        bool interrupted
    ) =>
        new()
        {
            Broker = broker.Name,
            BrokerVersion = broker.Version,
            Started = started,
            Interrupted = interrupted,
            BudgetSeconds = request.Budget.TotalSeconds,
            Command = request.CommandLine,
            Protocols = [.. versions.Select(BrokerVersions.Name)],
            Seed = request.Seed,
            Scenarios = report.Scenarios,
            Commands = report.Commands,
            ExploringSeconds = Math.Round(report.Exploring.TotalSeconds, 1),
            Load = request.Load?.Text,
            Rates = !request.WithRates
                ? []
                :
                [
                    .. report
                        .Deviations.OrderBy(pair => pair.Key, StringComparer.Ordinal)
                        .Select(pair => DeviationRate.Of(pair.Key, pair.Value, report.Commands)),
                ],
            NotRepeated = [.. report.Suspicions.Select(Describe)],
            NotLookedInto = [.. report.NotLookedInto.Select(deviation => deviation.Key)],
            Findings = [.. report.Findings.Select(Describe)],
            Coverage =
            [
                .. Statements
                    .All.Where(statement => versions.Any(statement.AppliesTo))
                    .Select(statement =>
                    {
                        var judged = report.Exercised.GetValueOrDefault(statement);
                        var findings = report.Findings.Count(finding => finding.Statement == statement);
                        return new CheckedStatement(
                            statement.Name,
                            statement.In311 ?? "",
                            statement.In5 ?? "",
                            Name(statement.Class),
                            judged,
                            findings,
                            Remark(statement, Math.Max(judged, findings))
                        );
                    }),
            ],
        };

    private static NotRepeated Describe(Suspicion suspicion) =>
        new()
        {
            Key = suspicion.Key,
            Times = suspicion.Times,
            Replays = suspicion.Replays,
            Hits = suspicion.Hits,
            Observed = suspicion.Names.Symbolic(suspicion.Deviation.Explanation),
            Protocol = BrokerVersions.Name(suspicion.Scenario.Version),
            Scenario = [.. suspicion.Scenario.Steps.Select(step => step.ToString())],
            Transcript = Transcript.Of(suspicion),
        };

    private CheckedFinding Describe(Finding finding) =>
        new()
        {
            Statement = finding.Id,
            Name = finding.Statement.Name,
            Class = Name(finding.Statement.Class),
            Expected = finding.Statement.Text,
            Observed = finding.Names.Symbolic(finding.Deviation.Explanation),
            Circumstances = finding.Circumstances,
            AlsoAs = [.. finding.AlsoAs],
            ExplainedBy = finding.ExplainedBy,
            Protocol = BrokerVersions.Name(finding.Scenario.Version),
            Scenario = [.. finding.Scenario.Steps.Select(step => step.ToString())],
            Replays = finding.Replays,
            Hits = finding.Hits,
            LeastShare = Math.Floor(finding.LeastShare * 1000) / 1000,
            ShrinkingSeconds = Math.Round(finding.Shrinking.TotalSeconds, 1),
            Transcript = Transcript.Of(finding),
            Load = finding.Load,
            Beside = [.. finding.Beside.Select(scenario => scenario.ToString())],
            OnFreshBroker = onFresh.GetValueOrDefault(finding.Key),
            Repeat = request.RepeatOf(finding),
        };

    private string Remark(Statement statement, long judged) =>
        !request.Counts(statement) ? "skipped"
        : judged > 0 ? ""
        : statement.WhyNotExercised
            ?? (
                statement == Statements.Available || statement == Statements.NoFlood
                    ? "judged all the time"
                    : NoOccasion
            );

    /// <summary>The class of a statement in words.</summary>
    public static string Name(StatementClass statementClass) =>
        statementClass == StatementClass.Must ? "MUST"
        : statementClass == StatementClass.Should ? "SHOULD"
        : statementClass.ToString().ToLowerInvariant();
}
