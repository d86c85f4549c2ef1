using System.Text;
using MqttCheck.Protocol;

namespace MqttCheck.Automata.Networks;

/// <summary>
/// A stochastic timed automaton as a value: locations with invariants, edges with guards and weighted destinations,
/// clocks and variables. Random sojourn times are numbers drawn into a variable d on the way into a location with the
/// invariant <c>c &lt;= d</c>, which edges with the guard <c>c >= d</c> leave.
/// </summary>
public sealed record StochasticTimedAutomaton
{
    /// <summary>Its name, unique in a network.</summary>
    public required string Name { get; init; }

    /// <summary>Its own variables and clocks.</summary>
    public ValueList<VariableDeclaration> Variables { get; init; }

    /// <summary>Its locations.</summary>
    public required ValueList<Location> Locations { get; init; }

    /// <summary>Name of the location in which it begins.</summary>
    public required string InitialLocation { get; init; }

    /// <summary>Its edges.</summary>
    public required ValueList<Edge> Edges { get; init; }

    /// <summary>The automaton as text, one line per variable, location and edge.</summary>
    public override string ToString()
    {
        var text = new StringBuilder().Append("automaton ").AppendLine(Name);
        foreach (var variable in Variables)
            text.Append("  ").AppendLine(NetworkText.Line(variable));
        foreach (var location in Locations)
        {
            text.Append(location.Name == InitialLocation ? "  initial location " : "  location ").Append(location.Name);
            if (location.Invariant is not null)
                text.Append(" while ").Append(location.Invariant);
            text.AppendLine();
        }
        foreach (var edge in Edges)
            text.Append(NetworkText.Lines(edge, "  "));
        return text.ToString();
    }
}
