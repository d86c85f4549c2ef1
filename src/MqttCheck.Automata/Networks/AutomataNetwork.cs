using System.Text;
using MqttCheck.Protocol;

namespace MqttCheck.Automata.Networks;

/// <summary>
/// A network of stochastic timed automata with shared variables. Edges without an action are taken alone; an edge with
/// an action is taken only as a part of a synchronisation. A value: build it in C#, print it, draw it
/// (<c>DotWriter</c>), save it.
/// </summary>
public sealed record AutomataNetwork
{
    /// <summary>Its name.</summary>
    public required string Name { get; init; }

    /// <summary>The variables and clocks that all automata share.</summary>
    public ValueList<VariableDeclaration> Variables { get; init; }

    /// <summary>The automata, at least one.</summary>
    public required ValueList<StochasticTimedAutomaton> Automata { get; init; }

    /// <summary>Which automata step together.</summary>
    public ValueList<Synchronisation> Synchronisations { get; init; }

    /// <summary>The network as text.</summary>
    public override string ToString()
    {
        var text = new StringBuilder().Append("network ").AppendLine(Name);
        foreach (var variable in Variables)
            text.AppendLine(NetworkText.Line(variable));
        foreach (var automaton in Automata)
            text.Append(automaton);
        foreach (var synchronisation in Synchronisations)
        {
            text.Append("synchronise ")
                .AppendJoin(", ", synchronisation.Participants.Select(part => $"{part.Automaton}.{part.Action}"));
            text.AppendLine(synchronisation.Result is null ? "" : $" as {synchronisation.Result}");
        }
        return text.ToString();
    }
}
