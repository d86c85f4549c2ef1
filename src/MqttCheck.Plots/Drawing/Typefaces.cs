using System.Text.RegularExpressions;
using SkiaSharp;

namespace MqttCheck.Plots.Drawing;

/// <summary>
/// The fonts of pictures. They are part of the assembly, so that text is drawn, and takes the same room, on every
/// machine.
/// </summary>
internal static partial class Typefaces
{
    public static SKTypeface Regular { get; } = Load("DejaVuSans.ttf");

    public static SKTypeface Bold { get; } = Load("DejaVuSans-Bold.ttf");

    /// <summary>The font for a text: the own one, or an installed one where that lacks a character.</summary>
    public static SKTypeface For(string text, bool bold)
    {
        var own = bold ? Bold : Regular;
        foreach (var rune in text.EnumerateRunes().Where(rune => !own.ContainsGlyph(rune.Value)))
        {
            // Without an installed font that has it either, the character is drawn as a box.
            if (SKFontManager.Default.MatchCharacter(rune.Value) is { } installed)
                return installed;
        }
        return own;
    }

    /// <summary>How wide a text is.</summary>
    public static float Width(string text, float size, bool bold = false)
    {
        using var font = new SKFont(For(text, bold), size) { Subpixel = true, Hinting = SKFontHinting.None };
        return font.MeasureText(text);
    }

    /// <summary>
    /// Breaks a text into lines that are no wider than allowed, between words; a longer word is broken inside.
    /// </summary>
    public static IReadOnlyList<string> Wrap(string text, float size, float width)
    {
        var lines = new List<string>();
        var line = "";
        foreach (
            var word in UnitGap()
                .Replace(text, "\u00a0")
                .Split(' ', StringSplitOptions.RemoveEmptyEntries)
                .SelectMany(word => Pieces(word, size, width))
        )
        {
            if (line.Length > 0 && Width($"{line} {word}", size) > width)
            {
                lines.Add(line);
                line = "";
            }
            line = line.Length == 0 ? word : $"{line} {word}";
        }
        if (line.Length > 0)
            lines.Add(line);
        return lines;
    }

    /// <summary>A text that is no wider than allowed: what is too long ends in an ellipsis.</summary>
    public static string Fit(string text, float size, float width, bool bold = false)
    {
        if (Width(text, size, bold) <= width)
            return text;
        var length = text.Length;
        while (length > 1 && Width(text[..length].TrimEnd() + "…", size, bold) > width)
            length--;
        return text[..length].TrimEnd() + "…";
    }

    // A number and its unit stay together.
    [GeneratedRegex(@"(?<=\d) (?=(?:%|ms|min|s)(?:\W|$))", RegexOptions.CultureInvariant)]
    private static partial Regex UnitGap();

    private static IEnumerable<string> Pieces(string word, float size, float width)
    {
        while (Width(word, size) > width)
        {
            var length = word.Length - 1;
            while (length > 1 && Width(word[..length], size) > width)
                length--;
            yield return word[..length];
            word = word[length..];
        }
        yield return word;
    }

    private static SKTypeface Load(string name)
    {
        using var stream = typeof(Typefaces).Assembly.GetManifestResourceStream(name)!;
        return SKTypeface.FromStream(stream);
    }
}
