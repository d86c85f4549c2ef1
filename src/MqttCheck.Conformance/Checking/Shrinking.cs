using MqttCheck.Conformance.Causes;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Generation;
using MqttCheck.Conformance.Scenarios;

namespace MqttCheck.Conformance.Checking;

/// <summary>Looks for the smallest scenario that shows a deviation, by running simpler variants.</summary>
/// <param name="replayer">Runs them.</param>
/// <param name="options">The limits of shrinking.</param>
/// <param name="deviation">The deviation.</param>
/// <param name="tries">How often each variant is run.</param>
/// <param name="wanted">How often it must show the deviation.</param>
/// <param name="orKin">Whether a deviation that may have the same cause will do.</param>
internal sealed class Shrinking(
    Replayer replayer,
    CheckOptions options,
    Deviation deviation,
    int tries,
    int wanted,
    bool orKin = false
)
{
    // A counterexample with this many commands is short enough to read. Longer ones are worth bolder attempts.
    private const int ShortEnough = 6;

    // How often a scenario that waits is run beside its variants, to see whether it comes every time.
    private const int Copies = 5;

    private readonly HashSet<string> _seen = new(StringComparer.Ordinal);
    private Scenario? _part;
    private Repetition? _copies;
    private int _runs;
    private long _end;

    /// <summary>Everything that showed the deviation, each simpler than the one before.</summary>
    public List<Scenario> Chain { get; } = [];

    /// <summary>
    /// The patient repetitions of the last scenario of the chain, which ran beside its variants; null if they are still
    /// to be made.
    /// </summary>
    public Repetition? Confirmation { get; private set; }

    /// <summary>
    /// Repeats a scenario that waits. Runs of it take time but little processor time, so all parts of a few lines run
    /// beside it. Shrinking goes on from the smallest part that shows the deviation.
    /// </summary>
    /// <param name="scenario">The scenario.</param>
    /// <returns>How the scenario itself came; null if the broker was lost for good.</returns>
    public Repetition? Begin(Scenario scenario)
    {
        _end = replayer.End;
        scenario = ScenarioShrinker.Normalise(scenario);
        var parts = ScenarioShrinker.Parts(scenario, ShortEnough, Replayer.WaitingLanes);
        if (Showing([.. parts], options.Timing, scenario) is not { } showing)
            return null;
        if (showing.Count > 0)
            _part = parts[showing[0]];
        return _copies;
    }

    /// <summary>Shrinks a scenario until no variant shows the deviation any more, or until the time is over.</summary>
    /// <param name="scenario">A scenario that shows the deviation.</param>
    /// <param name="timing">How long the runs wait; null for the broker's own pace.</param>
    /// <returns>The last of the chain.</returns>
    public Scenario Run(Scenario scenario, CheckTiming? timing = null)
    {
        _end = Math.Min(
            replayer.NowNanoseconds + (options.ShrinkTime.Ticks * TimeSpan.NanosecondsPerTick),
            replayer.LastShrinking
        );
        scenario = ScenarioShrinker.Normalise(scenario);
        _seen.Add(scenario.ToString());
        Chain.Add(scenario);
        // The repetitions so far are of the whole scenario.
        if (_part is { } part)
        {
            Chain.Add(scenario = part);
            Confirmation = null;
        }
        while (!IsOver && Smaller(scenario, timing) is { } smaller)
        {
            Chain.Add(smaller);
            (scenario, Confirmation) = (smaller, null);
        }
        return scenario;
    }

    private bool IsOver => _runs >= options.ShrinkRuns || replayer.NowNanoseconds >= _end || replayer.IsOver;

    private Scenario? Smaller(Scenario scenario, CheckTiming? timing)
    {
        if (Smaller(scenario, ScenarioShrinker.Edits(scenario), timing) is { } smaller)
            return smaller;
        return scenario.Steps.Count > ShortEnough
            ? Smaller(scenario, ScenarioShrinker.BolderEdits(scenario), timing)
            : null;
    }

    private Scenario? Smaller(Scenario scenario, IEnumerable<ScenarioEdit> edits, CheckTiming? timing)
    {
        var candidates = edits
            .Select(edit => (Edit: edit, Scenario: ScenarioShrinker.Apply(scenario, [edit])))
            .Where(candidate => candidate.Scenario.Steps.Count > 0 && !_seen.Contains(candidate.Scenario.ToString()))
            .DistinctBy(candidate => candidate.Scenario.ToString())
            .ToList();
        // Candidates that receive messages of others come last, because they run one after the other.
        foreach (
            var group in candidates.GroupBy(candidate => candidate.Scenario.MeetsOthers).OrderBy(group => group.Key)
        )
        {
            // Many candidates run at once, because a run mostly waits.
            foreach (
                var batch in group.Chunk(
                    Math.Max(1, Math.Max(4, replayer.LanesFor(deviation, [group.First().Scenario])) / tries)
                )
            )
            {
                if (
                    IsOver
                    || Showing([.. batch.Select(candidate => candidate.Scenario)], timing, scenario) is not { } showing
                )
                    return null;
                if (showing.Count == 0)
                    continue;
                return
                    showing.Count > 1
                    && Together(scenario, [.. showing.Select(i => batch[i].Edit)], timing) is { } together
                    ? together
                    : batch[showing[0]].Scenario;
            }
        }
        return null;
    }

    // Edits that each leave the deviation in place may do so together: all of them, the first half, or the first
    // quarter.
    private Scenario? Together(Scenario from, ScenarioEdit[] edits, CheckTiming? timing)
    {
        var candidates = new List<Scenario>();
        for (var count = edits.Length; count > 1; count /= 2)
        {
            var candidate = ScenarioShrinker.Apply(from, edits[..count]);
            if (candidate.Steps.Count > 0 && !_seen.Contains(candidate.ToString()))
                candidates.Add(candidate);
        }
        return candidates.Count > 0 && Showing(candidates, timing, from) is { Count: > 0 } showing
            ? candidates[showing[0]]
            : null;
    }

    // Returns the indices of the candidates that show the deviation; null if the broker was lost for good. If runs
    // wait, patient runs of the original scenario go beside them and replace its later confirmation.
    private List<int>? Showing(List<Scenario> candidates, CheckTiming? timing, Scenario of)
    {
        var copies = of.Waits && tries == 1 ? Copies : 0;
        _runs += (candidates.Count * tries) + copies;
        _seen.UnionWith(candidates.Select(candidate => candidate.ToString()));
        if (
            replayer.RunAll(
                deviation,
                [
                    .. Enumerable.Repeat(of, copies),
                    .. candidates.SelectMany(candidate => Enumerable.Repeat(candidate, tries)),
                ],
                copies > 0 ? options.ConfirmTiming : timing ?? replayer.Quick,
                _end,
                waitsForAll: false,
                orKin
            )
            is not { } results
        )
            return null;
        if (copies > 0)
            Confirmation = _copies = RepetitionOf([.. results.Take(copies)]);
        results = [.. results.Skip(copies)];
        var places = new List<int>();
        for (var i = 0; i < candidates.Count; i++)
        {
            var showing = results.Skip(i * tries).Take(tries).Where(result => Seen(result) is not null).ToList();
            if (
                showing.Count >= wanted
                && !(
                    deviation.MustRecur
                    && showing.Select(result => Replayer.Place(result, Seen(result)!.Key)).Distinct().Count() > 1
                )
            )
                places.Add(i);
        }
        return places;
    }

    private Deviation? Seen(ScenarioResult result) =>
        result.Deviations.FirstOrDefault(seen =>
            seen.Key == deviation.Key || (orKin && Kinship.AreKin(deviation, seen))
        );

    private Repetition RepetitionOf(ScenarioResult[] results)
    {
        ScenarioResult[] hits = [.. results.Where(result => Seen(result) is not null)];
        return new(
            hits.Length,
            results.Length,
            hits.Length == 0 ? 0 : hits.Max(result => result.Reached),
            hits.FirstOrDefault()
        );
    }
}
