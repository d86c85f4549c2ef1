using MqttCheck.Clusters.Monitors;
using MqttCheck.LiveClusters.Verdicts;
using MqttCheck.Reports.Documents;
using static System.FormattableString;

namespace MqttCheck.Cli.Cluster.Pages;

/// <summary>The violations of live runs: each kind with its number and one history, the others folded.</summary>
internal static class ClusterRunStories
{
    // So many examples of a kind are as good as all of them.
    private const int MostExamples = 20;

    /// <summary>The stories of violations, or of observations that decide nothing.</summary>
    /// <param name="result">The runs.</param>
    /// <param name="decides">Whether violations are asked for.</param>
    public static IReadOnlyList<DocumentBlock> Of(ClusterVerificationResult result, bool decides)
    {
        var counts = result
            .Runs.SelectMany(run => run.Outcome.ViolationCounts)
            .Where(count => count.Decides == decides)
            .GroupBy(count => count.Invariant)
            .ToDictionary(kind => kind.Key, kind => kind.Sum(count => count.Count));
        return
        [
            .. (decides ? result.Violations : result.Reports)
                .GroupBy(found => found.Item2.Invariant)
                .OrderByDescending(kind => counts.GetValueOrDefault(kind.Key))
                .SelectMany(kind =>
                    OfKind([.. kind], Math.Max(counts.GetValueOrDefault(kind.Key), kind.LongCount()), result.Runs.Count)
                ),
        ];
    }

    private static IEnumerable<DocumentBlock> OfKind(
        IReadOnlyList<(int Run, ClusterViolation Violation)> found,
        long count,
        int runs
    )
    {
        var (first, invariant) = (found[0], found[0].Violation.Invariant);
        var words = InvariantWords.Of(invariant);
        var title = words == invariant ? invariant : $"{invariant}: {words}";
        yield return new DocumentStory(
            count == 1 ? title : $"{title}, {ClusterRunSentence.Number(count)} times",
            Told(first, runs, isExample: count > 1),
            Steps(first.Violation)
        );
        if (found.Count == 1)
            yield break;
        var others = found.Skip(1).Take(MostExamples).ToList();
        var left = count - 1 - others.Count;
        yield return new DocumentFold(
            Invariant($"{others.Count} more of '{invariant}'")
                + (left > 0 ? $"; {ClusterRunSentence.Number(left)} others are not kept" : ""),
            [
                .. others.Select(other => new DocumentStory(
                    Invariant($"run {other.Run}"),
                    other.Violation.Claim,
                    Steps(other.Violation)
                )),
            ]
        );
    }

    private static string Told((int Run, ClusterViolation Violation) found, int runs, bool isExample) =>
        (isExample ? "For example" : "")
        + (
            runs == 1 ? ""
            : isExample ? Invariant($", in run {found.Run}")
            : Invariant($"In run {found.Run}")
        )
        + (isExample || runs > 1 ? ": " : "")
        + found.Violation.Claim;

    private static IReadOnlyList<KeyValuePair<string, string>> Steps(ClusterViolation violation) =>
        [.. violation.History.Select(step => KeyValuePair.Create(step.Time, step.What))];
}
