namespace MqttCheck.Properties.Traces;

/// <summary>The values of a property on the traces of independent units, and what was left out.</summary>
internal sealed record TraceSample
{
    public required TraceProperty Property { get; init; }

    /// <summary>The values of each unit that has any, without NaN.</summary>
    public required IReadOnlyList<double[]> Units { get; init; }

    /// <summary>Whose traces they are.</summary>
    public required JudgedTraces Judged { get; init; }

    public required long CutShort { get; init; }

    public static TraceSample Of(IEnumerable<TraceUnit> units, TraceProperty property) =>
        Of([.. units.Select(unit => unit.Values(property))], property);

    public static TraceSample Of(IReadOnlyList<TraceValues> units, TraceProperty property)
    {
        double[][] clean =
        [
            .. units
                .Select(unit => unit.Values.Where(value => !double.IsNaN(value)).ToArray())
                .Where(values => values.Length > 0),
        ];
        return new()
        {
            Property = property,
            Units = clean,
            Judged = JudgedTraces.Of(units),
            CutShort = units.Sum(unit => (long)unit.CutShort),
        };
    }

    /// <summary>The answer if no trace has a value.</summary>
    public PropertyAnswer Nothing(string unitName) =>
        Answer(
            unitName,
            Property.Formula is null
                ? "No trace has a value."
                : "No answer: the property says nothing about any of the "
                    + "traces, because none has a message that it asks about."
        );

    /// <summary>The share of values that are 1; each value has the same weight.</summary>
    public double Share =>
        (double)Units.Sum(values => (long)values.Count(value => value == 1)) / Units.Sum(values => (long)values.Length);

    public PropertyAnswer Answer(string unitName, string method) =>
        new()
        {
            Property = Property,
            Units = Units.Count,
            UnitName = unitName,
            Judged = Judged,
            CutShort = CutShort,
            Method = method,
        };
}
