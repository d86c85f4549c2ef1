using System.Diagnostics;
using MqttCheck.Clients;
using MqttCheck.Properties.Formulas;
using MqttCheck.Properties.Traces;

namespace MqttCheck.Properties.Language;

/// <summary>
/// Reads properties by recursive descent; every error names the column, what stands there and what is allowed.
/// </summary>
internal sealed class PropertyParser(string text, string source)
{
    private static readonly string[] s_kinds = [.. Enum.GetValues<MessageKind>().Select(kind => kind.Name())];

    private readonly PropertyCursor _cursor = new(text, source);

    public TraceProperty Property()
    {
        const string Allowed =
            "P[ formula ], P>=0.95[ formula ], P<=0.05[ formula ], E[ measure ], Q0.95[ "
            + "measure ] (both also with a bound behind, such as < 50ms) or D[ measure ]";
        var (kind, level) = _cursor.Head(Allowed);
        var property = kind switch
        {
            PropertyKind.Probability => TraceProperty.Probability(Formula()),
            PropertyKind.AtLeast => TraceProperty.AtLeast(level, Formula()),
            PropertyKind.AtMost => TraceProperty.AtMost(level, Formula()),
            PropertyKind.Expectation => TraceProperty.Expectation(Measure()),
            PropertyKind.Quantile => TraceProperty.Quantile(level, Measure()),
            PropertyKind.Distribution => TraceProperty.Distribution(Measure()),
            _ => throw new UnreachableException(),
        };
        _cursor.Expect("]");
        if (
            property.Kind is PropertyKind.Expectation or PropertyKind.Quantile
            && PropertyText.TryComparison(_cursor.Here.Text, out var comparison)
        )
            property = property.With(Bound(property, comparison));
        _cursor.ExpectEnd("the end, or an operator");
        return property;
    }

    private TraceBound Bound(TraceProperty property, ComparisonOperator comparison)
    {
        if (comparison is ComparisonOperator.Equal or ComparisonOperator.NotEqual)
            throw _cursor.Wrong(_cursor.Here, "<, <=, > or >=");
        _cursor.Advance();
        return new(comparison, Value(property.Measure!.Quantity));
    }

    private Formula Formula() =>
        _cursor.Nested(() =>
        {
            var left = Disjunction();
            return _cursor.Take("=>") ? Formulas.Formula.Implies(left, Formula()) : left;
        });

    private Formula Disjunction()
    {
        var left = Conjunction();
        while (_cursor.Take("|"))
            left |= Conjunction();
        return left;
    }

    private Formula Conjunction()
    {
        var left = Until();
        while (_cursor.Take("&"))
            left &= Until();
        return left;
    }

    private Formula Until()
    {
        var left = Unary();
        if (!_cursor.Take("U"))
            return left;
        var span = Span();
        return Formulas.Formula.Until(left, Until(), span);
    }

    private Formula Unary() => _cursor.Nested(Unnested);

    private Formula Unnested()
    {
        if (_cursor.Take("!"))
            return !Unary();
        if (_cursor.Take("G"))
        {
            var span = Span();
            return Formulas.Formula.Always(Unary(), span);
        }
        if (_cursor.Take("F"))
        {
            var span = Span();
            return Formulas.Formula.Eventually(Unary(), span);
        }
        if (!_cursor.Take("("))
            return Atom();
        var formula = Formula();
        _cursor.Expect(")");
        return formula;
    }

    private Formula Atom()
    {
        var word = _cursor.Here;
        if (word.Kind != PropertyTokenKind.Word)
            throw _cursor.Wrong(word, "a formula");
        _cursor.Advance();
        switch (word.Text)
        {
            case "true" or "false":
                return Formulas.Formula.Constant(word.Text == "true");
            case "failed":
                return Formulas.Formula.Failed;
        }
        if (MessageKinds.TryParse(word.Text, out var kind))
            return Formulas.Formula.Is(kind);
        if (!PropertyText.TryQuantity(word.Text, out var quantity))
        {
            throw _cursor.Unknown(
                word,
                "message or quantity",
                $"messages {string.Join(", ", s_kinds)}; quantities {string.Join(", ", PropertyText.Quantities)}; "
                    + "failed, true, false; operators G, F, U, !, &, |, =>",
                [.. s_kinds, .. PropertyText.Quantities, "failed", "true", "false"]
            );
        }
        var of = Kind(quantity);
        return Formulas.Formula.Compare(quantity, of, _cursor.Comparison(), Value(quantity));
    }

    private TraceMeasure Measure()
    {
        var word = _cursor.Here;
        var aggregate = Array.IndexOf(TraceMeasure.AggregateNames, word.Text);
        if (aggregate >= 0)
            _cursor.Advance();
        var name = _cursor.Here;
        if (name.Kind != PropertyTokenKind.Word || !PropertyText.TryQuantity(name.Text, out var quantity))
        {
            throw _cursor.Unknown(
                name,
                "measure",
                $"one of {string.Join(", ", TraceMeasure.AggregateNames)}, "
                    + $"and then one of {string.Join(", ", PropertyText.Quantities)}",
                [.. TraceMeasure.AggregateNames, .. PropertyText.Quantities]
            );
        }
        _cursor.Advance();
        // A quantity that grows along the trace has one natural value: that at the end of the trace.
        if (aggregate < 0 && quantity is not (TraceQuantity.Elapsed or TraceQuantity.Count or TraceQuantity.Failures))
            throw _cursor.Wrong(name, $"{string.Join(", ", TraceMeasure.AggregateNames)} before {name.Text}");
        return new(aggregate < 0 ? TraceAggregate.Last : (TraceAggregate)aggregate, quantity, Kind(quantity));
    }

    private MessageKind? Kind(TraceQuantity quantity)
    {
        if (_cursor.Here.Text != "(")
            return null;
        if (!PropertyText.HasKind(quantity))
            throw _cursor.Wrong(_cursor.Here, $"{PropertyText.Name(quantity)} without a message kind");
        _cursor.Advance();
        var word = _cursor.Here;
        if (!MessageKinds.TryParse(word.Text, out var kind))
            throw _cursor.Unknown(word, "message", string.Join(", ", s_kinds), s_kinds);
        _cursor.Advance();
        _cursor.Expect(")");
        return kind;
    }

    private TraceSpan Span()
    {
        if (!_cursor.Take("<="))
            return TraceSpan.Whole;
        var number = _cursor.Here;
        if (number.Kind == PropertyTokenKind.Number && number.Unit == "msg")
        {
            if (number.Number is not (>= 1 and <= 1_000_000) || number.Number != Math.Floor(number.Number))
                throw _cursor.Wrong(number, "a whole number of messages from 1 to 1000000");
            _cursor.Advance();
            return TraceSpan.Messages((int)number.Number);
        }
        return TraceSpan.Milliseconds(
            _cursor.Duration(
                "a number of messages such as 10msg, or a positive duration with its unit " + "(us, ms, s, min, h)"
            )
        );
    }

    private double Value(TraceQuantity quantity) =>
        PropertyText.IsDuration(quantity)
            ? _cursor.Duration("a positive duration with its unit (us, ms, s, min, h), such as 50ms")
            : _cursor.Number();
}
