namespace MqttCheck.Sequential;

/// <summary>A rule that keeps its promise at every probability.</summary>
public abstract class GuaranteedRule : IEstimationRule
{
    private protected GuaranteedRule(string name, double epsilon, double delta)
    {
        Arguments.Require(epsilon is > 0 and < .5, epsilon, "must be in (0, .5)");
        Arguments.Require(delta is > 0 and < .5, delta, "must be in (0, .5)");
        (Name, Epsilon, Delta) = (name, epsilon, delta);
    }

    /// <inheritdoc/>
    public string Name { get; }

    /// <inheritdoc/>
    public double Epsilon { get; }

    /// <inheritdoc/>
    public double Delta { get; }

    /// <inheritdoc/>
    public bool IsGuarantee => true;

    /// <inheritdoc/>
    public abstract bool IsEnough(long successes, long samples);
}
