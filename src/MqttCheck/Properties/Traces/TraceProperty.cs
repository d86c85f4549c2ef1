using System.Diagnostics;
using System.Globalization;
using MqttCheck.Properties.Formulas;
using MqttCheck.Properties.Language;

namespace MqttCheck.Properties.Traces;

/// <summary>
/// A question about the traces of clients, as a value: a probability, a comparison with a probability, an expectation,
/// a quantile or a distribution.
/// </summary>
/// <remarks>Equal text, equal property: <c>Parse(property.ToString())</c> equals the property.</remarks>
public sealed record TraceProperty
{
    private TraceProperty(PropertyKind kind, double level, Formula? formula, TraceMeasure? measure) =>
        (Kind, Level, Formula, Measure) = (kind, level, formula, measure);

    /// <summary>The kind of question.</summary>
    public PropertyKind Kind { get; }

    /// <summary>The probability compared with, or the share of a quantile; 0 where there is none.</summary>
    public double Level { get; }

    /// <summary>The formula whose probability is asked for; null for the other questions.</summary>
    public Formula? Formula { get; }

    /// <summary>
    /// The measure whose expectation, quantile or distribution is asked for; null for the other questions.
    /// </summary>
    public TraceMeasure? Measure { get; }

    /// <summary>
    /// The bound of the expectation or quantile; null where its value is asked for, and for the other questions.
    /// </summary>
    public TraceBound? Bound { get; private init; }

    /// <summary>Whether it holds or does not: a comparison with a number.</summary>
    public bool IsRequirement => Kind is PropertyKind.AtLeast or PropertyKind.AtMost || Bound is not null;

    /// <summary>Whether it reads acknowledgements, which simulations do not know.</summary>
    public bool UsesAcknowledgements =>
        Formula?.UsesAcknowledgements ?? Measure!.Quantity == TraceQuantity.Acknowledgement;

    /// <summary>With what probability does a formula hold?</summary>
    /// <param name="formula">The formula.</param>
    public static TraceProperty Probability(Formula formula) =>
        new(PropertyKind.Probability, 0, NotNull(formula), null);

    /// <summary>Does a formula hold with at least some probability?</summary>
    /// <param name="probability">In (0, 1).</param>
    /// <param name="formula">The formula.</param>
    public static TraceProperty AtLeast(double probability, Formula formula) =>
        new(PropertyKind.AtLeast, Inside(probability), NotNull(formula), null);

    /// <summary>Does a formula hold with at most some probability?</summary>
    /// <param name="probability">In (0, 1).</param>
    /// <param name="formula">The formula.</param>
    public static TraceProperty AtMost(double probability, Formula formula) =>
        new(PropertyKind.AtMost, Inside(probability), NotNull(formula), null);

    /// <summary>Asks for the expectation of a measure.</summary>
    /// <param name="measure">The measure.</param>
    public static TraceProperty Expectation(TraceMeasure measure) =>
        new(PropertyKind.Expectation, 0, null, NotNull(measure));

    /// <summary>Which value does a measure not exceed in a share of the traces?</summary>
    /// <param name="share">In (0, 1).</param>
    /// <param name="measure">The measure.</param>
    public static TraceProperty Quantile(double share, TraceMeasure measure) =>
        new(PropertyKind.Quantile, Inside(share), null, NotNull(measure));

    /// <summary>Does the expectation or the quantile keep a bound?</summary>
    /// <param name="bound">The bound: positive and finite where the measure is a time, 0 or more otherwise.</param>
    /// <exception cref="InvalidOperationException">The property is no expectation and no quantile.</exception>
    public TraceProperty With(TraceBound bound)
    {
        if (Kind is not (PropertyKind.Expectation or PropertyKind.Quantile))
            throw new InvalidOperationException($"'{this}' takes no bound");
        if (
            bound.Comparison is ComparisonOperator.Equal or ComparisonOperator.NotEqual
            || !(bound.Value >= 0 && double.IsFinite(bound.Value))
            || (Measure!.IsDuration && bound.Value == 0)
        )
            throw new ArgumentOutOfRangeException(
                nameof(bound),
                bound,
                "must compare with <, <=, > or >= and a finite value"
            );
        return this with { Bound = bound };
    }

    /// <summary>Asks for the distribution of a measure.</summary>
    /// <param name="measure">The measure.</param>
    public static TraceProperty Distribution(TraceMeasure measure) =>
        new(PropertyKind.Distribution, 0, null, NotNull(measure));

    /// <summary>Reads a property from text, such as <c>P[ G&lt;=10msg latency(publish) &lt; 50ms ]</c>.</summary>
    /// <param name="text">The text.</param>
    /// <param name="source">The name of the text in messages, for example a file and line.</param>
    /// <exception cref="InputException">
    /// The text is not a property; the message names the column, what stands there and what is allowed.
    /// </exception>
    public static TraceProperty Parse(string text, string source = "property") =>
        new PropertyParser(text, source).Property();

    /// <summary>The text that <see cref="Parse"/> reads.</summary>
    public override string ToString()
    {
        var level = Level.ToString(CultureInfo.InvariantCulture);
        var head = Kind switch
        {
            PropertyKind.Probability => "P",
            PropertyKind.AtLeast => $"P>={level}",
            PropertyKind.AtMost => $"P<={level}",
            PropertyKind.Expectation => "E",
            PropertyKind.Quantile => $"Q{level}",
            PropertyKind.Distribution => "D",
            _ => throw new UnreachableException(),
        };
        return $"{head}[ {(object?)Formula ?? Measure} "
            + $"]{(Bound is { } bound ? " " + bound.Text(Measure!.IsDuration) : "")}";
    }

    private static double Inside(
        double value,
        [System.Runtime.CompilerServices.CallerArgumentExpression(nameof(value))] string name = ""
    ) => value is > 0 and < 1 ? value : throw new ArgumentOutOfRangeException(name, value, "must be in (0, 1)");

    private static T NotNull<T>(T value)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(value);
        return value;
    }
}
