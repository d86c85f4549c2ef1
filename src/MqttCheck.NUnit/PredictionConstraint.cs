using MqttCheck.Testing.Requirements;

namespace MqttCheck.NUnit;

/// <summary>
/// The requirement that the broker behaves as a prediction says: two-sided, so a broker that is better fails too,
/// because the prediction is then too low.
/// </summary>
public sealed class PredictionConstraint : MeasuringConstraint<PredictionConstraint, PredictionRequirement>
{
    internal PredictionConstraint(PredictionRequirement requirement)
        : base(requirement) { }

    /// <inheritdoc cref="PredictionRequirement.Below"/>
    public PredictionConstraint Below(TimeSpan threshold) => Changed(Wrapped.Below(threshold));

    /// <inheritdoc cref="PredictionRequirement.WithError"/>
    public PredictionConstraint WithError(double probability) => Changed(Wrapped.WithError(probability));

    /// <inheritdoc cref="PredictionRequirement.WithIndifference"/>
    public PredictionConstraint WithIndifference(double distance) => Changed(Wrapped.WithIndifference(distance));

    /// <inheritdoc cref="PredictionRequirement.WithRuns"/>
    public PredictionConstraint WithRuns(int runs) => Changed(Wrapped.WithRuns(runs));

    /// <inheritdoc cref="PredictionRequirement.Within"/>
    public PredictionConstraint Within(TimeSpan budget) => Changed(Wrapped.Within(budget));
}
