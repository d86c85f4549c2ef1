using MqttCheck.Conformance.Checking;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;

namespace MqttCheck.Conformance.Account;

/// <summary>A statement of the standard, and the result of a check for it.</summary>
/// <param name="Statement">The statement.</param>
/// <param name="Judged">How often it was judged.</param>
/// <param name="Violated">The class of the worst finding that violates it; null if none does.</param>
internal sealed record AccountLine(StandardStatement Statement, long Judged, StatementClass? Violated)
{
    /// <summary>All statements of the standard. Findings that may follow from others are left out.</summary>
    public static IReadOnlyList<AccountLine> Of(CheckReport report)
    {
        var findings = report.Findings.Where(finding => finding is { IsRepeated: true, ExplainedBy: null }).ToList();
        return
        [
            .. StandardAccount.All.Select(statement => new AccountLine(
                statement,
                statement.Judged(report.Tally),
                findings
                    .Where(finding => IsOf(finding, statement))
                    .Select(finding => (StatementClass?)finding.Statement.Class)
                    .Min()
            )),
        ];
    }

    private static bool IsOf(Finding finding, StandardStatement statement) =>
        (finding.Scenario.Version == Protocol.ProtocolVersion.V5) == (statement.Version == Protocol.ProtocolVersion.V5)
        && statement.JudgedBy.Any(by => by.Statement == finding.Statement && IsIn(finding, statement, by));

    // What breaks a rule of the wire format names its number in the circumstances, and a defect its name.
    private static bool IsIn(Finding finding, StandardStatement statement, JudgedBy by) =>
        by.Statement == Statements.Encoding
            ? finding.Circumstances.StartsWith(statement.Id + " ", StringComparison.Ordinal)
            : finding.Circumstances.Contains(by.Situation, StringComparison.Ordinal);
}
