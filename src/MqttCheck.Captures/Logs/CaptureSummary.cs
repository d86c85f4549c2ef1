using MqttCheck.Captures.Populations;
using MqttCheck.Captures.Usage;
using static System.FormattableString;

namespace MqttCheck.Captures.Logs;

/// <summary>The result of turning packets into a log.</summary>
/// <param name="Source">Where they come from: capture or tap.</param>
/// <param name="Log">The path of the log.</param>
/// <param name="NamesFile">The path of the file with the names behind its numbers.</param>
/// <param name="Counts">The contents of the capture.</param>
/// <param name="Duration">How long it lasted.</param>
/// <param name="Clients">How many clients were seen.</param>
/// <param name="Topics">How many topics were seen.</param>
/// <param name="Point">The place where it was taken.</param>
/// <param name="Damage">Why the file was not read to its end, or null.</param>
/// <param name="Population">The clients in groups.</param>
/// <param name="Profile">The profile of these groups.</param>
internal sealed record CaptureSummary(
    string Source,
    string Log,
    string NamesFile,
    CaptureCounts Counts,
    TimeSpan Duration,
    int Clients,
    int Topics,
    ObservationPoint Point,
    string? Damage,
    FoundPopulation Population,
    FoundProfile Profile
)
{
    /// <summary>The summary for a person.</summary>
    public IEnumerable<string> Lines()
    {
        yield return Invariant($"{Source}: {Counts.Exchanges} exchanges of {Clients} clients on {Topics} topics in ")
            + Invariant($"{Duration.TotalSeconds:0.#} s");
        yield return Invariant($"log: {Log}, names: {NamesFile}");
        yield return $"times: {Point.Meaning}";
        if (Counts.Joined > 0)
            yield return Invariant(
                $"joined: {Counts.Joined} of {Counts.MqttConnections} connections had begun before the capture; "
            ) + "their subscriptions follow from what was delivered";
        if (Damage is not null)
            yield return Invariant($"Note: the capture was read up to byte {Counts.Bytes}: {Damage}");
        foreach (var (count, what) in Counts.NotUsed)
            yield return Invariant($"not used: {count} {what}");
        foreach (var line in Profile.Lines())
            yield return line;
    }
}
