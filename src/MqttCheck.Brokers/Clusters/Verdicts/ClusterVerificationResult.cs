using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Properties;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Brokers.Clusters.Verdicts;

/// <summary>What live runs say of a cluster.</summary>
/// <param name="Runs">The runs that count, in their order.</param>
/// <param name="Answers">What they say of each property.</param>
/// <param name="IsInterrupted">Whether the user ended it.</param>
public sealed record ClusterVerificationResult(
    IReadOnlyList<ClusterRunRecord> Runs,
    IReadOnlyList<ClusterAnswer> Answers,
    bool IsInterrupted
)
{
    /// <summary>Whether messages went round.</summary>
    public bool HasLoop => Runs.Any(run => run.LoopAfterNanoseconds is not null);

    /// <summary>Violations of invariants, with the number of their run from 1.</summary>
    public IEnumerable<(int Run, ClusterViolation Violation)> Violations =>
        Runs.SelectMany((run, index) => run.Outcome.Violations.Select(violation => (index + 1, violation)));

    /// <summary>What is reported and decides nothing, with the number of its run from 1.</summary>
    public IEnumerable<(int Run, ClusterViolation Report)> Reports =>
        Runs.SelectMany((run, index) => run.Outcome.Reports.Select(report => (index + 1, report)));

    /// <summary>
    /// What follows: a loop, a violation of an invariant that decides, or a property that is violated refutes. A
    /// property that is not decided withholds.
    /// </summary>
    public Conclusion Conclusion
    {
        get
        {
            var statements = Answers.Where(answer => answer.Property.IsDecision).ToList();
            var isRefuted = HasLoop || Violations.Any() || statements.Exists(answer => answer.Holds == false);
            bool? isMet =
                isRefuted ? false
                : Runs.Count == 0 || statements.Exists(answer => answer.Holds is null) ? null
                : true;
            return Conclusions.Of(isMet, IsInterrupted && !isRefuted);
        }
    }
}
