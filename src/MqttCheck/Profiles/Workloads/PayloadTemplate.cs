using System.Buffers.Text;
using System.Globalization;
using System.Text;

namespace MqttCheck.Profiles.Workloads;

/// <summary>
/// The text of a payload with fields that are filled in per message. Every field has a fixed width, so that all
/// payloads of a template are equally long.
/// </summary>
/// <remarks>
/// <c>{time}</c> is the time of sending in milliseconds since 1970 (13 digits), <c>{client}</c> the number of the
/// client (5 digits), <c>{number}</c> the number of the message (24 hexadecimal digits, by which a delivery is matched
/// to its publication: a template has it once), <c>{random:N}</c> N letters and digits that depend on the message
/// alone.
/// </remarks>
public sealed record PayloadTemplate
{
    private const int TimeDigits = 13,
        ClientDigits = 5,
        NumberDigits = 24,
        TagDigits = 8;
    private const int MostRandom = 1 << 20;

    private readonly List<(Field Field, int At, int Length)> _fields;
    private readonly byte[] _fixed;

    private PayloadTemplate(string text, List<(Field Field, int At, int Length)> fields, byte[] @fixed) =>
        (Text, _fields, _fixed) = (text, fields, @fixed);

    private enum Field
    {
        Time,
        Client,
        Number,
        Random,
    }

    /// <summary>The template as it was given.</summary>
    public string Text { get; }

    /// <summary>The size of every payload.</summary>
    public int Bytes => _fixed.Length;

    /// <summary>Reads a template.</summary>
    /// <param name="text">The text. A brace that opens none of the fields stands for itself.</param>
    /// <param name="template">The template.</param>
    /// <returns>Null, or what is wrong with the text.</returns>
    public static string? TryParse(string text, out PayloadTemplate? template)
    {
        template = null;
        var fields = new List<(Field Field, int At, int Length)>();
        var bytes = new List<byte>();
        for (var i = 0; i < text.Length; )
        {
            var (field, length, consumed) = ReadField(text.AsSpan(i));
            if (consumed == 0)
            {
                var end = text.IndexOf('{', i + 1);
                bytes.AddRange(Encoding.UTF8.GetBytes(text[i..(end < 0 ? text.Length : end)]));
                i = end < 0 ? text.Length : end;
                continue;
            }
            if (length is < 1 or > MostRandom)
                return string.Create(CultureInfo.InvariantCulture, $"{{random:N}} with N 1 .. {MostRandom}");
            fields.Add((field, bytes.Count, length));
            bytes.AddRange(Enumerable.Repeat((byte)'.', length));
            i += consumed;
        }
        if (fields.Count(field => field.Field == Field.Number) != 1)
            return "a text with {number} once: deliveries are matched to their publications by it";
        template = new(text, fields, [.. bytes]);
        return null;
    }

    /// <summary>Writes a payload.</summary>
    /// <param name="to">At least <see cref="Bytes"/> bytes.</param>
    /// <param name="unixMilliseconds">The time of sending.</param>
    /// <param name="tag">The number of the run.</param>
    /// <param name="number">The number of the message: the client in the upper half, a count in the lower.</param>
    public void Write(Span<byte> to, long unixMilliseconds, uint tag, ulong number)
    {
        _fixed.CopyTo(to);
        foreach (var (field, at, length) in _fields)
        {
            var place = to.Slice(at, length);
            switch (field)
            {
                case Field.Time:
                    Utf8Formatter.TryFormat(unixMilliseconds, place, out _, new('D', TimeDigits));
                    break;
                case Field.Client:
                    Utf8Formatter.TryFormat(number >> 32, place, out _, new('D', ClientDigits));
                    break;
                case Field.Number:
                    Utf8Formatter.TryFormat(tag, place, out _, new('x', TagDigits));
                    Utf8Formatter.TryFormat(number, place[TagDigits..], out _, new('x', NumberDigits - TagDigits));
                    break;
                default:
                    WriteRandom(place, number + (ulong)at);
                    break;
            }
        }
    }

    /// <summary>Finds the number of a message in its payload.</summary>
    /// <param name="payload">The payload.</param>
    /// <param name="tag">The number of the run.</param>
    /// <param name="number">The number of the message.</param>
    /// <returns>Whether the payload holds one of this run.</returns>
    public static bool TryRead(ReadOnlySpan<byte> payload, uint tag, out ulong number)
    {
        number = 0;
        Span<byte> mark = stackalloc byte[TagDigits];
        Utf8Formatter.TryFormat(tag, mark, out _, new('x', TagDigits));
        for (var rest = payload; ; )
        {
            var at = rest.IndexOf(mark);
            if (at < 0 || rest.Length - at < NumberDigits)
                return false;
            if (
                Utf8Parser.TryParse(rest.Slice(at + TagDigits, NumberDigits - TagDigits), out number, out var used, 'x')
                && used == NumberDigits - TagDigits
            )
                return true;
            rest = rest[(at + 1)..];
        }
    }

    /// <inheritdoc/>
    public bool Equals(PayloadTemplate? other) => other?.Text == Text;

    /// <inheritdoc/>
    public override int GetHashCode() => Text.GetHashCode(StringComparison.Ordinal);

    /// <summary>The text.</summary>
    public override string ToString() => Text;

    private static (Field Field, int Length, int Consumed) ReadField(ReadOnlySpan<char> text)
    {
        if (text.StartsWith("{time}", StringComparison.Ordinal))
            return (Field.Time, TimeDigits, 6);
        if (text.StartsWith("{client}", StringComparison.Ordinal))
            return (Field.Client, ClientDigits, 8);
        if (text.StartsWith("{number}", StringComparison.Ordinal))
            return (Field.Number, NumberDigits, 8);
        const string random = "{random:";
        if (!text.StartsWith(random, StringComparison.Ordinal))
            return default;
        var end = text.IndexOf('}');
        return
            end > 0
            && int.TryParse(text[random.Length..end], NumberStyles.None, CultureInfo.InvariantCulture, out var length)
            ? (Field.Random, length, end + 1)
            : default;
    }

    // SplitMix64 (Steele, Lea, Flood 2014), five bits of it for each character.
    private static void WriteRandom(Span<byte> to, ulong state)
    {
        var characters = "abcdefghijklmnopqrstuvwxyz234567"u8;
        ulong bits = 0;
        for (var i = 0; i < to.Length; i++)
        {
            if (i % 12 == 0)
            {
                var z = state += 0x9E3779B97F4A7C15;
                z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
                z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
                bits = z ^ (z >> 31);
            }
            to[i] = characters[(int)(bits & 31)];
            bits >>= 5;
        }
    }
}
