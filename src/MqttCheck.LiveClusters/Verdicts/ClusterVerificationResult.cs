using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Properties;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.LiveClusters.Verdicts;

/// <summary>The result of live runs of a cluster.</summary>
/// <param name="Runs">The runs that count, in their order.</param>
/// <param name="Answers">The answer to each property.</param>
/// <param name="IsInterrupted">Whether the user ended it.</param>
internal sealed record ClusterVerificationResult(
    IReadOnlyList<ClusterRunRecord> Runs,
    IReadOnlyList<ClusterAnswer> Answers,
    bool IsInterrupted
)
{
    /// <summary>Why no more runs were made although some were left; null where none were.</summary>
    public string? EndedBy { get; init; }

    /// <summary>Whether messages went round.</summary>
    public bool HasLoop => Runs.Any(run => run.LoopAfterNanoseconds is not null);

    /// <summary>Violations of invariants, with the number of their run from 1.</summary>
    public IEnumerable<(int Run, ClusterViolation Violation)> Violations =>
        Runs.SelectMany((run, index) => run.Outcome.Violations.Select(violation => (index + 1, violation)));

    /// <summary>Observations that decide nothing, with the number of their run from 1.</summary>
    public IEnumerable<(int Run, ClusterViolation Report)> Reports =>
        Runs.SelectMany((run, index) => run.Outcome.Reports.Select(report => (index + 1, report)));

    /// <summary>Each quantity in these runs and in their simulations.</summary>
    public IReadOnlyList<QuantityComparison> Comparisons => QuantityComparison.Of(Runs);

    /// <summary>Why a run of a system of our own was not simulated; null where all were.</summary>
    public string? WhyNotSimulated => Runs.Select(run => run.WhyNotSimulated).FirstOrDefault(why => why is not null);

    /// <summary>
    /// The conclusion. A loop, a violated invariant or a violated property refutes. An undecided property withholds the
    /// conclusion.
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
