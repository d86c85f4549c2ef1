using System.Globalization;
using MqttCheck.Text;

namespace MqttCheck.Properties.Language;

/// <summary>
/// The place in the tokens of a property: what every parser of properties does with them. Every error names the column,
/// what stands there and what is allowed.
/// </summary>
/// <param name="text">The text.</param>
/// <param name="source">The origin of the text, for messages.</param>
/// <exception cref="InputException">A character that no property has.</exception>
internal sealed class PropertyCursor(string text, string source)
{
    private const int DeepestNesting = 200;

    private readonly List<PropertyToken> _tokens = PropertyLexer.Read(text, source);
    private int _next,
        _depth;

    /// <summary>The next token.</summary>
    public PropertyToken Here => _tokens[_next];

    /// <summary>Goes on, and returns the token that was the next one.</summary>
    public PropertyToken Advance() => _tokens[_next++];

    /// <summary>
    /// Reads what all properties begin with, up to the bracket: P, E, Q or D, P perhaps with &gt;= or &lt;= and a
    /// probability, Q with a share.
    /// </summary>
    /// <param name="forms">The forms that are allowed, for the message.</param>
    public (PropertyKind Kind, double Level) Head(string forms)
    {
        var head = Here;
        if (head.Kind != PropertyTokenKind.Word || head.Text is not ("P" or "E" or "Q" or "D"))
            throw Wrong(head, forms);
        _next++;
        var compare = head.Text == "P" && Here.Text is ">=" or "<=" ? Advance().Text : null;
        var level = compare is not null || head.Text == "Q" ? Level() : 0;
        Expect("[");
        var kind = (head.Text, compare) switch
        {
            ("P", null) => PropertyKind.Probability,
            ("P", ">=") => PropertyKind.AtLeast,
            ("P", _) => PropertyKind.AtMost,
            ("E", _) => PropertyKind.Expectation,
            ("Q", _) => PropertyKind.Quantile,
            _ => PropertyKind.Distribution,
        };
        return (kind, level);
    }

    /// <summary>Reads what is nested in an operator.</summary>
    /// <typeparam name="T">The type of the nested part.</typeparam>
    /// <param name="read">Reads it.</param>
    /// <exception cref="InputException">The nesting is so deep that reading would exhaust the stack.</exception>
    public T Nested<T>(Func<T> read)
    {
        if (++_depth > DeepestNesting)
            throw Wrong(
                Here,
                string.Create(CultureInfo.InvariantCulture, $"at most {DeepestNesting} nested operators")
            );
        var nested = read();
        _depth--;
        return nested;
    }

    /// <summary>Reads a comparison.</summary>
    public ComparisonOperator Comparison()
    {
        if (!PropertyText.TryComparison(Here.Text, out var comparison))
            throw Wrong(Here, "a comparison: <, <=, >, >=, = or !=");
        _next++;
        return comparison;
    }

    /// <summary>Reads a number without unit.</summary>
    public double Number() => Number(double.IsFinite, "a number without unit");

    /// <summary>Reads a duration, in milliseconds.</summary>
    /// <param name="allowed">The allowed text here, for the message.</param>
    /// <param name="mayBeZero">Whether 0 is allowed.</param>
    public double Duration(string allowed, bool mayBeZero = false)
    {
        var number = Here;
        var unit = Array.FindIndex(PropertyText.Units, candidate => candidate.Unit == number.Unit);
        if (number.Kind != PropertyTokenKind.Number || unit < 0)
            throw Wrong(number, allowed);
        var milliseconds = number.Number * PropertyText.Units[unit].Milliseconds;
        if (!double.IsFinite(milliseconds) || milliseconds < 0 || (milliseconds == 0 && !mayBeZero))
            throw Wrong(number, allowed);
        _next++;
        return milliseconds;
    }

    /// <summary>Takes a word or sign if it stands here.</summary>
    public bool Take(string text)
    {
        if (Here.Kind is PropertyTokenKind.End or PropertyTokenKind.Number || Here.Text != text)
            return false;
        _next++;
        return true;
    }

    /// <summary>Takes a sign that has to stand here.</summary>
    public void Expect(string sign)
    {
        if (!Take(sign))
            throw Wrong(Here, $"'{sign}'");
    }

    /// <summary>Requires the end.</summary>
    /// <param name="allowed">The allowed text here, for the message.</param>
    public void ExpectEnd(string allowed)
    {
        if (Here.Kind != PropertyTokenKind.End)
            throw Wrong(Here, allowed);
    }

    /// <summary>The error that something else is allowed at a token.</summary>
    public InputException Wrong(PropertyToken token, string allowed) =>
        new($"{source}, column {token.Column}: {Quoted(token)} is not allowed here; allowed: {allowed}.");

    /// <summary>The error that a name is not known.</summary>
    public InputException Unknown(PropertyToken token, string what, string allowed, IEnumerable<string> names) =>
        Unknown(token, what, token.Text, Quoted(token), allowed, names);

    /// <summary>The error that a name of several words is not known.</summary>
    public InputException Unknown(
        PropertyToken token,
        string what,
        string word,
        string given,
        string allowed,
        IEnumerable<string> names
    ) =>
        new(
            $"{source}, column {token.Column}: unknown {what} {given}; allowed: {allowed}"
                + (NearestName.Meant(word, names) is { Length: > 0 } meant ? meant : ".")
        );

    private double Level() => Number(number => number is > 0 and < 1, "a probability above 0 and below 1");

    private double Number(Predicate<double> isAllowed, string allowed)
    {
        var number = Here;
        if (number.Kind != PropertyTokenKind.Number || number.Unit.Length > 0 || !isAllowed(number.Number))
            throw Wrong(number, allowed);
        _next++;
        return number.Number;
    }

    private static string Quoted(PropertyToken token) =>
        token.Kind == PropertyTokenKind.End ? "the end" : $"'{token.Text}'";
}
