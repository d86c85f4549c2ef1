using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Clients;
using MqttCheck.Properties;
using MqttCheck.Properties.Formulas;
using MqttCheck.Properties.Traces;

namespace MqttCheck.Tests.Properties.Formulas;

/// <summary>Random formulas and traces.</summary>
internal static class FormulaGenerators
{
    private static readonly Gen<MessageKind?> s_kind = Gen.OneOf(
        Gen.Constant<MessageKind?>(null),
        Gen.Elements(Enum.GetValues<MessageKind>()).Select(kind => (MessageKind?)kind)
    );

    private static readonly Gen<TraceSpan> s_span = Gen.OneOf(
        Gen.Constant(TraceSpan.Whole),
        Gen.Choose(1, 5).Select(TraceSpan.Messages),
        Gen.Choose(1, 400).Select(tenths => TraceSpan.Milliseconds(tenths / 10.0))
    );

    private static readonly Gen<Formula> s_atom = Gen.OneOf(
        Gen.Elements(Enum.GetValues<MessageKind>()).Select(Formula.Is),
        Gen.Elements(Formula.Failed, Formula.Constant(true), Formula.Constant(false)),
        from quantity in Gen.Elements(
            TraceQuantity.Latency,
            TraceQuantity.Count,
            TraceQuantity.Failures,
            TraceQuantity.Acknowledgement
        )
        from kind in s_kind
        from comparison in Gen.Elements(Enum.GetValues<ComparisonOperator>())
        from value in Gen.Choose(1, 20)
        select Formula.Compare(quantity, kind, comparison, value),
        from quantity in Gen.Elements(
            TraceQuantity.Elapsed,
            TraceQuantity.Active,
            TraceQuantity.Subscribers,
            TraceQuantity.Payload
        )
        from comparison in Gen.Elements(Enum.GetValues<ComparisonOperator>())
        from value in Gen.Choose(1, 30)
        select Formula.Compare(quantity, null, comparison, value)
    );

    public static Arbitrary<Formula> AnyFormula { get; } = Gen.Sized(size => Of(Math.Min(size, 12))).ToArbitrary();

    public static Arbitrary<TraceMessage[]> AnyTrace { get; } =
        (
            from steps in (
                from kind in Gen.Elements(Enum.GetValues<MessageKind>())
                from wait in Gen.Choose(0, 10)
                from latency in Gen.Choose(0, 20)
                from fails in Gen.Choose(0, 9)
                from number in Gen.Choose(0, 30)
                select (kind, wait, latency, fails: fails == 0, number)
            ).ListOf()
            select Trace(steps.Take(8))
        ).ToArbitrary();

    public static TraceMessage Message(
        MessageKind kind,
        double sent,
        double latency,
        bool fails = false,
        int number = 0
    ) =>
        new()
        {
            Kind = kind,
            SentMilliseconds = sent,
            EndMilliseconds = sent + latency,
            LatencyMilliseconds = fails ? double.PositiveInfinity : latency,
            AcknowledgementMilliseconds = fails ? double.PositiveInfinity : latency / 2,
            Active = number,
            Subscribers = number / 2,
            PayloadBytes = number * 2,
        };

    private static TraceMessage[] Trace(
        IEnumerable<(MessageKind Kind, int Wait, int Latency, bool Fails, int Number)> steps
    )
    {
        double now = 100;
        var messages = new List<TraceMessage>();
        foreach (var (kind, wait, latency, fails, number) in steps)
        {
            now += wait;
            messages.Add(Message(kind, now, latency, fails, number));
            now += latency;
        }
        return [.. messages];
    }

    // The shape is drawn first: building the generators of all shapes at every level would take exponential time.
    private static Gen<Formula> Of(int size) =>
        size <= 1
            ? s_atom
            : Gen.Choose(0, 7)
                .SelectMany(shape =>
                    shape switch
                    {
                        0 => s_atom,
                        1 => Of(size - 1).Select(inner => !inner),
                        2 => from inner in Of(size - 1) from span in s_span select Formula.Always(inner, span),
                        3 => from inner in Of(size - 1) from span in s_span select Formula.Eventually(inner, span),
                        4 => from left in Of(size / 2)
                        from right in Of(size / 2)
                        from span in s_span
                        select Formula.Until(left, right, span),
                        5 => from left in Of(size / 2) from right in Of(size / 2) select left & right,
                        6 => from left in Of(size / 2) from right in Of(size / 2) select left | right,
                        _ => from left in Of(size / 2) from right in Of(size / 2) select Formula.Implies(left, right),
                    }
                );
}
