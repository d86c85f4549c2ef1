using System.Globalization;
using System.Runtime.CompilerServices;

namespace MqttCheck.Protocol.Decoders;

/// <summary>
/// The words of a violation. They are put together only if they will be kept, and texts of the packet are cut: a
/// hostile packet of many or long illegal texts must not cost memory by what is said about it.
/// </summary>
[InterpolatedStringHandler]
internal ref struct ViolationText
{
    /// <summary>More memory than any message takes.</summary>
    internal const int MaximumBytes = 1024;

    private const int MaximumTextCharacters = 80;

    private DefaultInterpolatedStringHandler _words;

    public ViolationText(int literalLength, int formattedCount, scoped PacketReader reader, out bool isWanted)
    {
        isWanted = reader.KeepsViolations;
        _words = isWanted
            ? new DefaultInterpolatedStringHandler(literalLength, formattedCount, CultureInfo.InvariantCulture)
            : default;
    }

    public void AppendLiteral(string value) => _words.AppendLiteral(value);

    public void AppendFormatted(string value)
    {
        if (value.Length <= MaximumTextCharacters)
        {
            _words.AppendLiteral(value);
            return;
        }
        _words.AppendFormatted(value.AsSpan(0, MaximumTextCharacters));
        _words.AppendLiteral("...");
    }

    public void AppendFormatted<T>(T value, string? format = null) => _words.AppendFormatted(value, format);

    internal string ToStringAndClear() => _words.ToStringAndClear();
}
