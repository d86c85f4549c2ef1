namespace MqttCheck.Automata.Networks;

/// <summary>A property of a model file that is outside of what this library understands.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Reason">The part that is not understood, its place, and what is allowed.</param>
internal readonly record struct RefusedProperty(string Name, string Reason);
