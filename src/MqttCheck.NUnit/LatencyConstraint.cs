using MqttCheck.Testing.Requirements;

namespace MqttCheck.NUnit;

/// <summary>
/// The requirement that samples are in time with a probability or more: one-sided, so a broker that is better passes. A
/// sample is a sequence of messages of one client (10 in the built-in profiles), in time when all of them are, unless
/// <see cref="PerMessage"/> says otherwise.
/// </summary>
public sealed class LatencyConstraint : OneSidedConstraint<LatencyConstraint, LatencyRequirement>
{
    internal LatencyConstraint(LatencyRequirement requirement)
        : base(requirement) { }

    /// <inheritdoc cref="LatencyRequirement.PerMessage"/>
    public LatencyConstraint PerMessage() => Changed(Wrapped.PerMessage());

    /// <inheritdoc cref="LatencyRequirement.OfStep"/>
    public LatencyConstraint OfStep(string name) => Changed(Wrapped.OfStep(name));
}
