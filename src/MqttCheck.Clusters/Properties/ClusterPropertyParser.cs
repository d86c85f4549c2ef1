using MqttCheck.Properties;
using MqttCheck.Properties.Language;

namespace MqttCheck.Clusters.Properties;

/// <summary>Reads properties of clusters by recursive descent, from the tokens of all properties.</summary>
internal sealed class ClusterPropertyParser(string text, string source)
{
    private static readonly int s_mostWords =
        ClusterQuantity.All.Max(quantity => Words(quantity.Name)) + Words(ClusterQuantity.PerPublication);

    private const string Forms =
        "P[ formula ], P>=0.99[ formula ], P<=0.05[ formula ], E[ measure ], Q0.95[ measure ], D[ measure ]";

    private readonly PropertyCursor _cursor = new(text, source);
    private PropertyToken? _ofMessages;

    public ClusterProperty Property()
    {
        var (kind, level) = _cursor.Head(Forms);
        var property = kind is PropertyKind.Probability or PropertyKind.AtLeast or PropertyKind.AtMost
            ? ClusterProperty.OfFormula(kind, level, Statement())
            : ClusterProperty.OfMeasure(kind, level, Measure());
        _cursor.Expect("]");
        _cursor.ExpectEnd("the end");
        return property;
    }

    // A run has one truth of a formula, and many of a statement about its messages.
    private OutcomeFormula Statement()
    {
        var formula = Formula();
        return _ofMessages is not { } place || formula.IsOfMessages
            ? formula
            : throw _cursor.Wrong(
                place,
                $"{place.Text} alone between the brackets, as in P>=0.99[ {place.Text} < 50ms ], because a run has one "
                    + "for each message"
            );
    }

    private OutcomeFormula Formula() =>
        _cursor.Nested(() =>
        {
            var left = Disjunction();
            return _cursor.Take("=>") ? new OutcomeFormula.Pair('>', left, Formula()) : left;
        });

    private OutcomeFormula Disjunction()
    {
        var left = Conjunction();
        while (_cursor.Take("|"))
            left = new OutcomeFormula.Pair('|', left, Conjunction());
        return left;
    }

    private OutcomeFormula Conjunction()
    {
        var left = Unary();
        while (_cursor.Take("&"))
            left = new OutcomeFormula.Pair('&', left, Unary());
        return left;
    }

    private OutcomeFormula Unary()
    {
        if (_cursor.Take("!"))
            return new OutcomeFormula.Opposite(_cursor.Nested(Unary));
        if (!_cursor.Take("("))
            return Comparison();
        var formula = Formula();
        _cursor.Expect(")");
        return formula;
    }

    private OutcomeFormula.Comparison Comparison()
    {
        var at = _cursor.Here;
        var measure = Measure();
        if (measure.Quantity.Times is not null)
            _ofMessages ??= at;
        var comparison = _cursor.Comparison();
        var value = measure.Quantity.IsDuration
            ? _cursor.Duration("a duration with its unit (us, ms, s, min, h), such as 5s", mayBeZero: true)
            : _cursor.Number();
        return new OutcomeFormula.Comparison(measure, comparison, value);
    }

    private static int Words(string name) => name.Split(' ').Length;

    private ClusterMeasure Measure() => Measure(_cursor);

    /// <summary>Reads a measure.</summary>
    /// <param name="cursor">The place at which it stands.</param>
    public static ClusterMeasure Measure(PropertyCursor cursor)
    {
        var first = cursor.Here;
        var words = new List<string>();
        while (cursor.Here.Kind == PropertyTokenKind.Word && words.Count < s_mostWords)
            words.Add(cursor.Advance().Text);
        var given = string.Join(' ', words);
        var isPer = given.EndsWith(" " + ClusterQuantity.PerPublication, StringComparison.Ordinal);
        var name = isPer ? given[..^(ClusterQuantity.PerPublication.Length + 1)] : given;
        var quantity = ClusterQuantity.All.FirstOrDefault(one => one.Name == name);
        if (quantity is null || (isPer && quantity.IsDuration))
            throw cursor.Unknown(
                first,
                "measure",
                name,
                $"'{(given.Length == 0 ? first.Text : given)}'",
                $"{string.Join(", ", ClusterQuantity.All.Select(one => one.Name))}; a count also with "
                    + $"'{ClusterQuantity.PerPublication}' behind it",
                ClusterQuantity.All.Select(one => one.Name)
            );
        return new ClusterMeasure(quantity, isPer);
    }
}
