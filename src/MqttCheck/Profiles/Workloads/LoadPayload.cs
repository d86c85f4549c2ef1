using System.Buffers;
using System.Buffers.Binary;
using System.Buffers.Text;
using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Profiles.Workloads;

/// <summary>
/// The payload of the messages of a load. It has a fixed size, a law of sizes, or a text with fields that are filled in
/// for each message. Every payload carries the number of its message at a known place, so that the receiver can tell
/// which message arrived.
/// </summary>
/// <remarks>
/// Places in a text: <c>{time}</c> (milliseconds since 1970, 13 digits), <c>{publisher}</c> (6 digits), <c>{number}</c>
/// (10 digits), <c>{number:base64}</c> (its low 24 bits as 4 characters), <c>{random:N}</c> (N hexadecimal digits).
/// They have a fixed width, so all payloads of a text have one size. Other braces stand for themselves.
/// </remarks>
internal sealed partial record LoadPayload
{
    /// <summary>The smallest payload: it holds the low 32 bits of the number.</summary>
    public const int SmallestBytes = 4;

    /// <summary>The largest payload.</summary>
    public const int LargestBytes = 16 << 20;

    private const byte Filler = (byte)'.';
    private const string Base64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    private readonly byte[] _pattern;
    private readonly Place[] _places;
    private readonly Place _number;
    private readonly Law? _sizes;

    private LoadPayload(string text, byte[] pattern, Place[] places, Law? sizes)
    {
        (Text, _pattern, _places, _sizes) = (text, pattern, places, sizes);
        _number = Array.Find(
            places,
            place => place.Kind is PlaceKind.Number or PlaceKind.Base64Number or PlaceKind.BinaryNumber
        );
    }

    private enum PlaceKind : byte
    {
        BinaryNumber,
        Number,
        Base64Number,
        Time,
        Publisher,
        Random,
    }

    /// <summary>The payload as <see cref="Parse"/> reads it.</summary>
    public string Text { get; }

    /// <summary>The size of the largest payload, in bytes.</summary>
    public int MaximumBytes => _pattern.Length;

    /// <summary>Whether sizes vary.</summary>
    public bool HasSizes => _sizes is not null;

    /// <summary>How many messages have different numbers in their payloads.</summary>
    public long DistinctNumbers =>
        _number.Kind switch
        {
            PlaceKind.Number => 10_000_000_000,
            PlaceKind.Base64Number => 1L << 24,
            PlaceKind.BinaryNumber or PlaceKind.Time or PlaceKind.Publisher or PlaceKind.Random => 1L << 32,
            _ => throw new UnreachableException(),
        };

    /// <summary>Payloads of one size.</summary>
    /// <param name="bytes">The size, <see cref="SmallestBytes"/> .. <see cref="LargestBytes"/>.</param>
    /// <exception cref="InputException">The size is out of range.</exception>
    public static LoadPayload OfSize(int bytes) => OfSize(bytes, "payload");

