using System.Diagnostics;
using System.Globalization;
using MqttCheck.Clients;
using MqttCheck.Properties.Language;
using MqttCheck.Properties.Traces;

namespace MqttCheck.Properties.Formulas;

// The cases of Formula: each knows its text and its monitor.

internal sealed record ConstantFormula(bool Value) : AtomFormula
{
    internal override string Text(FormulaPrecedence around) => Value ? "true" : "false";

    internal override FormulaMonitor.Node Compile(FormulaMonitor.TraceBuffer trace) =>
        new FormulaMonitor.ConstantNode(Value ? Judgement.Holds : Judgement.Fails);
}

internal sealed record KindFormula(MessageKind Kind) : AtomFormula
{
    internal override string Text(FormulaPrecedence around) => Kind.Name();

    internal override FormulaMonitor.Node Compile(FormulaMonitor.TraceBuffer trace) =>
        new FormulaMonitor.AtomNode(trace, i => JudgementLogic.Judged(trace.Messages[i].Kind == Kind));
}

internal sealed record FailedFormula : AtomFormula
{
    internal override string Text(FormulaPrecedence around) => "failed";

    internal override FormulaMonitor.Node Compile(FormulaMonitor.TraceBuffer trace) =>
        new FormulaMonitor.AtomNode(trace, i => JudgementLogic.Judged(!trace.Messages[i].Succeeded));
}

internal sealed record ComparisonFormula(
    TraceQuantity Quantity,
    MessageKind? Kind,
    ComparisonOperator Comparison,
    double Value
) : AtomFormula
{
    internal override string Text(FormulaPrecedence around)
    {
        var kind = Kind is { } some ? $"({some.Name()})" : "";
        var value = PropertyText.IsDuration(Quantity)
            ? PropertyText.Duration(Value)
            : Value.ToString(CultureInfo.InvariantCulture);
        return $"{PropertyText.Name(Quantity)}{kind} {PropertyText.Sign(Comparison)} {value}";
    }

    internal override FormulaMonitor.Node Compile(FormulaMonitor.TraceBuffer trace) =>
        new FormulaMonitor.AtomNode(
            trace,
            i =>
            {
                var number = trace.Quantity(i, Quantity, Kind);
                if (double.IsNaN(number))
                    return Judgement.Partial;
                var holds = Comparison switch
                {
                    ComparisonOperator.Less => number < Value,
                    ComparisonOperator.AtMost => number <= Value,
                    ComparisonOperator.Greater => number > Value,
                    ComparisonOperator.AtLeast => number >= Value,
                    ComparisonOperator.Equal => number == Value,
                    ComparisonOperator.NotEqual => number != Value,
                    _ => throw new UnreachableException(),
                };
                return JudgementLogic.Judged(holds);
            }
        );
}

internal abstract record AtomFormula : Formula
{
    public override int? MessagesNeeded => 1;

    public override double MillisecondsNeeded => 0;
}

internal sealed record NotFormula(Formula Inner) : Formula
{
    public override int? MessagesNeeded => Inner.MessagesNeeded;

    public override double MillisecondsNeeded => Inner.MillisecondsNeeded;

    internal override string Text(FormulaPrecedence around) => "!" + Inner.Text(FormulaPrecedence.Unary);

    internal override FormulaMonitor.Node Compile(FormulaMonitor.TraceBuffer trace) =>
        new FormulaMonitor.NotNode(Inner.Compile(trace));
}

internal abstract record BinaryFormula(Formula Left, Formula Right) : Formula
{
    public override int? MessagesNeeded =>
        Left.MessagesNeeded is { } left && Right.MessagesNeeded is { } right ? Math.Max(left, right) : null;

    public override double MillisecondsNeeded => Math.Max(Left.MillisecondsNeeded, Right.MillisecondsNeeded);

    private protected string Text(
        string sign,
        FormulaPrecedence around,
        FormulaPrecedence own,
        FormulaPrecedence left,
        FormulaPrecedence right
    )
    {
        var text = $"{Left.Text(left)} {sign} {Right.Text(right)}";
        return around > own ? $"({text})" : text;
    }
}

