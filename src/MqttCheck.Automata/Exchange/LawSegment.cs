using MqttCheck.Automata.Networks;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;
using static MqttCheck.Automata.Networks.Expression;

namespace MqttCheck.Automata.Exchange;

/// <summary>
/// A part of a law: its values between two quantiles, of which <see cref="Beyond"/> is cut off again and again to come
/// to the far tail in steps.
/// </summary>
/// <param name="Inner">The law.</param>
/// <param name="From">The lower probability.</param>
/// <param name="To">The upper probability.</param>
internal sealed record LawSegment(Law Inner, double From, double To) : Law
{
    /// <summary>The share of each part that lies beyond it.</summary>
    public const double Beyond = .25;

    /// <summary>
    /// How many parts there are; the last one is left whole. .25^14 = 4e-9 of a law is beyond all but the last.
    /// </summary>
    public const int Stages = 15;

    // Far enough from 0 that a normal law with this mean is not cut there.
    private const double Shift = 20;

    /// <inheritdoc/>
    public override double Mean => throw new NotSupportedException("The mean of a part of a law is not needed.");

    /// <summary>A latency with its random number from a part of its law.</summary>
    /// <param name="latency">The latency, which draws one number.</param>
    /// <param name="from">The lower probability.</param>
    /// <param name="to">The upper probability.</param>
    public static Expression Draw(Expression latency, double from, double to) =>
        LawLowering.Map(latency, part => Replaced(part, law => Expression.Draw(new LawSegment(law, from, to))));

    /// <summary>A latency with its random number at a quantile of its law.</summary>
    /// <param name="latency">The latency, which draws one number.</param>
    /// <param name="probability">The quantile's probability.</param>
    public static Expression Quantile(Expression latency, double probability) =>
        LawLowering.Map(latency, part => Replaced(part, law => QuantileOf(law, probability)));

    /// <inheritdoc/>
    public override double Draw(ref RandomStream random) =>
        QuantileOf(Inner, From + (To - From) * random.NextOpenDouble());

    /// <inheritdoc/>
    public override double CumulativeProbability(double x) =>
        Math.Clamp((Inner.CumulativeProbability(x) - From) / (To - From), 0, 1);

    /// <inheritdoc/>
    public override Law Scaled(double factor) => this with { Inner = Inner.Scaled(factor) };

    /// <inheritdoc/>
    public override string ToString() => FormattableString.Invariant($"{Inner} from {From} to {To}");

    private static Expression? Replaced(Expression part, Func<Law, Expression> replacement) =>
        part switch
        {
            LawSample sample => replacement(sample.Law),
            Sample { Distribution: Distribution.Normal } normal => normal.Parameters[0]
                + normal.Parameters[1] * (replacement(new NormalLaw(Shift, 1)) - Shift),
            _ => null,
        };

    private static double QuantileOf(Law law, double probability)
    {
        switch (law)
        {
            case ConstantLaw constant:
                return constant.Value;
            case EmpiricalLaw empirical:
                return empirical.Quantile(probability);
            case ExponentialLaw exponential:
                return -exponential.MeanValue * Math.Log(1 - probability);
            case NormalLaw normal:
                return Math.Max(0, normal.Location + normal.Sigma * NormalQuantile.At(probability));
            case LogNormalLaw logNormal:
                return logNormal.Median * Math.Exp(logNormal.Sigma * NormalQuantile.At(probability));
            default:
                return Bisect(law, probability);
        }
    }

    private static double Bisect(Law law, double probability)
    {
        double low = 0,
            high = Math.Max(law.Mean, double.Epsilon);
        while (law.CumulativeProbability(high) < probability && double.IsFinite(high))
            high *= 2;
        // The bisection ends at two neighbouring numbers.
        while (true)
        {
            var middle = low + (high - low) / 2;
            if (middle <= low || middle >= high)
                return high;
            if (law.CumulativeProbability(middle) < probability)
                low = middle;
            else
                high = middle;
        }
    }
}
