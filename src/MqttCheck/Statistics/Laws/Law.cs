namespace MqttCheck.Statistics.Laws;

/// <summary>
/// A probability law of one non-negative quantity: a waiting time, a delay, a payload size. Laws carry no unit; the
/// member that holds one names it. Laws are immutable and safe to share between threads.
/// </summary>
public abstract record Law
{
    /// <summary>One value, never negative and never NaN.</summary>
    /// <param name="random">The stream to draw from; how many numbers are drawn depends on the law only.</param>
    public abstract double Draw(ref RandomStream random);

    /// <summary>The expected value, in the unit of the drawn values.</summary>
    public abstract double Mean { get; }

    /// <summary>The distribution function P(value &lt;= x).</summary>
    /// <param name="x">Any number.</param>
    public abstract double CumulativeProbability(double x);

    /// <summary>The law of the values multiplied by a factor.</summary>
    /// <param name="factor">The factor, positive and finite.</param>
    public abstract Law Scaled(double factor);

    /// <summary>The parameters, in the form that <see cref="LawText"/> reads, with the unit <c>ms</c>.</summary>
    public abstract override string ToString();
}
