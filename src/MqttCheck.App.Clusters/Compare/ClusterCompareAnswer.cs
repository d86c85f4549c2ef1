using MqttCheck.Clusters.Properties.Pairs;
using MqttCheck.LiveClusters.Verdicts;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.App.Clusters.Compare;

/// <summary>The answer of live runs of two clusters in turn.</summary>
internal sealed record ClusterCompareAnswer(
    IReadOnlyList<(ClusterRunRecord First, ClusterRunRecord Second)> Pairs,
    IReadOnlyList<PairAnswer> Answers,
    bool IsInterrupted
)
{
    /// <summary>
    /// The conclusion. It is refuted by a violation of an invariant, or by a statement that does not hold. It is
    /// withheld while a statement is undecided.
    /// </summary>
    public Conclusion Conclusion
    {
        get
        {
            var isRefuted =
                Answers.Any(answer => answer.Holds == false)
                || Pairs.Any(pair => pair.First.Outcome.Violations.Count + pair.Second.Outcome.Violations.Count > 0);
            bool? isMet =
                isRefuted ? false
                : Answers.Any(answer => answer.Count == 0 || (answer.Statement.IsDecision && answer.Holds is null))
                    ? null
                : true;
            return Conclusions.Of(isMet, IsInterrupted && !isRefuted);
        }
    }
}
