using MqttCheck.Brokers.Processes;
using static System.FormattableString;

namespace MqttCheck.Cli.Options;

/// <summary>Reads the list of brokers of a comparison.</summary>
internal static class CompareBrokers
{
    /// <summary>
    /// Splits a list at the commas before a broker; commas inside a delay law or a command line stay.
    /// </summary>
    /// <param name="given">The values that were given, each a list.</param>
    public static IReadOnlyList<string> Split(IEnumerable<string> given) =>
        [.. given.SelectMany(BrokerSpecification.SplitList)];

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
