using MqttCheck.Conformance.Model;
using MqttCheck.NUnit.Reporting;
using NUnit.Framework.Constraints;

namespace MqttCheck.NUnit;

/// <summary>
/// The requirement that no statement of the standard is seen violated: of those that say MUST, with
/// <see cref="IncludingShould"/> also of those that say SHOULD. The message of a failure has the shortest scenario of
/// each finding with its transcript; the report, attached to the test's result, has the statements that were judged
/// besides.
/// </summary>
public sealed class ConformanceConstraint : Constraint
{
    private bool _withShould;

    internal ConformanceConstraint() { }

    /// <inheritdoc/>
    public override string Description =>
        $"the broker violates no statement of the MQTT standard that says MUST{(_withShould ? " or SHOULD" : "")}";

    /// <summary>What the standard recommends must be kept as well.</summary>
    public ConformanceConstraint IncludingShould()
    {
        _withShould = true;
        return this;
    }

    /// <inheritdoc/>
    public override ConstraintResult ApplyTo<TActual>(TActual actual)
    {
        if (actual is not ConformanceResult result)
            throw new ArgumentException(
                $"The value is a {actual?.GetType().Name ?? "null"}; allowed: a ConformanceResult, as "
                    + "broker.Check(...) yields it.",
                nameof(actual)
            );
        var findings = result
            .Report.Findings.Where(finding =>
                finding.Statement.Class == StatementClass.Must
                || (_withShould && finding.Statement.Class == StatementClass.Should)
            )
            .ToArray();
        var report = TestReport.Write(ConformanceReport.Document(result, findings, Description), Description);
        return new LinesResult(
            this,
            result,
            findings.Length == 0,
            ConformanceReport.Actual(findings),
            ConformanceReport.Details(result, findings, report)
        );
    }
}
