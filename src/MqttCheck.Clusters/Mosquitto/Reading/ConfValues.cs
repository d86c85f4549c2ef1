using System.Globalization;

namespace MqttCheck.Clusters.Mosquitto.Reading;

/// <summary>The kinds of values that only one key has.</summary>
internal static class ConfValues
{
    private static readonly string[] s_destinations = ["none", "syslog", "stdout", "stderr", "topic", "dlt"];

    /// <summary>A destination of log lines.</summary>
    public static ConfKind LogDestination { get; } =
        new(
            string.Join(", ", s_destinations) + ", file PATH",
            rest =>
                ConfKind.Words(rest) switch
                {
                    [var word, ..] when s_destinations.Contains(word) => word,
                    ["file", _, ..] => "file",
                    _ => null,
                }
        );

    /// <summary>The prefix of the topics of a listener's clients.</summary>
    public static ConfKind MountPoint { get; } =
        ConfKind.Text with
        {
            Allowed = "a topic without + and #",
            Read = rest => rest.AsSpan().IndexOfAny('+', '#') >= 0 ? null : ConfKind.Text.Read(rest),
        };

    /// <summary>A hash of SHA-1: 20 bytes, the first of which may lack its zero, and anything behind them.</summary>
    public static ConfKind Sha1 { get; } =
        ConfKind.Text with
        {
            Allowed = "40 hexadecimal digits",
            Read = rest =>
                ConfKind.Text.Read(rest) is { } text && text.TakeWhile(char.IsAsciiHexDigit).Count() is 39 or 40
                    ? text
                    : null,
        };

    /// <summary>The time after which a bridge connects again: a constant, or a least and a greatest one.</summary>
    public static ConfKind Restart { get; } =
        new(
            "SECONDS, or BASE CAP with a cap that is not below the base",
            rest =>
                ConfKind.Words(rest) switch
                {
                    [var one] => one,
                    [var least, var most, ..] when ConfKind.Atoi(most) >= Math.Max(1, ConfKind.Atoi(least)) => least,
                    _ => null,
                }
        );

    /// <summary>The version of MQTT on a bridge; nothing may stand around it.</summary>
    public static ConfKind Protocol { get; } =
        new(
            "mqttv31, mqttv311, mqttv50",
            rest =>
                rest switch
                {
                    "mqttv31" => "3",
                    "mqttv311" => "4",
                    "mqttv50" => "5",
                    _ => null,
                }
        );

    /// <summary>
    /// The words of a topic as they are written in topologies. Mosquitto takes capitals in a direction, a number that
    /// a QoS begins with, a comment after the direction, and words after the prefixes.
    /// </summary>
    /// <param name="rest">What follows the key.</param>
    public static IReadOnlyList<string> TopicWords(string rest)
    {
        var words = ConfKind.Words(ConfKind.Decoded(rest)).Take(5).ToList();
        var comment = words.FindIndex(Math.Min(2, words.Count), word => word.StartsWith('#'));
        if (comment >= 0)
            words.RemoveRange(comment, words.Count - comment);
        if (words.Count > 1)
            words[1] = words[1].ToLowerInvariant();
        if (words.Count > 2)
            words[2] = unchecked((byte)ConfKind.Atoi(words[2])).ToString(CultureInfo.InvariantCulture);
        return words;
    }
}
