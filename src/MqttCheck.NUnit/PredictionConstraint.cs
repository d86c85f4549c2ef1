using MqttCheck.Testing.Requirements;

namespace MqttCheck.NUnit;

/// <summary>
/// The requirement that the broker behaves as a prediction says: two-sided, so a broker that is better fails too,
/// because the prediction is then too low.
/// </summary>
public sealed class PredictionConstraint : MeasuringConstraint
{
    private readonly PredictionRequirement _requirement;

    internal PredictionConstraint(PredictionRequirement requirement)
        : base(requirement) => _requirement = requirement;

    /// <inheritdoc cref="PredictionRequirement.Below"/>
    public PredictionConstraint Below(TimeSpan threshold) => Changed(_requirement.Below(threshold));

    /// <inheritdoc cref="PredictionRequirement.WithError"/>
    public PredictionConstraint WithError(double probability) => Changed(_requirement.WithError(probability));

    /// <inheritdoc cref="PredictionRequirement.WithIndifference"/>
    public PredictionConstraint WithIndifference(double distance) => Changed(_requirement.WithIndifference(distance));

    /// <inheritdoc cref="PredictionRequirement.WithRuns"/>
    public PredictionConstraint WithRuns(int runs) => Changed(_requirement.WithRuns(runs));

    /// <inheritdoc cref="PredictionRequirement.Within"/>
    public PredictionConstraint Within(TimeSpan budget) => Changed(_requirement.Within(budget));

    /// <summary>Without a verdict the test is inconclusive instead of failing.</summary>
    public PredictionConstraint InconclusiveWithoutVerdict()
    {
        IsInconclusiveWithoutVerdict = true;
        return this;
    }

    // The requirement is changed in place.
    private PredictionConstraint Changed(PredictionRequirement _) => this;
}
