namespace MqttCheck.Clusters.Monitors;

/// <summary>Something that an invariant forbids.</summary>
/// <param name="Invariant">The name of the invariant.</param>
/// <param name="Nanoseconds">When it was seen.</param>
/// <param name="Claim">What is wrong, in a sentence without a full stop.</param>
internal sealed record ClusterViolation(string Invariant, long Nanoseconds, string Claim)
{
    /// <summary>The shortest history that shows it, in order of time; empty where the claim says all.</summary>
    public IReadOnlyList<HistoryStep> History { get; init; } = [];

    /// <summary>The claim with its history, in a sentence without a full stop.</summary>
    public string What => History.Count == 0 ? Claim : $"{Claim}: {Told(History)}";

    /// <summary>Steps in one line.</summary>
    internal static string Told(IEnumerable<HistoryStep> history) =>
        string.Join("; ", history.Select(step => $"{step.Time} {step.What}"));
}
