namespace MqttCheck.App.Clusters.Survival;

/// <summary>The loss of a run in one column.</summary>
/// <param name="Lost">How many: messages, sessions, or broken promises.</param>
/// <param name="Of">Of how many; 0 where nobody counts them.</param>
/// <param name="Forgotten">How many of the lost ones were for sessions that the broker forgot.</param>
/// <param name="Repeated">How many came twice that must come once.</param>
/// <param name="Example">The first of them in words; empty for none.</param>
internal readonly record struct SurvivalCount(long Lost, long Of, long Forgotten, long Repeated, string Example)
{
    /// <summary>Whether anything is wrong.</summary>
    public bool IsLoss => Lost > 0 || Repeated > 0;
}
