using MqttCheck.Conformance.Account;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Conformance.Checking;

/// <summary>The result of a check.</summary>
public sealed record CheckReport
{
    /// <summary>The findings, in the order in which they were found.</summary>
    public required IReadOnlyList<Finding> Findings { get; init; }

    /// <summary>Deviations that were seen while exploring and not confirmed by repetitions.</summary>
    public required IReadOnlyList<Suspicion> Suspicions { get; init; }

    /// <summary>Deviations that were seen and not repeated before the time was over, one of each key.</summary>
    public IReadOnlyList<Deviation> NotLookedInto { get; init; } = [];

    /// <summary>How often each statement was judged while exploring.</summary>
    public required IReadOnlyDictionary<Statement, long> Exercised { get; init; }

    /// <summary>The same for each version, and in situations that have a name.</summary>
    internal JudgementTally Tally { get; init; } = new();

    /// <summary>How often each key deviated while exploring.</summary>
    public required IReadOnlyDictionary<string, int> Deviations { get; init; }

    /// <summary>How many scenarios were explored.</summary>
    public required long Scenarios { get; init; }

    /// <summary>How many commands the explored scenarios had.</summary>
    public required long Commands { get; init; }

    /// <summary>How long exploration took, including the time when it ran beside shrinking and confirming.</summary>
    public required TimeSpan Exploring { get; init; }

    /// <summary>Whether the broker was lost and could not be started again.</summary>
    public bool BrokerLost { get; init; }

    /// <summary>
    /// The conclusion. A broker that is gone may have been stopped by somebody else: that is no verdict on it, and no
    /// success. A violation that was seen but not repeated is no finding, and yet it forbids success.
    /// </summary>
    public Conclusion Conclusion =>
        Findings.Any(finding => finding.Statement.Class == StatementClass.Must && finding.IsRepeated)
            ? Conclusion.Refuted
        : BrokerLost ? Conclusion.Failed
        : Suspicions
            .Select(suspicion => suspicion.Deviation)
            .Concat(NotLookedInto)
            .Any(deviation => deviation is { MustRecur: false, Statement.Class: StatementClass.Must })
            ? Conclusion.Withheld
        : Conclusion.Success;
}
