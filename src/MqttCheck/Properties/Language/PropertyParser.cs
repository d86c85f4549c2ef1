using System.Globalization;
using MqttCheck.Clients;
using MqttCheck.Properties.Formulas;
using MqttCheck.Properties.Traces;

namespace MqttCheck.Properties.Language;

/// <summary>
/// Reads properties by recursive descent; every error names the column, what stands there and what is allowed.
/// </summary>
internal sealed class PropertyParser
{
    private const int DeepestNesting = 200;

    private static readonly string[] s_kinds = [.. Enum.GetValues<MessageKind>().Select(kind => kind.Name())];

    private readonly List<PropertyToken> _tokens;
    private readonly string _source;
    private int _next,
        _depth;

    public PropertyParser(string text, string source)
    {
        _source = source;
        _tokens = PropertyLexer.Read(text, source);
    }

    private PropertyToken Here => _tokens[_next];

    public TraceProperty Property()
    {
        const string Allowed =
            "P[ formula ], P>=0.95[ formula ], P<=0.05[ formula ], E[ measure ], Q0.95[ "
            + "measure ] (both also with a bound behind, such as < 50ms) or D[ measure ]";
        var head = Here;
        if (head.Kind != PropertyTokenKind.Word || head.Text is not ("P" or "E" or "Q" or "D"))
            throw Wrong(head, Allowed);
        _next++;
        var compare = head.Text == "P" && Here.Text is ">=" or "<=" ? _tokens[_next++].Text : null;
        var level = compare is not null || head.Text == "Q" ? Level() : 0;
        Expect("[");
        var property = (head.Text, compare) switch
        {
            ("P", null) => TraceProperty.Probability(Formula()),
            ("P", ">=") => TraceProperty.AtLeast(level, Formula()),
            ("P", _) => TraceProperty.AtMost(level, Formula()),
            ("E", _) => TraceProperty.Expectation(Measure()),
            ("Q", _) => TraceProperty.Quantile(level, Measure()),
            _ => TraceProperty.Distribution(Measure()),
        };
        Expect("]");
        if (
            property.Kind is PropertyKind.Expectation or PropertyKind.Quantile
            && PropertyText.TryComparison(Here.Text, out var comparison)
        )
            property = property.With(Bound(property, comparison));
        ExpectEnd();
        return property;
    }

    private TraceBound Bound(TraceProperty property, ComparisonOperator comparison)
    {
        if (comparison is ComparisonOperator.Equal or ComparisonOperator.NotEqual)
            throw Wrong(Here, "<, <=, > or >=");
        _next++;
        return new(comparison, Value(property.Measure!.Quantity));
    }

    public Formula WholeFormula()
    {
        var formula = Formula();
        ExpectEnd();
        return formula;
    }

    private Formula Formula()
    {
        if (++_depth > DeepestNesting)
            throw Wrong(
                Here,
                string.Create(CultureInfo.InvariantCulture, $"at most {DeepestNesting} nested operators")
            );
        var left = Disjunction();
        if (Take("=>"))
            left = Formulas.Formula.Implies(left, Formula());
        _depth--;
        return left;
    }

    private Formula Disjunction()
    {
        var left = Conjunction();
        while (Take("|"))
            left |= Conjunction();
        return left;
    }

    private Formula Conjunction()
    {
        var left = Until();
        while (Take("&"))
            left &= Until();
        return left;
    }

    private Formula Until()
    {
        var left = Unary();
        if (!Take("U"))
            return left;
        var span = Span();
        return Formulas.Formula.Until(left, Until(), span);
    }

    private Formula Unary()
    {
        if (++_depth > DeepestNesting)
            throw Wrong(
                Here,
                string.Create(CultureInfo.InvariantCulture, $"at most {DeepestNesting} nested operators")
            );
        Formula formula;
        if (Take("!"))
            formula = !Unary();
        else if (Take("G"))
        {
            var span = Span();
            formula = Formulas.Formula.Always(Unary(), span);
        }
        else if (Take("F"))
        {
            var span = Span();
            formula = Formulas.Formula.Eventually(Unary(), span);
        }
        else if (Take("("))
        {
            formula = Formula();
            Expect(")");
        }
        else
        {
            formula = Atom();
        }
        _depth--;
        return formula;
    }

