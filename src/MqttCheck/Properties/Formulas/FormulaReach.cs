using MqttCheck.Clients;
using MqttCheck.Properties.Traces;

namespace MqttCheck.Properties.Formulas;

/// <summary>
/// Finds the values that a formula can have at all, given the kinds of messages that traces have. A trace begins with a
/// connect, because its sequence does, and goes on with the messages of the profile. The analysis is conservative: it
/// never excludes a possible value, but may fail to exclude an impossible one.
/// </summary>
/// <param name="kinds">The kinds of messages that follow the first.</param>
internal sealed class FormulaReach(IReadOnlySet<MessageKind> kinds)
{
    /// <summary>The kind of message that begins every trace.</summary>
    public const MessageKind First = MessageKind.Connect;

    private readonly HashSet<MessageKind> _all = kinds.Append(First).ToHashSet();

    [Flags]
    private enum Outcomes
    {
        None = 0,
        Holds = 1,
        Fails = 2,
        Partial = 4,
    }

    /// <summary>Whether it may hold on some trace.</summary>
    /// <param name="formula">The formula.</param>
    public bool CanHold(Formula formula) => (At(formula, First) & (Outcomes.Holds | Outcomes.Partial)) != 0;

    /// <summary>Whether it may fail on some trace.</summary>
    /// <param name="formula">The formula.</param>
    public bool CanFail(Formula formula) => (At(formula, First) & (Outcomes.Fails | Outcomes.Partial)) != 0;

    /// <summary>The comparisons that apply to no message at which they are looked at.</summary>
    /// <param name="formula">The formula.</param>
    public IEnumerable<ComparisonFormula> NeverJudged(Formula formula) => NeverJudged(formula, isFirst: true);

    private IEnumerable<ComparisonFormula> NeverJudged(Formula formula, bool isFirst) =>
        formula switch
        {
            ComparisonFormula comparison => Kind(comparison) is { } kind
            && !(isFirst ? kind == First : _all.Contains(kind))
                ? [comparison]
                : [],
            SpanFormula span => NeverJudged(span.Inner, isFirst && span.Span.MessageCount == 1),
            UntilFormula until => FormulaParts
                .Of(until)
                .SelectMany(part => NeverJudged(part, isFirst && until.Span.MessageCount == 1)),
            _ => FormulaParts.Of(formula).SelectMany(part => NeverJudged(part, isFirst)),
        };

    /// <summary>The kind of message that a comparison is restricted to; null where it applies to all.</summary>
    /// <param name="comparison">The comparison.</param>
    public static MessageKind? Kind(ComparisonFormula comparison) =>
        comparison.Quantity is TraceQuantity.Latency or TraceQuantity.Acknowledgement ? comparison.Kind : null;

    private Outcomes At(Formula formula, MessageKind here) =>
        formula switch
        {
            ConstantFormula constant => constant.Value ? Outcomes.Holds : Outcomes.Fails,
            KindFormula kind => kind.Kind == here ? Outcomes.Holds : Outcomes.Fails,
            ComparisonFormula comparison => Kind(comparison) is { } kind && kind != here
                ? Outcomes.Partial
                : Outcomes.Holds | Outcomes.Fails,
            NotFormula not => Not(At(not.Inner, here)),
            AndFormula and => And(At(and.Left, here), At(and.Right, here)),
            OrFormula or => Not(And(Not(At(or.Left, here)), Not(At(or.Right, here)))),
            ImpliesFormula implies => Not(And(At(implies.Left, here), Not(At(implies.Right, here)))),
            EventuallyFormula eventually => Eventually(kind => At(eventually.Inner, kind), eventually.Span, here),
            AlwaysFormula always => Not(Eventually(kind => Not(At(always.Inner, kind)), always.Span, here)),
            UntilFormula until => Eventually(kind => At(until.Right, kind), until.Span, here),
            _ => Outcomes.Holds | Outcomes.Fails,
        };

    private Outcomes Eventually(Func<MessageKind, Outcomes> inner, TraceSpan span, MessageKind here)
    {
        // A span of time may end before its first message is answered.
        if (span.DurationMilliseconds is null && inner(here) == Outcomes.Holds)
            return Outcomes.Holds;
        var seen =
            span.MessageCount == 1 ? inner(here) : _all.Aggregate(Outcomes.None, (sum, kind) => sum | inner(kind));
        return Outcomes.Fails | (seen & Outcomes.Holds);
    }

    private static Outcomes Not(Outcomes inner) =>
        (inner & Outcomes.Partial)
        | ((inner & Outcomes.Holds) != 0 ? Outcomes.Fails : 0)
        | ((inner & Outcomes.Fails) != 0 ? Outcomes.Holds : 0);

    private static Outcomes And(Outcomes left, Outcomes right) =>
        ((left | right) & Outcomes.Fails)
        | (left & right & Outcomes.Holds)
        | ((left & Outcomes.Partial) != 0 && (right & (Outcomes.Partial | Outcomes.Holds)) != 0 ? Outcomes.Partial : 0)
        | ((right & Outcomes.Partial) != 0 && (left & (Outcomes.Partial | Outcomes.Holds)) != 0 ? Outcomes.Partial : 0);
}
