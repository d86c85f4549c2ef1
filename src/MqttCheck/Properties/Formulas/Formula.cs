using System.Globalization;
using MqttCheck.Clients;
using MqttCheck.Properties.Language;
using MqttCheck.Properties.Traces;

namespace MqttCheck.Properties.Formulas;

/// <summary>
/// A temporal formula over the messages of one client's trace, as a value. It is evaluated at the first message;
/// temporal operators look at the present message and later ones. Its text (<see cref="object.ToString"/>) is what
/// <see cref="TraceProperty.Parse"/> reads.
/// </summary>
/// <remarks>
/// A comparison that does not apply to a message, such as <c>latency(publish) &lt; 50ms</c> at a connect, is neither
/// true nor false there (Kleene's third value): temporal operators pass over such messages. At the end of a trace
/// "always" has held, and "eventually" has not. A trace on which nothing was judged that the formula asks for is one
/// about which it says nothing. See docs/reference/checking.md for the truth tables.
/// </remarks>
public abstract record Formula
{
    private protected Formula() { }

    /// <summary>A comparison of a number of the present message with a constant.</summary>
    /// <param name="quantity">The number.</param>
    /// <param name="kind">
    /// The kind of message that it applies to, or (for counts) that is counted; null for all.
    /// </param>
    /// <param name="comparison">How to compare.</param>
    /// <param name="value">The constant; milliseconds where the quantity is a time, which must be positive.</param>
    /// <exception cref="InputException">The value is not allowed, or the quantity has no kind.</exception>
    public static Formula Compare(
        TraceQuantity quantity,
        MessageKind? kind,
        ComparisonOperator comparison,
        double value
    )
    {
        if (kind is not null && !PropertyText.HasKind(quantity))
            throw new InputException(
                $"property: {PropertyText.Name(quantity)} has no message "
                    + $"kind; allowed: {PropertyText.Name(quantity)} alone."
            );
        if (
            PropertyText.IsDuration(quantity)
                ? !(value > 0 && double.IsFinite(value))
                : !(value >= 0 && double.IsFinite(value))
        )
        {
            throw new InputException(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"property: {PropertyText.Name(quantity)} is compared with {value}; allowed: "
                        + $"{(PropertyText.IsDuration(quantity) ? "a positive duration" : "0 or more")}."
                )
            );
        }
        return new ComparisonFormula(quantity, kind, comparison, value);
    }

    /// <summary>The latency of a message is below a threshold. A failed message is not.</summary>
    /// <param name="thresholdMilliseconds">Positive.</param>
    /// <param name="kind">The kind of message that it applies to; null for all.</param>
    public static Formula LatencyBelow(double thresholdMilliseconds, MessageKind? kind = null) =>
        Compare(TraceQuantity.Latency, kind, ComparisonOperator.Less, thresholdMilliseconds);

    /// <summary>The present message is of a kind.</summary>
    /// <param name="kind">The kind.</param>
    public static Formula Is(MessageKind kind) => new KindFormula(kind);

    /// <summary>The present message failed.</summary>
    public static Formula Failed { get; } = new FailedFormula();

    /// <summary>True, or false.</summary>
    /// <param name="value">Which.</param>
    public static Formula Constant(bool value) => new ConstantFormula(value);

    /// <summary>The formula holds at every message in the span.</summary>
    /// <param name="formula">The formula.</param>
    /// <param name="span">How far to look; by default to the end of the trace.</param>
    public static Formula Always(Formula formula, TraceSpan span = default) =>
        new AlwaysFormula(Required(formula), span);

    /// <summary>The formula holds at some message in the span.</summary>
    /// <param name="formula">The formula.</param>
    /// <param name="span">How far to look; by default to the end of the trace.</param>
    public static Formula Eventually(Formula formula, TraceSpan span = default) =>
        new EventuallyFormula(Required(formula), span);

    /// <summary>The goal holds at some message in the span, and the formula at every message before it.</summary>
    /// <param name="formula">The formula that holds until then.</param>
    /// <param name="goal">The formula that is reached.</param>
    /// <param name="span">How far to look; by default to the end of the trace.</param>
    public static Formula Until(Formula formula, Formula goal, TraceSpan span = default) =>
        new UntilFormula(Required(formula), Required(goal), span);

    /// <summary>If the first formula holds, so does the second.</summary>
    /// <param name="condition">The condition.</param>
    /// <param name="consequence">The formula that it implies.</param>
    public static Formula Implies(Formula condition, Formula consequence) =>
        new ImpliesFormula(Required(condition), Required(consequence));

    /// <summary>
    /// Every message that fulfils the trigger is followed, within a time from its sending, by the answer to one that
    /// fulfils the response.
    /// </summary>
    /// <param name="trigger">The formula of messages that ask for a response.</param>
    /// <param name="response">The formula of messages that count as a response.</param>
    /// <param name="within">The time.</param>
    public static Formula Response(Formula trigger, Formula response, TimeSpan within) =>
        Always(Implies(trigger, Eventually(response, TraceSpan.Within(within))));

    /// <summary>So many messages of the trace are answered within a time from its beginning.</summary>
    /// <param name="messages">How many, 1 or more.</param>
    /// <param name="within">The time.</param>
    public static Formula Deadline(int messages, TimeSpan within) =>
        Eventually(Compare(TraceQuantity.Count, null, ComparisonOperator.AtLeast, messages), TraceSpan.Within(within));

    /// <summary>Both hold.</summary>
    /// <param name="left">One.</param>
    /// <param name="right">The other.</param>
    public static Formula operator &(Formula left, Formula right) => new AndFormula(Required(left), Required(right));

    /// <summary>At least one holds.</summary>
    /// <param name="left">One.</param>
    /// <param name="right">The other.</param>
    public static Formula operator |(Formula left, Formula right) => new OrFormula(Required(left), Required(right));

    /// <summary>It does not hold.</summary>
    /// <param name="formula">The formula.</param>
    public static Formula operator !(Formula formula) => new NotFormula(Required(formula));

    /// <summary>
    /// How many messages a trace must have to decide the formula whatever happens; null when a span has no bound in
    /// messages.
    /// </summary>
    public abstract int? MessagesNeeded { get; }

    /// <summary>
    /// The longest time that the formula looks ahead from the beginning of a trace, in milliseconds; 0 without spans of
    /// time.
    /// </summary>
    public abstract double MillisecondsNeeded { get; }

    /// <summary>Whether it reads acknowledgements, which simulations do not know.</summary>
    public bool UsesAcknowledgements =>
        FormulaParts.Atoms(this).Any(atom => atom is ComparisonFormula { Quantity: TraceQuantity.Acknowledgement });

    /// <summary>The text that <see cref="TraceProperty.Parse"/> reads.</summary>
    public sealed override string ToString() => Text(FormulaPrecedence.Lowest);

    internal abstract string Text(FormulaPrecedence around);

    internal abstract FormulaMonitor.Node Compile(FormulaMonitor.TraceBuffer trace);

    private static Formula Required(Formula formula)
    {
        ArgumentNullException.ThrowIfNull(formula);
        return formula;
    }
}