internal sealed record AndFormula(Formula Left, Formula Right) : BinaryFormula(Left, Right)
{
    internal override string Text(FormulaPrecedence around) =>
        Text("&", around, FormulaPrecedence.Conjunction, FormulaPrecedence.Conjunction, FormulaPrecedence.Until);

    internal override FormulaMonitor.Node Compile(FormulaMonitor.TraceBuffer trace) =>
        new FormulaMonitor.AndNode(Left.Compile(trace), Right.Compile(trace));
}

internal sealed record OrFormula(Formula Left, Formula Right) : BinaryFormula(Left, Right)
{
    internal override string Text(FormulaPrecedence around) =>
        Text("|", around, FormulaPrecedence.Disjunction, FormulaPrecedence.Disjunction, FormulaPrecedence.Conjunction);

    internal override FormulaMonitor.Node Compile(FormulaMonitor.TraceBuffer trace) =>
        new FormulaMonitor.NotNode(
            new FormulaMonitor.AndNode(
                new FormulaMonitor.NotNode(Left.Compile(trace)),
                new FormulaMonitor.NotNode(Right.Compile(trace))
            )
        );
}

internal sealed record ImpliesFormula(Formula Left, Formula Right) : BinaryFormula(Left, Right)
{
    internal override string Text(FormulaPrecedence around) =>
        Text("=>", around, FormulaPrecedence.Implication, FormulaPrecedence.Disjunction, FormulaPrecedence.Implication);

    internal override FormulaMonitor.Node Compile(FormulaMonitor.TraceBuffer trace) =>
        new FormulaMonitor.NotNode(
            new FormulaMonitor.AndNode(Left.Compile(trace), new FormulaMonitor.NotNode(Right.Compile(trace)))
        );
}

internal sealed record UntilFormula(Formula Left, Formula Right, TraceSpan Span) : BinaryFormula(Left, Right)
{
    public override int? MessagesNeeded =>
        Span.MessageCount is { } count && base.MessagesNeeded is { } inner ? count + inner - 1 : null;

    public override double MillisecondsNeeded => (Span.DurationMilliseconds ?? 0) + base.MillisecondsNeeded;

    internal override string Text(FormulaPrecedence around) =>
        Text($"U{Span}", around, FormulaPrecedence.Until, FormulaPrecedence.Unary, FormulaPrecedence.Until);

    internal override FormulaMonitor.Node Compile(FormulaMonitor.TraceBuffer trace) =>
        new FormulaMonitor.UntilNode(trace, Left.Compile(trace), Right.Compile(trace), Span);
}

internal abstract record SpanFormula(Formula Inner, TraceSpan Span) : Formula
{
    public override int? MessagesNeeded =>
        Span.MessageCount is { } count && Inner.MessagesNeeded is { } inner ? count + inner - 1 : null;

    public override double MillisecondsNeeded => (Span.DurationMilliseconds ?? 0) + Inner.MillisecondsNeeded;
}

internal sealed record AlwaysFormula(Formula Inner, TraceSpan Span) : SpanFormula(Inner, Span)
{
    internal override string Text(FormulaPrecedence around) => $"G{Span} {Inner.Text(FormulaPrecedence.Unary)}";

    internal override FormulaMonitor.Node Compile(FormulaMonitor.TraceBuffer trace) =>
        new FormulaMonitor.NotNode(
            new FormulaMonitor.EventuallyNode(trace, new FormulaMonitor.NotNode(Inner.Compile(trace)), Span)
        );
}

internal sealed record EventuallyFormula(Formula Inner, TraceSpan Span) : SpanFormula(Inner, Span)
{
    internal override string Text(FormulaPrecedence around) => $"F{Span} {Inner.Text(FormulaPrecedence.Unary)}";

    internal override FormulaMonitor.Node Compile(FormulaMonitor.TraceBuffer trace) =>
        new FormulaMonitor.EventuallyNode(trace, Inner.Compile(trace), Span);
}
