using System.Buffers.Text;
using System.Globalization;
using System.Text;

namespace MqttCheck.Logs;

/// <summary>
/// Formats one line of a CSV file into bytes, without allocation. Nothing it writes needs quotes: numbers and
/// lower-case words only.
/// </summary>
/// <param name="to">Room for the line.</param>
internal ref struct CsvLine(Span<byte> to)
{
    private readonly Span<byte> _to = to;
    private int _used;

    /// <summary>Appends a word of ASCII letters.</summary>
    /// <param name="word">The word.</param>
    public void Word(string word)
    {
        _used += Encoding.ASCII.GetBytes(word, _to[_used..]);
        _to[_used++] = (byte)',';
    }

    /// <summary>Appends an integer.</summary>
    /// <param name="value">The value.</param>
    public void Number(long value)
    {
        Utf8Formatter.TryFormat(value, _to[_used..], out var written);
        _used += written;
        _to[_used++] = (byte)',';
    }

    /// <summary>Appends a number as the shortest text that reads back to it; NaN is empty.</summary>
    /// <param name="value">The value, finite or NaN.</param>
    public void Number(double value)
    {
        if (!double.IsNaN(value))
        {
            value.TryFormat(_to[_used..], out var written, default, CultureInfo.InvariantCulture);
            _used += written;
        }
        _to[_used++] = (byte)',';
    }

    /// <summary>Appends a time in microseconds with three decimals, so nanoseconds exactly.</summary>
    /// <param name="nanoseconds">The time, or null where there is none: an empty field.</param>
    public void Microseconds(long? nanoseconds)
    {
        if (nanoseconds is { } time)
        {
            if (time < 0)
                _to[_used++] = (byte)'-';
            // The smallest number has no positive counterpart as a long.
            var (whole, rest) = Math.DivRem((ulong)Int128.Abs(time), 1000);
            Utf8Formatter.TryFormat(whole, _to[_used..], out var written);
            _used += written;
            _to[_used++] = (byte)'.';
            _to[_used++] = (byte)('0' + rest / 100);
            _to[_used++] = (byte)('0' + rest / 10 % 10);
            _to[_used++] = (byte)('0' + rest % 10);
        }
        _to[_used++] = (byte)',';
    }

    /// <summary>Ends the line.</summary>
    /// <returns>Its length in bytes, the newline included.</returns>
    public readonly int End()
    {
        _to[_used - 1] = (byte)'\n';
        return _used;
    }
}
