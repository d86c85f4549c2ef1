using MqttCheck.Conformance.Causes;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;

namespace MqttCheck.Conformance.Checking;

/// <summary>Keeps the findings of a check, one for each cause, and the suspicions that did not recur.</summary>
/// <param name="options">How to check.</param>
/// <param name="found">Gets each finding when it is confirmed.</param>
internal sealed class FindingLedger(CheckOptions options, Action<Finding> found)
{
    private readonly List<ScenarioPattern> _patterns = [];
    private readonly HashSet<string> _known = new(StringComparer.Ordinal);
    private readonly Dictionary<string, Suspicion> _suspicions = new(StringComparer.Ordinal);
    private readonly HashSet<string> _uncounted = options.Counts is { } counts
        ? [.. Statements.All.Where(statement => !counts(statement)).Select(statement => statement.Name)]
        : [];

    /// <summary>The findings.</summary>
    public List<Finding> Findings { get; } = [];

    /// <summary>The deviations that were seen but are no findings.</summary>
    public IReadOnlyCollection<Suspicion> Suspicions => _suspicions.Values;

    /// <summary>Whether a deviation is neither waited for nor sought again.</summary>
    /// <param name="key">Its key.</param>
    public bool IsKnown(string key) =>
        // A deviation whose statement does not count is not awaited either.
        _known.Contains(key)
        || (_uncounted.Count > 0 && _uncounted.Contains(key[..key.IndexOf('|', StringComparison.Ordinal)]));

    /// <summary>Whether a deviation counts and is to be sought.</summary>
    /// <param name="deviation">The deviation.</param>
    public bool IsNew(Deviation deviation) =>
        options.Counts?.Invoke(deviation.Statement) != false && !_known.Contains(deviation.Key);

    /// <summary>Whether a deviation may become a finding still.</summary>
    /// <param name="key">Its key.</param>
    public bool IsSought(string key) => !_known.Contains(key);

    /// <summary>Whether a scenario contains the smallest scenario of a finding.</summary>
    /// <param name="scenario">The scenario.</param>
    public bool Contains(Scenario scenario) => _patterns.Exists(pattern => pattern.Matches(scenario));

    /// <summary>Marks a deviation as known, so that it is investigated no more.</summary>
    /// <param name="key">Its key.</param>
    public void Know(string key) => _known.Add(key);

    /// <summary>Takes a deviation back that was suspected.</summary>
    /// <param name="key">Its key.</param>
    public void Unsuspect(string key) => _suspicions.Remove(key);

    /// <summary>Notes a deviation that came but was not confirmed.</summary>
    /// <param name="deviation">The deviation.</param>
    /// <param name="result">The run that it came in.</param>
    /// <param name="hits">In how many repetitions it came again.</param>
    /// <param name="replays">How many there were; 0 for none.</param>
    /// <returns>How often it was suspected until now; the run that is kept is the first.</returns>
    public int Suspect(Deviation deviation, ScenarioResult result, int hits = 0, int replays = 0)
    {
        var suspicion = _suspicions.TryGetValue(deviation.Key, out var before)
            ? before with
            {
                Times = before.Times + 1,
                Hits = before.Hits + hits,
                Replays = before.Replays + replays,
            }
            : new Suspicion(result.Scenario, deviation, result.Names, result.Monitor.Trace, 1)
            {
                Hits = hits,
                Replays = replays,
            };
        _suspicions[deviation.Key] = suspicion;
        return suspicion.Times;
    }

    /// <summary>Lists a deviation under a finding that has the same cause.</summary>
    /// <param name="index">The finding's place.</param>
    /// <param name="key">The deviation's key.</param>
    /// <param name="deviation">The deviation.</param>
    public void Fold(int index, string key, Deviation deviation)
    {
        _known.Add(key);
        Findings[index] = Findings[index] with { AlsoAs = [.. Findings[index].AlsoAs, deviation.Circumstances] };
    }

    /// <summary>Makes a finding of a deviation, or lists it under one that has the same cause.</summary>
    /// <param name="original">The deviation as it was seen first.</param>
    /// <param name="result">The run that it was seen in.</param>
    /// <param name="confirmed">How it was repeated.</param>
    public void Add(Deviation original, ScenarioResult result, ConfirmedDeviation confirmed)
    {
        var (key, smallest, last, _) = confirmed;
        _known.Add(key);
        if (Findings.FindIndex(f => f.Key == key) is >= 0 and var again)
        {
            Fold(again, original.Key, original);
            return;
        }
        _patterns.Add(new ScenarioPattern(smallest));
        var shown = last.Shown!;
        var deviation = shown.Deviations.First(d => d.Key == key);
        var same = Findings.FindIndex(f =>
            (f.Statement == deviation.Statement && ScenarioPattern.HaveOneCause(f.Scenario, smallest, f.Statement))
            || Kinship.HaveOneTrigger(f, deviation, smallest)
        );
        if (same >= 0 && smallest.Steps.Count >= Findings[same].Scenario.Steps.Count)
        {
            Fold(same, original.Key, original);
            return;
        }
        var finding = new Finding
        {
            Statement = deviation.Statement,
            Circumstances = deviation.Circumstances,
            Scenario = smallest,
            Deviation = deviation,
            Names = shown.Names,
            Trace = shown.Monitor.Trace,
            Replays = last.Replays,
            Hits = last.Hits,
            FoundWith = result.Scenario.Steps.Count,
            Load = confirmed.Background is null or ScenarioCompany ? null : confirmed.Background.Name,
            Beside = [.. (confirmed.Background as ScenarioCompany)?.Scenarios ?? []],
            Shrinking = confirmed.Shrinking,
            ExplainedBy = CauseOf(deviation, shown, smallest),
        };
        if (same >= 0)
        {
            Replace(same, finding);
            return;
        }
        Findings.Add(finding);
        found(finding);
    }

    // The key of the finding that a deviation follows from, if there is one.
    private string? CauseOf(Deviation deviation, ScenarioResult shown, Scenario smallest) =>
        shown
            .Deviations.FirstOrDefault(d =>
                d.Entry <= deviation.Entry && d.Key != deviation.Key && Findings.Exists(f => f.Key == d.Key)
            )
            ?.Key
        ?? (
            deviation.IsAbsence
                ? Findings
                    .Find(f =>
                        f.Deviation.IsAbsence
                        && new ScenarioPattern(f.Scenario).Matches(smallest with { Version = f.Scenario.Version })
                    )
                    ?.Key
                : null
        );

    /// <summary>Makes a finding of a broker that is gone for good, where nothing can be repeated.</summary>
    /// <param name="original">The deviation.</param>
    /// <param name="result">The run that it was seen in.</param>
    public void AddLoss(Deviation original, ScenarioResult result)
    {
        if (Findings.FindIndex(finding => !finding.IsRepeated) is >= 0 and var known)
            Fold(known, original.Key, original);
        else
            Add(
                original,
                result,
                new(original.Key, result.Scenario, new Repetition(0, 0, result.Reached, result), TimeSpan.Zero)
            );
    }

    // Replaces a finding by one with the same cause and a shorter scenario.
    private void Replace(int index, Finding shorter)
    {
        var longer = Findings[index];
        Findings[index] = shorter with
        {
            ExplainedBy = longer.ExplainedBy,
            AlsoAs = [.. longer.AlsoAs, longer.Circumstances],
        };
        for (var i = 0; i < Findings.Count; i++)
            if (Findings[i].ExplainedBy == longer.Key)
                Findings[i] = Findings[i] with { ExplainedBy = shorter.Key };
    }
}
