using FsCheck;
using MqttCheck.Requirements;
using MqttCheck.Testing;
using MqttCheck.Testing.Requirements;
using NUnit.Framework;
using NUnit.Framework.Constraints;

namespace MqttCheck.NUnit;

/// <summary>
/// The requirement that an FsCheck property holds with a probability. Cases are counted, not shrunk, until there is a
/// verdict; a refuted one shows the smallest of its failing cases. Made by <see cref="Meets.Probability"/>.
/// </summary>
/// <remarks>
/// Without a verdict the test is inconclusive, or fails with <see cref="FailingWithoutVerdict"/>; it never passes, and
/// negation does not change that.
/// </remarks>
public sealed class ProbabilityConstraint : Constraint
{
    private readonly ProbabilityRequirement _requirement;
    private bool _failsWithoutVerdict;

    internal ProbabilityConstraint(ProbabilityRequirement requirement) => _requirement = requirement;

    /// <inheritdoc/>
    public override string Description => _requirement.Description;

    /// <inheritdoc cref="ProbabilityRequirement.WithSeed"/>
    public ProbabilityConstraint WithSeed(ulong seed) => Changed(_requirement.WithSeed(seed));

    /// <inheritdoc cref="ProbabilityRequirement.WithSize"/>
    public ProbabilityConstraint WithSize(int size) => Changed(_requirement.WithSize(size));

    /// <inheritdoc cref="ProbabilityRequirement.WithGenerators"/>
    public ProbabilityConstraint WithGenerators(params IEnumerable<Type> types) =>
        Changed(_requirement.WithGenerators(types));

    /// <inheritdoc cref="ProbabilityRequirement.WithCaseTimeout"/>
    public ProbabilityConstraint WithCaseTimeout(TimeSpan time) => Changed(_requirement.WithCaseTimeout(time));

    /// <inheritdoc cref="ProbabilityRequirement.Shrinking"/>
    public ProbabilityConstraint Shrinking() => Changed(_requirement.Shrinking());

    /// <summary>
    /// Without a verdict the test fails instead of being inconclusive, which <c>dotnet test</c> counts as success.
    /// </summary>
    public ProbabilityConstraint FailingWithoutVerdict()
    {
        _failsWithoutVerdict = true;
        return this;
    }

    /// <inheritdoc/>
    public override ConstraintResult ApplyTo<TActual>(TActual actual)
    {
        if (actual is not Property property)
            throw new ArgumentException(
                $"The value is a {actual?.GetType().Name ?? "null"}; allowed: an FsCheck Property, as "
                    + "Prop.ForAll(...) yields it.",
                nameof(actual)
            );
        var decision = _requirement.Decide(property, NUnitHost.Current());
        if (decision.Verdict == RequirementVerdict.Withheld && _failsWithoutVerdict)
            throw new AssertionException(DecisionResult.TextOf(decision));
        if (decision.Verdict == RequirementVerdict.Withheld)
            throw new InconclusiveException(DecisionResult.TextOf(decision));
        // There is no report that would say of a passed test how sure that is.
        if (decision.IsMet)
            TestContext.Out.WriteLine(string.Join('\n', decision.Details.Prepend($"MqttCheck: {Description}")));
        return new DecisionResult(this, property, decision);
    }

    // The requirement is changed in place.
    private ProbabilityConstraint Changed(ProbabilityRequirement _) => this;
}
