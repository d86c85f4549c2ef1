using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Campaigns.Calibrations;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Sequential.Runs;
using MqttCheck.Verification;
using MqttCheck.Verification.Deciding;
using MqttCheck.Verification.Planning;

namespace MqttCheck.App.Verify;

/// <summary>The answer of a verification.</summary>
/// <param name="Request">The question.</param>
/// <param name="Broker">The broker that was measured.</param>
/// <param name="Planned">The plan.</param>
/// <param name="Result">The verdicts, and the runs that they rest on.</param>
/// <param name="Estimates">The measurement after the verdicts that checks them; null where none was made.</param>
internal sealed record VerificationAnswer(
    VerifyRequest Request,
    BrokerDescription Broker,
    PlannedVerification Planned,
    VerificationResult Result,
    MonteCarloResult? Estimates
)
{
    /// <summary>All runs that were made.</summary>
    public IReadOnlyList<FleetRunResult> Runs => [.. Result.Runs, .. Estimates?.Runs ?? []];

    /// <summary>A budget with which open verdicts may be decided; null where time does not help.</summary>
    public TimeSpan? MoreTime
    {
        get
        {
            var open = Result.Verdicts.Where(timed =>
                timed.Verdict is { Kind: VerdictKind.Withheld, IsHopeless: false, Runs.Count: > 0 }
            );
            if (Result.Interrupted || !open.Any())
                return null;
            // Each open setup goes on until its next look, or until a right prediction is confirmed.
            var factor = open.Max(timed =>
                (double)Math.Max(timed.Verdict.RunsNeeded ?? 0, (int)(RunLooks.Growth * Planned.Schedule.BudgetRuns))
                / timed.Verdict.Runs.Count
            );
            // The predictions of one setup share its runs.
            var spent = Result
                .Verdicts.GroupBy(timed => (timed.Verdict.Point.Profile, timed.Verdict.Point.Clients))
                .Sum(setup => setup.First().Time.TotalSeconds);
            return TimeBudget.Enough(TimeSpan.FromSeconds(spent * factor));
        }
    }

    /// <summary>The conclusion from the verdicts, and from the measurement after them.</summary>
    public Conclusion Conclude() =>
        Conclusions.Of(
            [.. Result.Verdicts.Select(verdict => verdict.Verdict.Kind)],
            Estimates is not null && Enumerable.Range(0, Result.Verdicts.Count).Any(index => Confirms(index) == false),
            Result.Interrupted
        );

    /// <summary>Whether the measurement after the verdicts confirms one; null where it says nothing.</summary>
    /// <param name="index">The number of the verdict.</param>
    public bool? Confirms(int index)
    {
        var verdict = Result.Verdicts[index].Verdict;
        var runs = Estimates!
            .Cases.Zip(Estimates.Runs)
            .Where(made =>
                made.First.Clients == verdict.Point.Clients && made.First.Population?.Name == verdict.Point.Profile
            );
        // Invalid runs confirm and contradict nothing either.
        return RunJudgement.AreInvalid(runs.Select(made => made.Second))
            ? null
            : Estimates.Estimates[index].Confirms(verdict);
    }
}
