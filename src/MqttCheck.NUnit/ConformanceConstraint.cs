using MqttCheck.Testing;
using MqttCheck.Testing.Requirements;
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
    private readonly ConformanceRequirement _requirement = Requirement.Conformance();

    internal ConformanceConstraint() { }

    /// <inheritdoc/>
    public override string Description => _requirement.Description;

    /// <summary>Requires the recommendations of the standard (SHOULD) to be kept as well.</summary>
    public ConformanceConstraint IncludingShould()
    {
        _requirement.IncludingShould();
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
        return new DecisionResult(this, result, _requirement.Decide(result, NUnitHost.Current()));
    }
}