    /// <summary>
    /// Reads a payload: a size in bytes, <c>MIN..MAX</c> (uniform), <c>lognormal:MEDIAN,SIGMA</c>, or <c>text:TEXT</c>
    /// with places.
    /// </summary>
    /// <param name="text">The text.</param>
    /// <param name="where">The origin of the text, for messages: an option, or a file with a key.</param>
    /// <exception cref="InputException">It is none of these, or a size is out of range.</exception>
    public static LoadPayload Parse(string text, string where)
    {
        if (text.StartsWith("text:", StringComparison.Ordinal))
            return OfText(text["text:".Length..], where);
        if (int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var size))
            return OfSize(size, where);
        if (Range().Match(text) is { Success: true } range)
        {
            var (smallest, largest) = (Size(range.Groups[1].Value, where), Size(range.Groups[2].Value, where));
            return smallest <= largest
                ? OfSizes(text, new UniformLaw(smallest, largest + 1.0), largest)
                : throw new InputException(
                    $"{where}: '{text}' has its smallest above its largest size; allowed: MIN..MAX."
                );
        }
        if (
            LogNormal().Match(text) is { Success: true } law
            && double.TryParse(law.Groups[2].Value, CultureInfo.InvariantCulture, out var sigma)
        )
        {
            var median = Size(law.Groups[1].Value, where);
            // Sizes above six sigma, one in a billion, are cut to it.
            return OfSizes(
                text,
                new LogNormalLaw(median, sigma),
                (int)Math.Min(LargestBytes, Math.Ceiling(median * Math.Exp(6 * sigma)))
            );
        }
        throw new InputException(
            $"{where}: '{text}' is no payload; allowed: a size in bytes such as "
                + "100, 50..200, lognormal:100,0.5, or text:TEXT with {number} in it."
        );
    }

    /// <summary>The size of the next message.</summary>
    /// <param name="random">The stream to draw from; nothing is drawn where sizes do not vary.</param>
    public int NextBytes(ref RandomStream random) =>
        _sizes is null ? MaximumBytes : Math.Clamp((int)_sizes.Draw(ref random), SmallestBytes, MaximumBytes);

    /// <summary>Writes what is the same in every payload.</summary>
    /// <param name="payload">Room for <see cref="MaximumBytes"/>, or for fewer where sizes vary.</param>
    public void WritePattern(Span<byte> payload) => _pattern.AsSpan(0, payload.Length).CopyTo(payload);

    /// <summary>
    /// Writes a publisher's number behind that of the message, so that two publishers never send the same payload. A
    /// text stays as it is, and so does a payload without room for it.
    /// </summary>
    /// <param name="pattern">The payload's pattern.</param>
    /// <param name="publisher">The publisher's number.</param>
    public void WriteOwner(Span<byte> pattern, int publisher)
    {
        if (_number.Kind == PlaceKind.BinaryNumber && pattern.Length >= SmallestBytes + sizeof(int))
            BinaryPrimitives.WriteInt32BigEndian(pattern[SmallestBytes..], publisher);
    }

    /// <summary>Fills in the places of one message.</summary>
    /// <param name="payload">A payload with the pattern in it.</param>
    /// <param name="publisher">The publisher's number.</param>
    /// <param name="number">The message's number.</param>
    /// <param name="unixMilliseconds">The time, in milliseconds since 1970.</param>
    /// <param name="random">The stream to draw from.</param>
    public void Fill(Span<byte> payload, int publisher, long number, long unixMilliseconds, ref RandomStream random)
    {
        foreach (var place in _places)
        {
            var to = payload.Slice(place.Offset, place.Length);
            switch (place.Kind)
            {
                case PlaceKind.BinaryNumber:
                    BinaryPrimitives.WriteUInt32BigEndian(to, (uint)number);
                    break;
                case PlaceKind.Number:
                    WriteDigits(to, number % DistinctNumbers);
                    break;
                case PlaceKind.Base64Number:
                    for (var (index, rest) = (3, number); index >= 0; index--, rest >>= 6)
                        to[index] = (byte)Base64[(int)(rest & 63)];
                    break;
                case PlaceKind.Time:
                    WriteDigits(to, unixMilliseconds);
                    break;
                case PlaceKind.Publisher:
                    WriteDigits(to, publisher);
                    break;
                default:
                    foreach (ref var digit in to)
                        digit = (byte)"0123456789abcdef"[(int)(random.NextUInt64() >> 60)];
                    break;
            }
        }
    }

    /// <summary>Reads the number of a message.</summary>
    /// <param name="payload">The received payload.</param>
    /// <param name="number">The number, modulo <see cref="DistinctNumbers"/>.</param>
    /// <returns>Whether it is a payload of this kind.</returns>
    public bool TryReadNumber(ReadOnlySpan<byte> payload, out long number)
    {
        number = 0;
        if (
            _sizes is null
                ? payload.Length != MaximumBytes
                : payload.Length < SmallestBytes || payload.Length > MaximumBytes
        )
            return false;
        var at = payload.Slice(_number.Offset, _number.Length);
        switch (_number.Kind)
        {
            case PlaceKind.BinaryNumber:
                number = BinaryPrimitives.ReadUInt32BigEndian(at);
                return true;
            case PlaceKind.Number:
                return Utf8Parser.TryParse(at, out number, out var used) && used == at.Length && number >= 0;
            case PlaceKind.Base64Number:
                foreach (var character in at)
                {
                    var digit = Base64.IndexOf((char)character, StringComparison.Ordinal);
                    if (digit < 0)
                        return false;
                    number = (number << 6) | (uint)digit;
                }
                return true;
            default:
                throw new UnreachableException($"{_number.Kind} is no number.");
        }
    }

    /// <summary>
    /// The number of a message, of which the payload holds only the low part: the largest below a bound.
    /// </summary>
    /// <param name="low">The number that <see cref="TryReadNumber"/> read.</param>
    /// <param name="bound">The number of the publisher's next message.</param>
    /// <returns>The number, or -1 when no message has it.</returns>
    public long Complete(long low, long bound)
    {
        var distinct = DistinctNumbers;
        if (bound <= distinct)
            return low < bound ? low : -1;
        var number = bound - 1 - (bound - 1) % distinct + low;
        return number < bound ? number : number - distinct;
    }

    /// <summary>Two payloads are equal if their texts are.</summary>
    /// <param name="other">The other one.</param>
    public bool Equals(LoadPayload? other) => other is not null && other.Text == Text;

    /// <inheritdoc/>
    public override int GetHashCode() => Text.GetHashCode(StringComparison.Ordinal);

    /// <inheritdoc/>
    public override string ToString() => Text;

    private static LoadPayload OfSize(int bytes, string where)
    {
        if (bytes is < SmallestBytes or > LargestBytes)
            throw SizeOutOfRange(bytes.ToString(CultureInfo.InvariantCulture), where);
        return new(
            bytes.ToString(CultureInfo.InvariantCulture),
            Filled(bytes),
            [new(PlaceKind.BinaryNumber, 0, SmallestBytes)],
            null
        );
    }

    private static LoadPayload OfSizes(string text, Law sizes, int largest) =>
        new(text, Filled(largest), [new(PlaceKind.BinaryNumber, 0, SmallestBytes)], sizes);

    private static LoadPayload OfText(string text, string where)
    {
        var pattern = new ArrayBufferWriter<byte>();
        var places = new List<Place>();
        var rest = 0;
        foreach (Match match in Places().Matches(text))
        {
            pattern.Write(Encoding.UTF8.GetBytes(text[rest..match.Index]));
            rest = match.Index + match.Length;
            var (kind, length) = match.Value switch
            {
                "{time}" => (PlaceKind.Time, 13),
                "{publisher}" => (PlaceKind.Publisher, 6),
                "{number}" => (PlaceKind.Number, 10),
                "{number:base64}" => (PlaceKind.Base64Number, 4),
                _ => (PlaceKind.Random, int.Parse(match.Groups[1].ValueSpan, CultureInfo.InvariantCulture)),
            };
            places.Add(new(kind, pattern.WrittenCount, length));
            var zeros = pattern.GetSpan(length)[..length];
            zeros.Fill((byte)'0');
            pattern.Advance(length);
        }
        pattern.Write(Encoding.UTF8.GetBytes(text[rest..]));
        if (places.Count(place => place.Kind is PlaceKind.Number or PlaceKind.Base64Number) != 1)
            throw new InputException(
                $"{where}: '{text}' does not hold the number of the message once; "
                    + "allowed: a text with {number} or {number:base64} in one place."
            );
        if (pattern.WrittenCount > LargestBytes)
            throw SizeOutOfRange(pattern.WrittenCount.ToString(CultureInfo.InvariantCulture), where);
        return new("text:" + text, pattern.WrittenSpan.ToArray(), [.. places], null);
    }

    private static int Size(string text, string where) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var size)
        && size is >= SmallestBytes and <= LargestBytes
            ? size
            : throw SizeOutOfRange(text, where);

    private static InputException SizeOutOfRange(string size, string where) =>
        new(
            $"{where}: a payload of {size} bytes is out of range; allowed: "
                + $"{SmallestBytes} (it carries the message's number) .. {LargestBytes} bytes."
        );

    private static byte[] Filled(int bytes) => [.. Enumerable.Repeat(Filler, bytes)];

    private static void WriteDigits(Span<byte> to, long value)
    {
        for (var index = to.Length - 1; index >= 0; index--, value /= 10)
            to[index] = (byte)('0' + value % 10);
    }

    [GeneratedRegex(
        @"\{(?:time|publisher|number|number:base64|random:([1-9][0-9]{0,5}))\}",
        RegexOptions.CultureInvariant
    )]
    private static partial Regex Places();

    [GeneratedRegex(@"^([0-9]{1,9})\.\.([0-9]{1,9})$", RegexOptions.CultureInvariant)]
    private static partial Regex Range();

    [GeneratedRegex(@"^lognormal:([0-9]{1,9}),([0-9]{1,2}(?:\.[0-9]{1,6})?)$", RegexOptions.CultureInvariant)]
    private static partial Regex LogNormal();

    private readonly record struct Place(PlaceKind Kind, int Offset, int Length);
}
