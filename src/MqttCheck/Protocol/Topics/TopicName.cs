using System.Text;
using System.Text.Unicode;

namespace MqttCheck.Protocol.Topics;

/// <summary>
/// The rules of topic names (section 4.7). A topic name is compared byte for byte, without any normalisation
/// (MQTT-4.7.3-4).
/// </summary>
internal static class TopicName
{
    /// <summary>The longest topic name or filter, in UTF-8 bytes (MQTT-4.7.3-3).</summary>
    public const int MaximumBytes = 65535;

    /// <summary>The texts with which all topics of a user may begin, for messages.</summary>
    public const string AllowedPrefix =
        "levels of a topic that end with a slash, without + # and a leading $, up to 200 characters";

    /// <summary>Whether all topics of a user may begin with a text.</summary>
    /// <param name="text">The text.</param>
    public static bool IsPrefix(string text) =>
        text is { Length: > 0 and <= 200 } && text[^1] == '/' && text[0] != '$' && IsValid(text);

    /// <summary>True for 1..65535 bytes of well-formed UTF-8 without U+0000, <c>+</c> and <c>#</c>.</summary>
    /// <param name="utf8">The topic name.</param>
    public static bool IsValid(ReadOnlySpan<byte> utf8) =>
        utf8.Length is > 0 and <= MaximumBytes
        && utf8.IndexOfAny((byte)0, (byte)'+', (byte)'#') < 0
        && Utf8.IsValid(utf8);

    /// <inheritdoc cref="IsValid(ReadOnlySpan{byte})"/>
    /// <param name="topic">The topic name.</param>
    public static bool IsValid(string topic)
    {
        // A lone surrogate has no UTF-8 form: it would be sent as another topic.
        var bytes = Encoding.UTF8.GetBytes(topic);
        return Encoding.UTF8.GetString(bytes) == topic && IsValid(bytes);
    }
}
