using System.Text.RegularExpressions;
using MqttCheck.Brokers.Processes;
using static System.FormattableString;

namespace MqttCheck.Cli.Options;

/// <summary>Reads the list of brokers of a comparison.</summary>
internal static class CompareBrokers
{
    private const string EmbeddedPrefix = "embedded:",
        EmbeddedAtOnce = "embedded:nodelay";

    private static readonly Regex s_separator = new(
        $@",(?=\s*(?:{string.Join('|', BrokerSpecification.Names)}|exec:|[a-z]+://))",
        RegexOptions.CultureInvariant
    );

    /// <summary>Splits a list at the commas before a broker; commas inside a delay law or a command line stay.</summary>
    /// <param name="given">What was given, each a list.</param>
    public static IReadOnlyList<string> Split(IEnumerable<string> given)
    {
        return
        [
            .. given
                .SelectMany(list => s_separator.Split(list))
                .Select(name => name.Trim())
                .Where(name => name.Length > 0),
        ];
    }

    /// <summary>The broker and the delay law of an entry: <c>embedded:LAW</c> is the embedded broker with a delay of its own.</summary>
    /// <returns>The broker, and the law or null.</returns>
    public static (string Broker, string? Delay) Parse(string entry)
    {
        return entry != EmbeddedAtOnce && entry.StartsWith(EmbeddedPrefix, StringComparison.Ordinal)
            ? ("embedded", entry[EmbeddedPrefix.Length..])
            : (entry, null);
    }

    /// <summary>Names that tell the brokers apart: the second of the same name is <c>NAME #2</c>.</summary>
    public static IReadOnlyList<string> Labels(IReadOnlyList<string> entries)
    {
        return
        [
            .. entries.Select(
                (entry, index) =>
                {
                    var earlier = entries.Take(index).Count(other => other == entry);
                    return earlier == 0 ? entry : Invariant($"{entry} #{earlier + 1}");
                }
            ),
        ];
    }
}
