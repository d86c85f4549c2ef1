using System.Globalization;

namespace MqttCheck.Properties.Language;

/// <summary>Cuts the text of a property into tokens.</summary>
internal static class PropertyLexer
{
    private static readonly string[] s_signs =
    [
        "<=",
        ">=",
        "!=",
        "=>",
        "<",
        ">",
        "=",
        "!",
        "&",
        "|",
        "(",
        ")",
        "[",
        "]",
    ];

    public static List<PropertyToken> Read(string text, string source)
    {
        var tokens = new List<PropertyToken>();
        var at = 0;
        while (true)
        {
            while (at < text.Length && char.IsWhiteSpace(text[at]))
                at++;
            var column = at + 1;
            if (at == text.Length)
            {
                tokens.Add(new(PropertyTokenKind.End, "the end", 0, "", column));
                return tokens;
            }
            var start = at;
            if (char.IsAsciiDigit(text[at]) || text[at] == '.')
            {
                at = NumberEnd(text, at);
                if (
                    !double.TryParse(
                        text.AsSpan(start, at - start),
                        NumberStyles.Float,
                        CultureInfo.InvariantCulture,
                        out var number
                    )
                )
                    throw new InputException(
                        $"{source}, column {column}: '{text[start..at]}' is "
                            + "not a number; allowed: a number such as 10 or 0.95."
                    );
                var unit = at;
                while (at < text.Length && char.IsAsciiLetter(text[at]))
                    at++;
                tokens.Add(new(PropertyTokenKind.Number, text[start..at], number, text[unit..at], column));
            }
            else if (char.IsAsciiLetter(text[at]))
            {
                // The letter of a quantile or operator ends before its number: Q0.95.
                while (at < text.Length && char.IsAsciiLetter(text[at]))
                    at++;
                tokens.Add(new(PropertyTokenKind.Word, text[start..at], 0, "", column));
            }
            else
            {
                var sign =
                    s_signs.FirstOrDefault(candidate => text.AsSpan(at).StartsWith(candidate, StringComparison.Ordinal))
                    ?? throw new InputException(
                        $"{source}, column {column}: '{text[at]}' has no meaning here; "
                            + $"allowed: words, numbers, and the signs {string.Join(' ', s_signs)}."
                    );
                at += sign.Length;
                tokens.Add(new(PropertyTokenKind.Sign, sign, 0, "", column));
            }
        }
    }

    // Digits with a decimal point and an exponent, but "10e" of "10events" is not one.
    private static int NumberEnd(string text, int at)
    {
        while (at < text.Length && (char.IsAsciiDigit(text[at]) || text[at] == '.'))
            at++;
        if (at >= text.Length || text[at] is not ('e' or 'E'))
            return at;
        var digits = at + 1;
        if (digits < text.Length && text[digits] is '+' or '-')
            digits++;
        if (digits >= text.Length || !char.IsAsciiDigit(text[digits]))
            return at;
        while (digits < text.Length && char.IsAsciiDigit(text[digits]))
            digits++;
        return digits;
    }
}
