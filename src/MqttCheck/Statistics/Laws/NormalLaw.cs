using System.Globalization;
using MathNet.Numerics;

namespace MqttCheck.Statistics.Laws;

/// <summary>Normal, with negative draws taken as 0.</summary>
/// <param name="Location">The mean of the normal before negative draws are taken as 0, finite.</param>
/// <param name="Sigma">Its standard deviation, finite and at least 0.</param>
internal sealed record NormalLaw(double Location, double Sigma) : Law
{
    /// <inheritdoc/>
    public override double Draw(ref RandomStream random) => Math.Max(0, Location + Sigma * Standard(ref random));

    /// <inheritdoc/>
    /// <remarks>E max(0, X) = mu Phi(mu/sigma) + sigma phi(mu/sigma).</remarks>
    public override double Mean =>
        Sigma == 0
            ? Math.Max(0, Location)
            : Location * SpecialFunctions.Erfc(-Location / (Sigma * Constants.Sqrt2)) / 2
                + Sigma * Math.Exp(-Location * Location / (2 * Sigma * Sigma)) / Constants.Sqrt2Pi;

    /// <inheritdoc/>
    public override double CumulativeProbability(double x) =>
        x < 0 ? 0
        : Sigma == 0 ? (x >= Location ? 1 : 0)
        : SpecialFunctions.Erfc((Location - x) / (Sigma * Constants.Sqrt2)) / 2;

    /// <inheritdoc/>
    public override Law Scaled(double factor) => new NormalLaw(factor * Location, factor * Sigma);

    /// <inheritdoc/>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"normal:{Location}ms,{Sigma}ms");

    /// <summary>One standard normal number, by inversion, so that one draw takes one number of the stream.</summary>
    /// <param name="random">The stream to draw from.</param>
    internal static double Standard(ref RandomStream random) => NormalQuantile.At(random.NextOpenDouble());
}
