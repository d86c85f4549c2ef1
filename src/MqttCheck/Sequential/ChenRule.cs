namespace MqttCheck.Sequential;

/// <summary>
/// The adaptive rule of Chen (2011) after Massart's inequality: sampling until n >= (2 / epsilon^2) ln(2 / delta) (1/4
/// - (|share - 1/2| - 2 epsilon / 3)^2).
/// </summary>
public sealed class ChenRule : IEstimationRule
{
    private readonly double _scale;

    /// <summary>A rule.</summary>
    /// <param name="epsilon">Half width, in (0, .5).</param>
    /// <param name="delta">Error probability, in (0, .5).</param>
    public ChenRule(double epsilon, double delta)
    {
        EstimationPromise.Check(epsilon, delta);
        (Epsilon, Delta, _scale) = (epsilon, delta, 2 / (epsilon * epsilon) * Math.Log(2 / delta));
    }

    /// <inheritdoc/>
    public string Name => "Chen, adaptive";

    /// <inheritdoc/>
    public double Epsilon { get; }

    /// <inheritdoc/>
    public double Delta { get; }

    /// <inheritdoc/>
    public bool IsGuarantee => true;

    /// <inheritdoc/>
    public bool IsEnough(long successes, long samples)
    {
        var distance = Math.Abs((double)successes / samples - .5) - 2 * Epsilon / 3;
        return samples >= _scale * (.25 - distance * distance);
    }
}
