namespace MqttCheck.Sequential;

/// <summary>
/// The adaptive rule of Chen (2011) after Massart's inequality: sampling until n >= (2 / epsilon^2) ln(2 / delta) (1/4
/// - (|share - 1/2| - 2 epsilon / 3)^2).
/// </summary>
/// <param name="epsilon">Half width, in (0, .5).</param>
/// <param name="delta">Error probability, in (0, .5).</param>
public sealed class ChenRule(double epsilon, double delta) : GuaranteedRule("Chen, adaptive", epsilon, delta)
{
    private readonly double _scale = 2 / (epsilon * epsilon) * Math.Log(2 / delta);

    /// <inheritdoc/>
    public override bool IsEnough(long successes, long samples)
    {
        var distance = Math.Abs((double)successes / samples - .5) - 2 * Epsilon / 3;
        return samples >= _scale * (.25 - distance * distance);
    }
}
