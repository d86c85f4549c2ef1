using MqttCheck.Protocol;

namespace MqttCheck.Automata.Networks;

/// <summary>A synchronisation vector: the named automata take an edge with the named action together.</summary>
/// <param name="Result">The name of what happens then, as traces show it; null for a silent step.</param>
/// <param name="Participants">The automata that take part and their actions, at least one.</param>
public sealed record Synchronisation(string? Result, ValueList<SynchronisedAction> Participants);
