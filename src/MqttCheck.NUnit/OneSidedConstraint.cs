using MqttCheck.Sequential.Runs;
using MqttCheck.Testing.Requirements;

namespace MqttCheck.NUnit;

/// <summary>
/// A requirement that something holds with a probability or more, so that a broker that is better passes.
/// </summary>
/// <typeparam name="TSelf">The constraint itself.</typeparam>
/// <typeparam name="TRequirement">The requirement that it wraps.</typeparam>
public abstract class OneSidedConstraint<TSelf, TRequirement> : MeasuringConstraint<TSelf, TRequirement>
    where TSelf : OneSidedConstraint<TSelf, TRequirement>
    where TRequirement : OneSidedRequirement<TRequirement>
{
    private protected OneSidedConstraint(TRequirement requirement)
        : base(requirement) { }

    /// <inheritdoc cref="OneSidedRequirement{TSelf}.WithError"/>
    public TSelf WithError(double probability) => Changed(Wrapped.WithError(probability));

    /// <inheritdoc cref="OneSidedRequirement{TSelf}.WithIndifference"/>
    public TSelf WithIndifference(double distance) => Changed(Wrapped.WithIndifference(distance));

    /// <inheritdoc cref="OneSidedRequirement{TSelf}.WithRuns"/>
    public TSelf WithRuns(int runs) => Changed(Wrapped.WithRuns(runs));

    /// <inheritdoc cref="OneSidedRequirement{TSelf}.WithCorrelationUpTo"/>
    public TSelf WithCorrelationUpTo(double correlation) => Changed(Wrapped.WithCorrelationUpTo(correlation));

    /// <inheritdoc cref="OneSidedRequirement{TSelf}.WithGuarantee"/>
    public TSelf WithGuarantee(Guarantee guarantee) => Changed(Wrapped.WithGuarantee(guarantee));

    /// <inheritdoc cref="OneSidedRequirement{TSelf}.Within"/>
    public TSelf Within(TimeSpan budget) => Changed(Wrapped.Within(budget));
}
