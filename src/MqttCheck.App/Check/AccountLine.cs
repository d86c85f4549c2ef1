using MqttCheck.Conformance.Account;
using MqttCheck.Conformance.Checking;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;

namespace MqttCheck.App.Check;

/// <summary>A statement of the standard, and the result of a check for it.</summary>
/// <param name="Statement">The statement.</param>
/// <param name="Judged">How often it was judged.</param>
/// <param name="Violated">The class of the worst finding that violates it; null if none does.</param>
/// <param name="IsSeen">Whether a deviation from it was seen that is no finding: nobody could repeat it or had time to,
/// or it may follow from another one.</param>
internal sealed record AccountLine(StandardStatement Statement, long Judged, StatementClass? Violated, bool IsSeen)
{
    /// <summary>All statements of the standard.</summary>
    public static IReadOnlyList<AccountLine> Of(CheckReport report)
    {
        var findings = report.Findings.Where(finding => finding is { IsRepeated: true, ExplainedBy: null }).ToList();
        var others = report.Findings.Except(findings).ToList();
        return
        [
            .. StandardAccount.All.Select(statement => new AccountLine(
                statement,
                statement.Judged(report.Tally),
                findings
                    .Where(finding => IsOf(finding.Deviation, finding.Scenario.Version, statement))
                    .Select(finding => (StatementClass?)finding.Statement.Class)
                    .Min(),
                others.Exists(finding => IsOf(finding.Deviation, finding.Scenario.Version, statement))
                    || report.Suspicions.Any(one => IsOf(one.Deviation, one.Scenario.Version, statement))
                    || report.NotLookedInto.Any(one => IsOf(one, statement))
            )),
        ];
    }

    private static bool IsOf(Deviation deviation, ProtocolVersion version, StandardStatement statement) =>
        (version == ProtocolVersion.V5) == (statement.Version == ProtocolVersion.V5) && IsOf(deviation, statement);

    private static bool IsOf(Deviation deviation, StandardStatement statement) =>
        statement.JudgedBy.Any(by => by.Statement == deviation.Statement && IsIn(deviation, statement, by));

    // The circumstances name the number of a broken rule of the wire format, and the name of a defect.
    private static bool IsIn(Deviation deviation, StandardStatement statement, JudgedBy by) =>
        by.Statement == Statements.Encoding
            ? deviation.Circumstances.StartsWith(statement.Id + " ", StringComparison.Ordinal)
            : deviation.Circumstances.Contains(by.Situation, StringComparison.Ordinal);
}
