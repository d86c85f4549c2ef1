using MqttCheck.Requirements;
using MqttCheck.Testing;
using MqttCheck.Testing.Requirements;
using NUnit.Framework;
using NUnit.Framework.Constraints;

namespace MqttCheck.NUnit;

/// <summary>
/// A constraint on a <see cref="Measurement"/>: it makes runs until a sequential test decides or the time ends, writes
/// a report, and attaches it to the test's result.
/// </summary>
/// <remarks>
/// Without a verdict the test fails and says so: a gate that cannot tell must not open, and <c>dotnet test</c> ends
/// with success when a test is inconclusive. <c>InconclusiveWithoutVerdict()</c> makes it inconclusive instead. In both
/// cases an exception ends the test, so that negation cannot turn "not known" into success.
/// </remarks>
public abstract class MeasuringConstraint : Constraint
{
    private readonly MeasuringRequirement _requirement;

    private protected MeasuringConstraint(MeasuringRequirement requirement) => _requirement = requirement;

    /// <inheritdoc/>
    public override string Description => _requirement.Description;

    private protected bool IsInconclusiveWithoutVerdict { get; set; }

    /// <inheritdoc/>
    public override ConstraintResult ApplyTo<TActual>(TActual actual)
    {
        if (actual is not Measurement measurement)
            throw new ArgumentException(
                $"The value is a {actual?.GetType().Name ?? "null"}; allowed: a Measurement, as broker.Measure(...) or "
                    + "Measure.Sequences(...) yields it.",
                nameof(actual)
            );
        var decision = _requirement.Decide(measurement, NUnitHost.Current());
        if (decision.Verdict != RequirementVerdict.Withheld)
            return new DecisionResult(this, measurement, decision);
        if (IsInconclusiveWithoutVerdict)
            throw new InconclusiveException(DecisionResult.TextOf(decision));
        throw new AssertionException(DecisionResult.TextOf(decision));
    }

    /// <inheritdoc/>
    public override async Task<ConstraintResult> ApplyToAsync<TActual>(Func<Task<TActual>> taskDel)
    {
        ArgumentNullException.ThrowIfNull(taskDel);
        var actual = await taskDel();
        // The runs block a thread; the test's own may be the only one of its kind.
        return await Task.Run(() => ApplyTo(actual));
    }
}
