using MqttCheck.Sequential.Runs;
using MqttCheck.Testing.Requirements;

namespace MqttCheck.NUnit;

/// <summary>
/// The requirement that the traces of the clients fulfil a property of the text language with a probability or more. A
/// trace is the sequence of a client, or as many of them as the formula looks at. One-sided: a broker that is better
/// passes.
/// </summary>
public sealed class PropertyConstraint : MeasuringConstraint
{
    private readonly PropertyRequirement _requirement;

    internal PropertyConstraint(PropertyRequirement requirement)
        : base(requirement) => _requirement = requirement;

    /// <inheritdoc cref="PropertyRequirement.WithError"/>
    public PropertyConstraint WithError(double probability) => Changed(_requirement.WithError(probability));

    /// <inheritdoc cref="PropertyRequirement.WithIndifference"/>
    public PropertyConstraint WithIndifference(double distance) => Changed(_requirement.WithIndifference(distance));

    /// <inheritdoc cref="PropertyRequirement.WithRuns"/>
    public PropertyConstraint WithRuns(int runs) => Changed(_requirement.WithRuns(runs));

    /// <inheritdoc cref="PropertyRequirement.WithCorrelationUpTo"/>
    public PropertyConstraint WithCorrelationUpTo(double correlation) =>
        Changed(_requirement.WithCorrelationUpTo(correlation));

    /// <inheritdoc cref="PropertyRequirement.WithGuarantee"/>
    public PropertyConstraint WithGuarantee(Guarantee guarantee) => Changed(_requirement.WithGuarantee(guarantee));

    /// <inheritdoc cref="PropertyRequirement.Within"/>
    public PropertyConstraint Within(TimeSpan budget) => Changed(_requirement.Within(budget));

    /// <summary>Without a verdict the test is inconclusive instead of failing.</summary>
    public PropertyConstraint InconclusiveWithoutVerdict()
    {
        IsInconclusiveWithoutVerdict = true;
        return this;
    }

    // The requirement is changed in place.
    private PropertyConstraint Changed(PropertyRequirement _) => this;
}
