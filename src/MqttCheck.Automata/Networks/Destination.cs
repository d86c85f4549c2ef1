using MqttCheck.Protocol;

namespace MqttCheck.Automata.Networks;

/// <summary>One of the ends of an edge.</summary>
/// <param name="Location">Name of the location.</param>
/// <param name="Weight">
/// How likely this end is relative to the others, 0 or more; it is evaluated when the edge is taken. No number is drawn
/// where an edge has one end.
/// </param>
/// <param name="Assignments">The assignments on the way.</param>
public sealed record Destination(string Location, Expression Weight, ValueList<Assignment> Assignments);
