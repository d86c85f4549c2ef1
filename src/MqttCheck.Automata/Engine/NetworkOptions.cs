using MqttCheck.Automata.Networks;
using MqttCheck.Protocol;

namespace MqttCheck.Automata.Engine;

/// <summary>How a network is simulated where it leaves a choice, and when a simulation is given up.</summary>
internal sealed record NetworkOptions
{
    /// <summary>The choice between several steps that are possible at once. Default: an error.</summary>
    public SimultaneousSteps SimultaneousSteps { get; init; }

    /// <summary>
    /// Whether a step that is possible, and that no invariant forces yet, is taken at once. Default: no, it is an
    /// error, since the network does not say when.
    /// </summary>
    public bool AsSoonAsPossible { get; init; }

    /// <summary>The most steps of one run, 1 or more; a run that needs more is given up with an error.</summary>
    public long MaximumSteps { get; init; } = 1_000_000_000;

    /// <summary>
    /// The most steps without any time passing, 1 or more; more are taken for an endless (Zeno) loop.
    /// </summary>
    public int MaximumStepsAtOnce { get; init; } = 1_000_000;

    /// <summary>
    /// Variables whose values between simultaneous steps matter to the caller: two steps that both assign one of them
    /// influence each other.
    /// </summary>
    public ValueList<string> Observed { get; init; }
}
