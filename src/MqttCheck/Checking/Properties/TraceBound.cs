using System.Globalization;

namespace MqttCheck.Checking.Properties;

/// <summary>A bound that an expectation or a quantile must keep.</summary>
/// <param name="Comparison">Less, at most, greater or at least.</param>
/// <param name="Value">The bound; milliseconds for times.</param>
public readonly record struct TraceBound(Comparison Comparison, double Value)
{
    /// <summary>Whether smaller values keep it.</summary>
    public bool IsUpper => Comparison is Comparison.Less or Comparison.AtMost;

    /// <summary>Whether a value keeps it.</summary>
    /// <param name="value">The value.</param>
    public bool Admits(double value) => Comparison switch
    {
        Comparison.Less => value < Value,
        Comparison.AtMost => value <= Value,
        Comparison.Greater => value > Value,
        Comparison.AtLeast => value >= Value,
        _ => throw new InvalidOperationException($"{Comparison} is no bound"),
    };

    internal string Text(bool isDuration) =>
        $"{PropertyText.Sign(Comparison)} {(isDuration ? PropertyText.Duration(Value) : Value.ToString(CultureInfo.InvariantCulture))}";
}
