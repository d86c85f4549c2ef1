using MqttCheck.Checking.Properties;

namespace MqttCheck.Tests.Checking.Properties;

/// <summary>The meaning of formulas on whole traces, as they are defined; null where a formula says nothing.</summary>
internal static class Meaning
{
    public static bool? Of(Formula formula, TraceMessage[] trace, int i)
    {
        switch (formula)
        {
            case ConstantFormula constant:
                return i < trace.Length ? constant.Value : null;
            case KindFormula kind:
                return i < trace.Length ? trace[i].Kind == kind.Kind : null;
            case FailedFormula:
                return i < trace.Length ? !trace[i].Succeeded : null;
            case ComparisonFormula comparison:
                return i < trace.Length ? Compare(comparison, trace, i) : null;
            case NotFormula not:
                return !Of(not.Inner, trace, i);
            case AndFormula and:
                return Of(and.Left, trace, i) & Of(and.Right, trace, i);
            case OrFormula or:
                return Of(or.Left, trace, i) | Of(or.Right, trace, i);
            case ImpliesFormula implies:
                return !Of(implies.Left, trace, i) | Of(implies.Right, trace, i);
            case AlwaysFormula always:
                return Window(trace, i, always.Span).All(j => Of(always.Inner, trace, j) != false);
            case EventuallyFormula eventually:
                return Window(trace, i, eventually.Span).Any(j => Of(eventually.Inner, trace, j) == true);
            case UntilFormula until:
                var window = Window(trace, i, until.Span).ToArray();
                return window.Any(j => Of(until.Right, trace, j) == true && window.TakeWhile(k => k < j).All(k => Of(until.Left, trace, k) != false));
            default:
                throw new NotSupportedException(formula.GetType().Name);
        }
    }

    private static IEnumerable<int> Window(TraceMessage[] trace, int i, TraceSpan span) => Enumerable.Range(i, Math.Max(0, trace.Length - i)).Where(j =>
        !(j - i >= span.MessageCount) && !(trace[j].EndMilliseconds - trace[i].SentMilliseconds > span.DurationMilliseconds));

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
        if (number is not { } value) return null;
        return formula.Comparison switch
        {
            Comparison.Less => value < formula.Value,
            Comparison.AtMost => value <= formula.Value,
            Comparison.Greater => value > formula.Value,
            Comparison.AtLeast => value >= formula.Value,
            Comparison.Equal => value == formula.Value,
            _ => value != formula.Value,
        };
    }
}
