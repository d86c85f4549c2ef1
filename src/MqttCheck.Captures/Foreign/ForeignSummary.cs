using static System.FormattableString;

namespace MqttCheck.Captures.Foreign;

/// <summary>The result of turning the log of another program into an exchange log.</summary>
/// <param name="Source">The file of the other program.</param>
/// <param name="Path">The path of the exchange log.</param>
/// <param name="Log">The contents.</param>
/// <param name="Clients">How many clients it has.</param>
/// <param name="Exchanges">How many exchanges it has.</param>
/// <param name="Duration">From the first sending to the last end.</param>
internal sealed record ForeignSummary(
    string Source,
    string Path,
    ForeignLog Log,
    int Clients,
    int Exchanges,
    TimeSpan Duration
)
{
    /// <summary>How many exchanges have no end.</summary>
    public int WithoutEnd { get; init; }

    /// <summary>How many failed.</summary>
    public int Failed { get; init; }

    /// <summary>The summary for a person.</summary>
    public IEnumerable<string> Lines()
    {
        yield return Invariant($"{Source} ({Log.Format}): {Exchanges} exchanges of {Clients} clients in ")
            + Invariant($"{Duration.TotalSeconds:0.#} s");
        yield return $"log: {Path}";
        yield return $"latencies: {Log.Latencies}";
        if (Failed > 0)
            yield return Invariant($"failed: {Failed} exchanges, by the other program");
        foreach (var missing in Log.Missing)
            yield return $"missing: {missing}";
        if (WithoutEnd > 0)
            yield return Invariant($"not used: {WithoutEnd} exchanges whose end is not known");
        foreach (var (reason, count) in Log.NotUsed)
            yield return Invariant($"not used: {count} {reason}");
    }
}
