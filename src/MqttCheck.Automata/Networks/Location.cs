namespace MqttCheck.Automata.Networks;

/// <summary>A location of an automaton.</summary>
/// <param name="Name">Its name, unique in the automaton.</param>
/// <param name="Invariant">
/// How long time may pass here: a conjunction of upper bounds on clocks (<c>c &lt;= d</c>) and of conditions without
/// clocks. Null for ever.
/// </param>
public sealed record Location(string Name, Expression? Invariant = null);
