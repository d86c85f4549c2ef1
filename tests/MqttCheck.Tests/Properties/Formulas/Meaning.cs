using MqttCheck.Properties;
using MqttCheck.Properties.Formulas;
using MqttCheck.Properties.Traces;

namespace MqttCheck.Tests.Properties.Formulas;

/// <summary>
/// What a formula is at a message, as docs/reference/checking.md defines it: its value by Kleene's logic, null where
/// that is undecided because a part does not apply; what the parts say that do apply, null for none; and whether any
/// atom was judged.
/// </summary>
internal sealed record Meaning(bool? Value, bool? Applying, bool IsJudged)
{
    private static readonly Meaning s_doesNotApply = new(null, null, false);

    /// <summary>What a formula says about a trace; null for nothing.</summary>
    public static bool? Of(Formula formula, TraceMessage[] trace)
    {
        var meaning = Of(formula, trace, 0);
        return AsksMessages(formula) && !meaning.IsJudged ? null : meaning.Value ?? meaning.Applying;
    }

    private static Meaning Of(Formula formula, TraceMessage[] trace, int i)
    {
        switch (formula)
        {
            case ConstantFormula constant:
                return new(constant.Value, constant.Value, false);
            case KindFormula kind:
                return Judged(i < trace.Length ? trace[i].Kind == kind.Kind : null);
            case FailedFormula:
                return Judged(i < trace.Length ? !trace[i].Succeeded : null);
            case ComparisonFormula comparison:
                return Judged(i < trace.Length ? Compare(comparison, trace, i) : null);
            case NotFormula not:
                return Not(Of(not.Inner, trace, i));
            case AndFormula and:
                return And(Of(and.Left, trace, i), Of(and.Right, trace, i));
            case OrFormula or:
                return Not(And(Not(Of(or.Left, trace, i)), Not(Of(or.Right, trace, i))));
            case ImpliesFormula implies:
                return Not(And(Of(implies.Left, trace, i), Not(Of(implies.Right, trace, i))));
            case AlwaysFormula always:
                return Not(Until(null, j => Not(Of(always.Inner, trace, j)), Window(trace, i, always.Span)));
            case EventuallyFormula eventually:
                return Until(null, j => Of(eventually.Inner, trace, j), Window(trace, i, eventually.Span));
            case UntilFormula until:
                return Until(
                    j => Of(until.Left, trace, j),
                    j => Of(until.Right, trace, j),
                    Window(trace, i, until.Span)
                );
            default:
                throw new NotSupportedException(formula.GetType().Name);
        }
    }

    private static bool AsksMessages(Formula formula) =>
        FormulaParts.Atoms(formula).Any(atom => atom is not ConstantFormula);

    private static Meaning Judged(bool? value) => value is null ? s_doesNotApply : new(value, value, true);

    private static Meaning Not(Meaning inner) => new(!inner.Value, !inner.Applying, inner.IsJudged);

    private static Meaning And(Meaning left, Meaning right) =>
        new(
            left.Value & right.Value,
            left.Applying is null ? right.Applying
                : right.Applying is null ? left.Applying
                : left.Applying & right.Applying,
            left.IsJudged || right.IsJudged
        );

    private static Meaning Until(Func<int, Meaning>? condition, Func<int, Meaning> goal, IEnumerable<int> window)
    {
        var isJudged = false;
        foreach (var j in window)
        {
            var reached = goal(j);
            if (reached.Value == true)
                return new(true, true, isJudged || reached.IsJudged);
            var before = condition?.Invoke(j);
            isJudged = isJudged || reached.IsJudged || before is { IsJudged: true };
            if (before is { Value: false })
                break;
        }
        return new(false, false, isJudged);
    }

    private static IEnumerable<int> Window(TraceMessage[] trace, int i, TraceSpan span) =>
        Enumerable
            .Range(i, Math.Max(0, trace.Length - i))
            .Where(j =>
                !(j - i >= span.MessageCount)
                && !(trace[j].EndMilliseconds - trace[i].SentMilliseconds > span.DurationMilliseconds)
            );

    private static bool? Compare(ComparisonFormula formula, TraceMessage[] trace, int i)
    {
        bool Counts(TraceMessage message) => formula.Kind is null || message.Kind == formula.Kind;
        var seen = trace.Take(i + 1).Where(Counts);
        double? number = formula.Quantity switch
        {
            TraceQuantity.Latency => Counts(trace[i]) ? trace[i].LatencyMilliseconds : null,
            TraceQuantity.Acknowledgement => Counts(trace[i]) ? trace[i].AcknowledgementMilliseconds : null,
            TraceQuantity.Elapsed => trace[i].EndMilliseconds - trace[0].SentMilliseconds,
            TraceQuantity.Count => seen.Count(),
            TraceQuantity.Failures => seen.Count(message => !message.Succeeded),
            TraceQuantity.Active => trace[i].Active,
            TraceQuantity.Subscribers => trace[i].Subscribers,
            _ => trace[i].PayloadBytes,
        };
        if (number is not { } value)
            return null;
        return formula.Comparison switch
        {
            ComparisonOperator.Less => value < formula.Value,
            ComparisonOperator.AtMost => value <= formula.Value,
            ComparisonOperator.Greater => value > formula.Value,
            ComparisonOperator.AtLeast => value >= formula.Value,
            ComparisonOperator.Equal => value == formula.Value,
            _ => value != formula.Value,
        };
    }
}
