using MqttCheck.Protocol;

namespace MqttCheck.Automata.Networks;

/// <summary>An edge of an automaton.</summary>
/// <param name="Source">Name of the location it leaves.</param>
/// <param name="Destinations">The destinations, one of which is chosen at random.</param>
public sealed record Edge(string Source, ValueList<Destination> Destinations)
{
    /// <summary>Its action, by which it takes part in synchronisations; null for none.</summary>
    public string? Action { get; init; }

    /// <summary>
    /// When it may be taken: a conjunction of bounds on clocks (<c>c >= d</c>, <c>c &lt;= d</c>, <c>c == d</c>) and of
    /// conditions without clocks. Null for always.
    /// </summary>
    public Expression? Guard { get; init; }
}
