namespace MqttCheck.Automata.Splitting;

/// <summary>How importance splitting multiplies the runs that come near a rare event.</summary>
internal enum SplittingMethod
{
    /// <summary>
    /// From level to level: the same number of runs begins at each, from states in which earlier runs reached it.
    /// </summary>
    FixedEffort,

    /// <summary>
    /// Every run that reaches a level is split there; the new runs end when they fall below it (RESTART,
    /// Villen-Altamirano 1991).
    /// </summary>
    Restart,
}
