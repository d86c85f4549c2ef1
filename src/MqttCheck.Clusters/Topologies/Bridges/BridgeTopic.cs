using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Clusters.Topologies.Bridges;

/// <summary>
/// One line of a bridge: <c>PATTERN [out | in | both [QOS [LOCAL-PREFIX [REMOTE-PREFIX]]]]</c>. The notation and its
/// meaning are those of the option <c>topic</c> in mosquitto.conf(5). An empty word is written <c>""</c>.
/// </summary>
/// <param name="Pattern">
/// The part of the filter that both ends share; empty where the prefixes are whole topics.
/// </param>
/// <param name="Direction">Which way messages go.</param>
/// <param name="Qos">The highest quality of service on the bridge.</param>
/// <param name="LocalPrefix">The prefix before the pattern at the end that opens the bridge.</param>
/// <param name="RemotePrefix">The prefix before the pattern at the other end.</param>
internal sealed record BridgeTopic(
    string Pattern,
    BridgeDirection Direction,
    QualityOfService Qos,
    string LocalPrefix,
    string RemotePrefix
)
{
    /// <summary>The form, for messages.</summary>
    public const string Form = "\"PATTERN [out|in|both [QOS [LOCAL-PREFIX [REMOTE-PREFIX]]]]\", such as \"# both 1\"";

    /// <summary>The filter at the end that opens the bridge.</summary>
    public string LocalFilter => LocalPrefix + Pattern;

    /// <summary>The filter at the other end.</summary>
    public string RemoteFilter => RemotePrefix + Pattern;

    /// <summary>Reads a line.</summary>
    /// <param name="text">The words, separated by blanks.</param>
    /// <param name="topic">The parsed line.</param>
    /// <param name="problem">The reason why it is wrong, as part of a sentence.</param>
    /// <returns>Whether the text is such a line.</returns>
    public static bool TryParse(
        string text,
        [NotNullWhen(true)] out BridgeTopic? topic,
        [NotNullWhen(false)] out string? problem
    ) => TryRead(text.Split((char[])[' ', '\t'], StringSplitOptions.RemoveEmptyEntries), out topic, out problem);

    /// <summary>Reads the words of a line.</summary>
    /// <param name="given">The words.</param>
    /// <param name="topic">The parsed line.</param>
    /// <param name="problem">The reason why it is wrong, as part of a sentence.</param>
    /// <returns>Whether the words are such a line.</returns>
    public static bool TryRead(
        IReadOnlyList<string> given,
        [NotNullWhen(true)] out BridgeTopic? topic,
        [NotNullWhen(false)] out string? problem
    )
    {
        topic = null;
        string[] words = [.. given.Select(word => word == "\"\"" ? "" : word)];
        if (words.Length is 0 or > 5)
            problem = "it has not one to five words";
        else if (ReadDirection(words.ElementAtOrDefault(1) ?? "out") is not { } direction)
            problem = $"'{words[1]}' is no direction";
        else if ((words.ElementAtOrDefault(2) ?? "0") is not ("0" or "1" or "2"))
            problem = $"'{words[2]}' is no QoS";
        else
        {
            var qos = words.Length > 2 ? int.Parse(words[2], CultureInfo.InvariantCulture) : 0;
            topic = new BridgeTopic(
                words[0],
                direction,
                (QualityOfService)qos,
                words.ElementAtOrDefault(3) ?? "",
                words.ElementAtOrDefault(4) ?? ""
            );
            problem = topic.Problem();
        }
        if (problem is not null)
            topic = null;
        return topic is not null;
    }

    /// <summary>The line, in its shortest form.</summary>
    public override string ToString()
    {
        var line = string.Create(
            CultureInfo.InvariantCulture,
            $"{Word(Pattern)} {Direction.ToString().ToLowerInvariant()} {(int)Qos}"
        );
        if (RemotePrefix.Length > 0)
            return $"{line} {Word(LocalPrefix)} {RemotePrefix}";
        return LocalPrefix.Length > 0 ? $"{line} {LocalPrefix}" : line;
    }

    private static string Word(string text) => text.Length == 0 ? "\"\"" : text;

    private static BridgeDirection? ReadDirection(string word) =>
        word switch
        {
            "out" => BridgeDirection.Out,
            "in" => BridgeDirection.In,
            "both" => BridgeDirection.Both,
            _ => null,
        };

    private string? Problem()
    {
        foreach (var prefix in (string[])[LocalPrefix, RemotePrefix])
        {
            if (prefix.AsSpan().IndexOfAny('+', '#') >= 0)
                return $"the prefix '{prefix}' has a wildcard";
        }
        if (Pattern.Length == 0 && (LocalPrefix.Length == 0 || RemotePrefix.Length == 0))
            return "an empty pattern needs both prefixes, which are then whole topics";
        foreach (var filter in (string[])[LocalFilter, RemoteFilter])
        {
            if (!TopicFilter.IsValid(filter, ProtocolVersion.V311))
                return $"'{filter}' is no topic filter";
        }
        return null;
    }
}
