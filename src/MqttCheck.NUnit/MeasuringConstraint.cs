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
/// <typeparam name="TSelf">The constraint itself.</typeparam>
/// <typeparam name="TRequirement">The requirement that it wraps.</typeparam>
public abstract class MeasuringConstraint<TSelf, TRequirement> : Constraint
    where TSelf : MeasuringConstraint<TSelf, TRequirement>
    where TRequirement : MeasuringRequirement
{
    private bool _isInconclusiveWithoutVerdict;

    private protected MeasuringConstraint(TRequirement requirement) => Wrapped = requirement;

    /// <inheritdoc/>
    public override string Description => Wrapped.Description;

    private protected TRequirement Wrapped { get; }

    /// <summary>Without a verdict the test is inconclusive instead of failing.</summary>
    public TSelf InconclusiveWithoutVerdict()
    {
        _isInconclusiveWithoutVerdict = true;
        return (TSelf)this;
    }

    /// <inheritdoc/>
    public override ConstraintResult ApplyTo<TActual>(TActual actual)
    {
        if (actual is not Measurement measurement)
            throw new ArgumentException(
                $"The value is a {actual?.GetType().Name ?? "null"}; allowed: a Measurement, as broker.Measure(...) or "
                    + "Measure.Sequences(...) yields it.",
                nameof(actual)
            );
        var decision = Wrapped.Decide(measurement, NUnitHost.Current());
        if (decision.Verdict != RequirementVerdict.Withheld)
            return new DecisionResult(this, measurement, decision);
        if (_isInconclusiveWithoutVerdict)
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

    // The requirement is changed in place.
    private protected TSelf Changed(TRequirement _) => (TSelf)this;
}
