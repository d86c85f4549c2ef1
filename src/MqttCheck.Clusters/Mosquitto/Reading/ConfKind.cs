using System.Globalization;
using System.Text;

namespace MqttCheck.Clusters.Mosquitto.Reading;

/// <summary>A kind of value of a key, which is read as Mosquitto 2.0.11 reads it.</summary>
/// <param name="Allowed">The values, for messages.</param>
/// <param name="Read">
/// Gives the meaning of what follows a key in its line, each byte as one character; null where it is refused.
/// </param>
internal sealed record ConfKind(string Allowed, Func<string, string?> Read)
{
    private static readonly UTF8Encoding s_strict = new(false, throwOnInvalidBytes: true);

    /// <summary>Whether a block may have it only once.</summary>
    public bool IsOnce { get; init; }

    /// <summary>A truth value.</summary>
    public static ConfKind Flag { get; } =
        new(
            "true, false, 1 or 0",
            rest =>
                First(rest) switch
                {
                    "true" or "1" => "true",
                    "false" or "0" => "false",
                    _ => null,
                }
        );

    /// <summary>The rest of the line without the blanks around it.</summary>
    public static ConfKind Text { get; } = new("a text in UTF-8 without control characters", TextOf) { IsOnce = true };

    /// <summary>Anything, or nothing.</summary>
    public static ConfKind Any { get; } = new("anything", rest => rest.Trim());

    /// <summary>One word.</summary>
    public static ConfKind Word { get; } = new("one word", rest => First(rest) is { Length: > 0 } word ? word : null);

    /// <summary>A number followed by a unit.</summary>
    public static ConfKind Duration(string units) =>
        new(
            $"a positive whole number with one of the units {string.Join(", ", units.AsEnumerable())}",
            rest =>
                First(rest) is var word && (word.Length == 0 || (units.Contains(word[^1]) && Atoi(word[..^1]) > 0))
                    ? word
                    : null
        );

    /// <summary>A whole number; a word that begins with no number counts as 0, as with atoi(3).</summary>
    /// <param name="least">The least one.</param>
    /// <param name="most">The greatest one.</param>
    public static ConfKind Integer(long least = int.MinValue, long most = int.MaxValue) =>
        new(
            (least, most) switch
            {
                (int.MinValue, int.MaxValue) => "a whole number",
                (int.MinValue, _) => string.Create(CultureInfo.InvariantCulture, $"at most {most}"),
                (_, int.MaxValue or long.MaxValue) => string.Create(CultureInfo.InvariantCulture, $"at least {least}"),
                _ => string.Create(CultureInfo.InvariantCulture, $"{least} to {most}"),
            },
            rest =>
            {
                var word = First(rest);
                var number = most > int.MaxValue ? Atol(word) : Atoi(word);
                return word.Length > 0 && number >= least && number <= most
                    ? number.ToString(CultureInfo.InvariantCulture)
                    : null;
            }
        );

    /// <summary>One of several words.</summary>
    public static ConfKind OneOf(params string[] words) =>
        new(string.Join(", ", words), rest => words.Contains(First(rest)) ? First(rest) : null);

    /// <summary>The same values, or none, which Mosquitto takes with a warning.</summary>
    public ConfKind OrNone() => this with { Read = rest => First(rest).Length == 0 ? "" : Read(rest) };

    /// <summary>The words of a text, which only blanks separate.</summary>
    public static string[] Words(string rest) => rest.Split(' ', StringSplitOptions.RemoveEmptyEntries);

    /// <summary>The first word, or nothing.</summary>
    public static string First(string rest) => Words(rest).FirstOrDefault() ?? "";

    /// <summary>The number that a word begins with, as with atoi(3) of a 64-bit glibc.</summary>
    public static int Atoi(string word) => unchecked((int)Atol(word));

    /// <summary>The text whose bytes are given as one character each.</summary>
    public static string Decoded(string bytes) => Encoding.UTF8.GetString(Encoding.Latin1.GetBytes(bytes));

    private static long Atol(string word)
    {
        var text = word.AsSpan().TrimStart("\t\v\f\r");
        var sign = text.StartsWith("-") || text.StartsWith("+") ? 1 : 0;
        var digits = text[sign..].IndexOfAnyExceptInRange('0', '9');
        var number = text[..(digits < 0 ? text.Length : sign + digits)];
        return number.Length == sign ? 0
            : long.TryParse(number, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var value) ? value
            : number[0] == '-' ? long.MinValue
            : long.MaxValue;
    }

    private static string? TextOf(string rest)
    {
        var bytes = Encoding.Latin1.GetBytes(rest.Trim(' ', '\t', '\v', '\f', '\r'));
        if (bytes.Length is 0 or > ushort.MaxValue)
            return null;
        try
        {
            var text = s_strict.GetString(bytes);
            return text.EnumerateRunes().Any(IsRefused) ? null : text;
        }
        catch (ArgumentException)
        {
            return null;
        }
    }

    // MQTT lets a broker refuse control characters and those that Unicode keeps unassigned (section 1.5.4).
    private static bool IsRefused(Rune rune) =>
        Rune.IsControl(rune) || rune.Value is >= 0xFDD0 and <= 0xFDEF || (rune.Value & 0xFFFE) == 0xFFFE;
}