    private Formula Atom()
    {
        var word = Here;
        if (word.Kind != PropertyTokenKind.Word)
            throw Wrong(word, "a formula");
        _next++;
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
            throw Unknown(
                word,
                "message or quantity",
                $"messages {string.Join(", ", s_kinds)}; quantities {string.Join(", ", PropertyText.Quantities)}; "
                    + "failed, true, false; operators G, F, U, !, &, |, =>"
            );
        }
        var of = Kind(quantity);
        var sign = Here;
        if (!PropertyText.TryComparison(sign.Text, out var comparison))
            throw Wrong(sign, "a comparison: <, <=, >, >=, = or !=");
        _next++;
        return Formulas.Formula.Compare(quantity, of, comparison, Value(quantity));
    }

    private TraceMeasure Measure()
    {
        var word = Here;
        var aggregate = TraceMeasure.AggregateNames.ToList().IndexOf(word.Text);
        if (aggregate >= 0)
            _next++;
        var name = Here;
        if (name.Kind != PropertyTokenKind.Word || !PropertyText.TryQuantity(name.Text, out var quantity))
        {
            throw Unknown(
                name,
                "measure",
                $"one of {string.Join(", ", TraceMeasure.AggregateNames)}, "
                    + $"and then one of {string.Join(", ", PropertyText.Quantities)}"
            );
        }
        _next++;
        // What grows along the trace has one natural value: that at its end.
        if (aggregate < 0 && quantity is not (TraceQuantity.Elapsed or TraceQuantity.Count or TraceQuantity.Failures))
            throw Wrong(name, $"{string.Join(", ", TraceMeasure.AggregateNames)} before {name.Text}");
        return new(aggregate < 0 ? TraceAggregate.Last : (TraceAggregate)aggregate, quantity, Kind(quantity));
    }

    private MessageKind? Kind(TraceQuantity quantity)
    {
        if (Here.Text != "(")
            return null;
        if (!PropertyText.HasKind(quantity))
            throw Wrong(Here, $"{PropertyText.Name(quantity)} without a message kind");
        _next++;
        var word = Here;
        if (!MessageKinds.TryParse(word.Text, out var kind))
            throw Unknown(word, "message", string.Join(", ", s_kinds));
        _next++;
        Expect(")");
        return kind;
    }

    private TraceSpan Span()
    {
        if (!Take("<="))
            return TraceSpan.Whole;
        var number = Here;
        if (number.Kind == PropertyTokenKind.Number && number.Unit == "msg")
        {
            if (number.Number is not (>= 1 and <= 1_000_000) || number.Number != Math.Floor(number.Number))
                throw Wrong(number, "a whole number of messages from 1 to 1000000");
            _next++;
            return TraceSpan.Messages((int)number.Number);
        }
        return TraceSpan.Milliseconds(
            Duration("a number of messages such as 10msg, or a positive duration with its unit (us, ms, s, min, h)")
        );
    }

    private double Value(TraceQuantity quantity)
    {
        if (PropertyText.IsDuration(quantity))
            return Duration("a positive duration with its unit (us, ms, s, min, h), such as 50ms");
        var number = Here;
        if (number.Kind != PropertyTokenKind.Number || number.Unit.Length > 0 || !double.IsFinite(number.Number))
            throw Wrong(number, "a number without unit");
        _next++;
        return number.Number;
    }

    private double Duration(string allowed)
    {
        var number = Here;
        var unit = Array.FindIndex(PropertyText.Units, candidate => candidate.Unit == number.Unit);
        if (number.Kind != PropertyTokenKind.Number || unit < 0)
            throw Wrong(number, allowed);
        var milliseconds = number.Number * PropertyText.Units[unit].Milliseconds;
        if (!(milliseconds > 0 && double.IsFinite(milliseconds)))
            throw Wrong(number, allowed);
        _next++;
        return milliseconds;
    }

    private double Level()
    {
        var number = Here;
        if (number.Kind != PropertyTokenKind.Number || number.Unit.Length > 0 || number.Number is not (> 0 and < 1))
            throw Wrong(number, "a probability above 0 and below 1");
        _next++;
        return number.Number;
    }

    private bool Take(string text)
    {
        if (Here.Kind is PropertyTokenKind.End or PropertyTokenKind.Number || Here.Text != text)
            return false;
        _next++;
        return true;
    }

    private void Expect(string sign)
    {
        if (!Take(sign))
            throw Wrong(Here, $"'{sign}'");
    }

    private void ExpectEnd()
    {
        if (Here.Kind != PropertyTokenKind.End)
            throw Wrong(Here, "the end, or an operator");
    }

    private InputException Wrong(PropertyToken token, string allowed) =>
        new($"{_source}, column {token.Column}: {Quoted(token)} is not allowed here; allowed: {allowed}.");

    private InputException Unknown(PropertyToken token, string what, string allowed) =>
        new($"{_source}, column {token.Column}: unknown {what} {Quoted(token)}; allowed: {allowed}.");

    private static string Quoted(PropertyToken token) =>
        token.Kind == PropertyTokenKind.End ? "the end" : $"'{token.Text}'";
}
