namespace MqttCheck.Automata.Engine;

/// <summary>
/// The choices between steps that are possible at the same time and influence each other, so that their order matters.
/// </summary>
internal enum SimultaneousSteps
{
    /// <summary>An error: the network does not say which comes first.</summary>
    Refuse,

    /// <summary>The one of the first automaton, and of it the first edge, in the order of declaration.</summary>
    InOrder,

    /// <summary>Any, with equal probability.</summary>
    Uniform,
}
