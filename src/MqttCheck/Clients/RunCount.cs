namespace MqttCheck.Clients;

/// <summary>The contribution of one live run to a test: its counted sequences and those in time.</summary>
/// <param name="Successes">Sequences in time, 0 .. <paramref name="Samples"/>.</param>
/// <param name="Samples">Counted sequences; a test takes at least 1.</param>
public readonly record struct RunCount(int Successes, int Samples)
{
    /// <summary>The share of sequences in time; NaN without one.</summary>
    public double Share => (double)Successes / Samples;

    /// <summary>
    /// The outcomes of a run that count, in issue order: those before the first unfinished one. Among sequences issued
    /// later the fast ones finish first, so counting the finished ones would favour them.
    /// </summary>
    /// <param name="outcomes">The outcomes of one run, in any order.</param>
    public static IReadOnlyList<Outcome> Counted(IEnumerable<Outcome> outcomes) =>
        [
            .. outcomes
                .OrderBy(outcome => outcome.IssueIndex)
                .TakeWhile(outcome => outcome.Status != OutcomeStatus.Unfinished),
        ];

    /// <summary>Counts the outcomes of a run.</summary>
    /// <param name="outcomes">The outcomes of one run, in any order.</param>
    /// <param name="thresholdMilliseconds">The threshold, exclusive.</param>
    public static RunCount Of(IEnumerable<Outcome> outcomes, double thresholdMilliseconds)
    {
        var counted = Counted(outcomes);
        return new(counted.Count(outcome => outcome.InTime(thresholdMilliseconds)), counted.Count);
    }
}
