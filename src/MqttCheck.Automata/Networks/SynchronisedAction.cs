namespace MqttCheck.Automata.Networks;

/// <summary>The part of one automaton in a synchronisation.</summary>
/// <param name="Automaton">Name of the automaton.</param>
/// <param name="Action">The action of the edge that it takes.</param>
public sealed record SynchronisedAction(string Automaton, string Action);
