using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Latency.Models;

/// <summary>
/// The mixture of log-normal regressions of one kind of message; see <see cref="LogNormalMixtureModel"/>.
/// </summary>
/// <param name="Gates">
/// Coefficients of the logits of the components but the last one, whose logit is 0; component by component.
/// </param>
/// <param name="Means">Coefficients of the means of the logarithm, component by component.</param>
/// <param name="Deviations">Deviations of the logarithm, positive.</param>
/// <param name="MostMilliseconds">
/// The largest latency that is drawn: a log-normal tail beyond everything that was seen would move the mean, and with
/// it the simulated load.
/// </param>
internal sealed record LogNormalMixture(double[] Gates, double[] Means, double[] Deviations, double MostMilliseconds)
{
    private const int Columns = LogNormalMixtureModel.Columns;

    /// <summary>The mean of the logarithm in a component.</summary>
    public double Mean(int component, ReadOnlySpan<double> x) => Dot(Means, component * Columns, x);

    /// <summary>The weights of the components.</summary>
    public void Weights(ReadOnlySpan<double> x, Span<double> weights)
    {
        var (a, b) = (Dot(Gates, 0, x), Dot(Gates, Columns, x));
        var largest = Math.Max(0, Math.Max(a, b));
        (weights[0], weights[1], weights[2]) = (Math.Exp(a - largest), Math.Exp(b - largest), Math.Exp(-largest));
        var sum = weights[0] + weights[1] + weights[2];
        for (var k = 0; k < weights.Length; k++)
            weights[k] /= sum;
    }

    /// <summary>Draws a latency in milliseconds.</summary>
    public double Draw(ReadOnlySpan<double> x, ref RandomStream random)
    {
        var (a, b) = (Math.Exp(Math.Min(Dot(Gates, 0, x), 300)), Math.Exp(Math.Min(Dot(Gates, Columns, x), 300)));
        var u = random.NextDouble() * (a + b + 1);
        var component =
            u < a ? 0
            : u < a + b ? 1
            : 2;
        return Math.Min(
            MostMilliseconds,
            Math.Exp(Mean(component, x) + Deviations[component] * NormalLaw.Standard(ref random))
        );
    }

    private static double Dot(double[] coefficients, int offset, ReadOnlySpan<double> x)
    {
        var c = coefficients.AsSpan(offset, Columns);
        return c[0] * x[0] + c[1] * x[1] + c[2] * x[2] + c[3] * x[3] + c[4] * x[4];
    }
}
