using System.Globalization;
using MqttCheck.Properties.Language;

namespace MqttCheck.Properties.Traces;

/// <summary>A bound that an expectation or a quantile must keep.</summary>
/// <param name="Comparison">Less, at most, greater or at least.</param>
/// <param name="Value">The bound; milliseconds for times.</param>
public readonly record struct TraceBound(ComparisonOperator Comparison, double Value)
{
    /// <summary>Whether smaller values keep it.</summary>
    public bool IsUpper => Comparison is ComparisonOperator.Less or ComparisonOperator.AtMost;

    /// <summary>Whether a value keeps it.</summary>
    /// <param name="value">The value.</param>
    public bool Admits(double value) =>
        Comparison switch
        {
            ComparisonOperator.Less => value < Value,
            ComparisonOperator.AtMost => value <= Value,
            ComparisonOperator.Greater => value > Value,
            ComparisonOperator.AtLeast => value >= Value,
            _ => throw new InvalidOperationException($"{Comparison} is no bound"),
        };

    internal string Text(bool isDuration) =>
        $"{PropertyText.Sign(Comparison)} "
        + $"{(isDuration ? PropertyText.Duration(Value) : Value.ToString(CultureInfo.InvariantCulture))}";
}
