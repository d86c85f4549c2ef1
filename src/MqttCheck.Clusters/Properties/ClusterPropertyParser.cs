using System.Globalization;
using MqttCheck.Properties;
using MqttCheck.Properties.Language;

namespace MqttCheck.Clusters.Properties;

/// <summary>Reads properties of clusters by recursive descent, from the tokens of all properties.</summary>
internal sealed class ClusterPropertyParser
{
    private const int DeepestNesting = 100;

    private const string Forms =
        "P[ formula ], P>=0.99[ formula ], P<=0.05[ formula ], E[ measure ], Q0.95[ measure ], D[ measure ]";

    private readonly List<PropertyToken> _tokens;
    private readonly string _source;
    private int _next,
        _depth;

    public ClusterPropertyParser(string text, string source)
    {
        _source = source;
        _tokens = PropertyLexer.Read(text, source);
    }

    private PropertyToken Here => _tokens[_next];

    public ClusterProperty Property()
    {
        var head = Here;
        if (head.Kind != PropertyTokenKind.Word || head.Text is not ("P" or "E" or "Q" or "D"))
            throw Wrong(head, Forms);
        _next++;
        var compare = head.Text == "P" && Here.Text is ">=" or "<=" ? _tokens[_next++].Text : null;
        var level = compare is not null || head.Text == "Q" ? Level() : 0;
        Expect("[");
        var property = (head.Text, compare) switch
        {
            ("P", null) => ClusterProperty.OfFormula(PropertyKind.Probability, 0, Formula()),
            ("P", ">=") => ClusterProperty.OfFormula(PropertyKind.AtLeast, level, Formula()),
            ("P", _) => ClusterProperty.OfFormula(PropertyKind.AtMost, level, Formula()),
            ("E", _) => ClusterProperty.OfMeasure(PropertyKind.Expectation, 0, Measure()),
            ("Q", _) => ClusterProperty.OfMeasure(PropertyKind.Quantile, level, Measure()),
            _ => ClusterProperty.OfMeasure(PropertyKind.Distribution, 0, Measure()),
        };
        Expect("]");
        return Here.Kind == PropertyTokenKind.End ? property : throw Wrong(Here, "the end");
    }

    private OutcomeFormula Formula()
    {
        if (++_depth > DeepestNesting)
            throw Wrong(
                Here,
                string.Create(CultureInfo.InvariantCulture, $"at most {DeepestNesting} nested operators")
            );
        var left = Disjunction();
        if (Take("=>"))
            left = new OutcomeFormula.Pair('>', left, Formula());
        _depth--;
        return left;
    }

    private OutcomeFormula Disjunction()
    {
        var left = Conjunction();
        while (Take("|"))
            left = new OutcomeFormula.Pair('|', left, Conjunction());
        return left;
    }

    private OutcomeFormula Conjunction()
    {
        var left = Unary();
        while (Take("&"))
            left = new OutcomeFormula.Pair('&', left, Unary());
        return left;
    }

    private OutcomeFormula Unary()
    {
        if (Take("!"))
        {
            if (++_depth > DeepestNesting)
                throw Wrong(Here, "fewer nested operators");
            var inner = Unary();
            _depth--;
            return new OutcomeFormula.Opposite(inner);
        }
        if (!Take("("))
            return Comparison();
        var formula = Formula();
        Expect(")");
        return formula;
    }

    private OutcomeFormula.Comparison Comparison()
    {
        var at = Here;
        var measure = Measure();
        if (measure.Quantity == ClusterQuantity.Delivery)
            throw Wrong(
                at,
                "delivery in Q0.95[ delivery ], E[ delivery ] or D[ delivery ], which has many values in a run"
            );
        if (!PropertyText.TryComparison(Here.Text, out var comparison))
            throw Wrong(Here, "a comparison: <, <=, >, >=, = or !=");
        _next++;
        return new OutcomeFormula.Comparison(measure, comparison, Value(measure));
    }

    private ClusterMeasure Measure()
    {
        var first = Here;
        var words = new List<string>();
        while (Here.Kind == PropertyTokenKind.Word && words.Count < 4)
            words.Add(_tokens[_next++].Text);
        var text = string.Join(' ', words);
        var isPer = text.EndsWith(" " + ClusterQuantities.PerPublication, StringComparison.Ordinal);
        var name = isPer ? text[..^(ClusterQuantities.PerPublication.Length + 1)] : text;
        var index = ClusterQuantities.Names.ToList().IndexOf(name);
        var quantity = (ClusterQuantity)Math.Max(0, index);
        if (index < 0 || (isPer && quantity.IsDuration()))
            throw new InputException(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{_source}, column {first.Column}: unknown measure '{(text.Length == 0 ? first.Text : text)}'; "
                        + $"allowed: {string.Join(", ", ClusterQuantities.Names)}; a count also with "
                        + $"'{ClusterQuantities.PerPublication}' behind it."
                )
            );
        return new ClusterMeasure(quantity, isPer);
    }

    private double Value(ClusterMeasure measure)
    {
        var number = Here;
        if (!measure.Quantity.IsDuration())
        {
            if (number.Kind != PropertyTokenKind.Number || number.Unit.Length > 0 || !double.IsFinite(number.Number))
                throw Wrong(number, "a number without unit");
            _next++;
            return number.Number;
        }
        var unit = Array.FindIndex(PropertyText.Units, candidate => candidate.Unit == number.Unit);
        if (number.Kind != PropertyTokenKind.Number || unit < 0)
            throw Wrong(number, "a duration with its unit (us, ms, s, min, h), such as 5s");
        _next++;
        return number.Number * PropertyText.Units[unit].Milliseconds;
    }

    private double Level()
    {
        var number = Here;
        if (number.Kind != PropertyTokenKind.Number || number.Unit.Length > 0 || number.Number is not (> 0 and < 1))
            throw Wrong(number, "a probability above 0 and below 1");
        _next++;
        return number.Number;
    }

    private bool Take(string sign)
    {
        if (Here.Kind != PropertyTokenKind.Sign || Here.Text != sign)
            return false;
        _next++;
        return true;
    }

    private void Expect(string sign)
    {
        if (!Take(sign))
            throw Wrong(Here, $"'{sign}'");
    }

    private InputException Wrong(PropertyToken token, string allowed)
    {
        var given = token.Kind == PropertyTokenKind.End ? "the end" : $"'{token.Text}'";
        return new InputException(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{_source}, column {token.Column}: {given} is not allowed here; allowed: {allowed}."
            )
        );
    }
}
