using MqttCheck.Profiles;
using static System.FormattableString;

namespace MqttCheck.Properties.Traces;

/// <summary>
/// Whose traces a property was judged on. It says nothing about a trace without a message that it asks about, so an
/// answer may be about some groups of clients only.
/// </summary>
/// <param name="Groups">The groups, in the order of their first traces.</param>
internal sealed record JudgedTraces(IReadOnlyList<TracesOfGroup> Groups)
{
    /// <summary>Traces about which the property says something.</summary>
    public long Judged => Groups.Sum(group => group.Judged);

    /// <summary>All traces that were looked at.</summary>
    public long Traces => Groups.Sum(group => group.Traces);

    /// <summary>
    /// The share of the traces and the groups, to follow a verdict; null where that is every trace, or none.
    /// </summary>
    public string? InWords
    {
        get
        {
            if (Judged == 0 || Judged == Traces)
                return null;
            var groups =
                Groups.Count == 1 || Groups.Any(group => group.Group.Length == 0)
                    ? ""
                    : "; " + string.Join(", ", Groups.Select(group => group.InWords));
            return Invariant($"judged on {Judged} of {Traces} traces ({(double)Judged / Traces:0.0%}{groups})");
        }
    }

    /// <summary>Counts traces whose groups are not known.</summary>
    /// <param name="judged">Traces about which the property says something.</param>
    /// <param name="traces">All traces.</param>
    public static JudgedTraces Of(long judged, long traces) => new([new("", judged, traces)]);

    /// <summary>Counts the traces of units.</summary>
    public static JudgedTraces Of(IEnumerable<TraceValues> units) =>
        Sum(
            units.SelectMany(unit =>
                unit.Values.Select((value, i) => new TracesOfGroup(unit.Groups[i], double.IsNaN(value) ? 0 : 1, 1))
            )
        );

    /// <summary>The traces of all parts.</summary>
    public static JudgedTraces Sum(IEnumerable<JudgedTraces> parts) => Sum(parts.SelectMany(part => part.Groups));

    /// <summary>The name of the group of each client.</summary>
    /// <param name="population">Who they are.</param>
    /// <param name="clients">How many there are, 1 or more.</param>
    public static IReadOnlyList<string> GroupNames(Population population, int clients) =>
        [.. population.Assign(clients).Select(group => population.Groups[group].Name)];

    private static JudgedTraces Sum(IEnumerable<TracesOfGroup> parts) =>
        new([
            .. parts
                .AggregateBy(
                    part => part.Group,
                    group => new TracesOfGroup(group, 0, 0),
                    (sum, part) => sum + part,
                    StringComparer.Ordinal
                )
                .Select(group => group.Value),
        ]);
}
