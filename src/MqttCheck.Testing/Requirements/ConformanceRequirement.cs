using MqttCheck.Conformance.Model;
using MqttCheck.Requirements;
using MqttCheck.Testing.Reporting;

namespace MqttCheck.Testing.Requirements;

/// <summary>
/// The requirement that no statement of the standard is seen violated: of those that say MUST, with
/// <see cref="IncludingShould"/> also of those that say SHOULD. The message has the shortest scenario of each finding
/// with its transcript; the report has the statements that were judged besides.
/// </summary>
public sealed class ConformanceRequirement
{
    private bool _withShould;

    internal ConformanceRequirement() { }

    /// <summary>The requirement, in one line.</summary>
    public string Description =>
        $"the broker violates no statement of the MQTT standard that says MUST{(_withShould ? " or SHOULD" : "")}";

    /// <summary>Requires the recommendations of the standard (SHOULD) to be kept as well.</summary>
    public ConformanceRequirement IncludingShould()
    {
        _withShould = true;
        return this;
    }

    /// <summary>Looks at what a check found, and writes a report. It is never withheld.</summary>
    /// <param name="result">The result of <c>broker.Check(...)</c>.</param>
    /// <param name="host">The services of the test framework; null, the default, for none.</param>
    public Decision Decide(ConformanceResult result, TestHost? host = null)
    {
        ArgumentNullException.ThrowIfNull(result);
        host ??= new();
        var findings = result
            .Report.Findings.Where(finding =>
                finding.Statement.Class == StatementClass.Must
                || (_withShould && finding.Statement.Class == StatementClass.Should)
            )
            .ToArray();
        var document = ConformanceReport.Document(host, result, findings, Description);
        return new(
            findings.Length == 0 ? RequirementVerdict.Met : RequirementVerdict.Violated,
            Description,
            ConformanceReport.Actual(findings),
            ConformanceReport.Details(host, result, findings, TestReport.Write(host, document, Description))
        );
    }
}
