using MqttCheck.Sequential.Runs;
using MqttCheck.Testing.Requirements;

namespace MqttCheck.NUnit;

/// <summary>
/// The requirement that samples are in time with a probability or more: one-sided, so a broker that is better passes. A
/// sample is a sequence of messages of one client (10 in the built-in profiles), in time when all of them are, unless
/// <see cref="PerMessage"/> says otherwise.
/// </summary>
public sealed class LatencyConstraint : MeasuringConstraint
{
    private readonly LatencyRequirement _requirement;

    internal LatencyConstraint(LatencyRequirement requirement)
        : base(requirement) => _requirement = requirement;

    /// <inheritdoc cref="LatencyRequirement.PerMessage"/>
    public LatencyConstraint PerMessage() => Changed(_requirement.PerMessage());

    /// <inheritdoc cref="LatencyRequirement.OfStep"/>
    public LatencyConstraint OfStep(string name) => Changed(_requirement.OfStep(name));

    /// <inheritdoc cref="LatencyRequirement.WithError"/>
    public LatencyConstraint WithError(double probability) => Changed(_requirement.WithError(probability));

    /// <inheritdoc cref="LatencyRequirement.WithIndifference"/>
    public LatencyConstraint WithIndifference(double distance) => Changed(_requirement.WithIndifference(distance));

    /// <inheritdoc cref="LatencyRequirement.WithRuns"/>
    public LatencyConstraint WithRuns(int runs) => Changed(_requirement.WithRuns(runs));

    /// <inheritdoc cref="LatencyRequirement.WithCorrelationUpTo"/>
    public LatencyConstraint WithCorrelationUpTo(double correlation) =>
        Changed(_requirement.WithCorrelationUpTo(correlation));

    /// <inheritdoc cref="LatencyRequirement.WithGuarantee"/>
    public LatencyConstraint WithGuarantee(Guarantee guarantee) => Changed(_requirement.WithGuarantee(guarantee));

    /// <inheritdoc cref="LatencyRequirement.Within"/>
    public LatencyConstraint Within(TimeSpan budget) => Changed(_requirement.Within(budget));

    /// <summary>Without a verdict the test is inconclusive instead of failing.</summary>
    public LatencyConstraint InconclusiveWithoutVerdict()
    {
        IsInconclusiveWithoutVerdict = true;
        return this;
    }

    // The requirement is changed in place.
    private LatencyConstraint Changed(LatencyRequirement _) => this;
}
