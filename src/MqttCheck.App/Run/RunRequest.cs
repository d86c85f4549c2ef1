using MqttCheck.App.Explore;
using MqttCheck.App.Runs;
using MqttCheck.App.Verify;
using MqttCheck.Learning.Learners;
using MqttCheck.Profiles;
using MqttCheck.Verification.Planning;

namespace MqttCheck.App.Run;

/// <summary>Everything that all stages on one broker need.</summary>
/// <param name="Plan">How much to do.</param>
/// <param name="Broker">The broker.</param>
/// <param name="Live">How the runs are made.</param>
/// <param name="ConnectAsync">Connects to those who make the runs, once the broker is there.</param>
/// <param name="VerifyBroker">The broker to verify on, if it is not the same; for demonstrations.</param>
/// <param name="Fleets">The profiles and their client counts.</param>
/// <param name="Thresholds">The thresholds in milliseconds, none to have them chosen.</param>
/// <param name="Asked">The verification that was asked for. Given thresholds are all verified.</param>
/// <param name="Learner">The learner.</param>
/// <param name="Files">The files that the stages write.</param>
/// <param name="SaveBaseline">The file that stores the verified runs as a baseline; null for none.</param>
internal sealed record RunRequest(
    RunPlan Plan,
    BrokerChoice Broker,
    LiveRuns Live,
    Func<Task<LiveWorkers>> ConnectAsync,
    BrokerChoice? VerifyBroker,
    IReadOnlyList<AskedFleet> Fleets,
    IReadOnlyList<double> Thresholds,
    AskedTest Asked,
    ILearner Learner,
    RunFiles Files,
    string? SaveBaseline
)
{
    /// <summary>The exploration.</summary>
    public ExploreRequest Explore =>
        new(
            Live,
            [.. Fleets.Select(fleet => fleet.Population)],
            Plan.Exploration,
            Fleets.Max(fleet => fleet.Clients.Max()),
            Plan.Coarse,
            Files.Log
        );

    /// <summary>Refuses what cannot be done on this machine or within the budget, before anything is started.</summary>
    /// <returns>What is verified within the budget, and what would be without one.</returns>
    /// <exception cref="InputException">It cannot be done, and why.</exception>
    public (VerificationSchedule Fitted, VerificationSchedule Wanted) Require()
    {
        // The setups are known beforehand; how many runs each needs depends on the precision of the predictions.
        (Population Population, int Clients)[] expected =
        [
            .. Fleets.SelectMany(fleet =>
                (Asked.Clients.Count > 0 ? fleet.Clients.Intersect(Asked.Clients) : [fleet.Clients.Max()]).Select(
                    clients => (fleet.Population, clients)
                )
            ),
        ];
        Explore.Require(expected.Select(setup => setup.Clients));
        var points = expected.Length * Math.Max(1, Thresholds.Count);
        var (fitted, wanted) = (Schedule(Asked.Budget), Schedule(null));
        BudgetCheck.Require(Asked.Budget ?? new(fitted.Budget, IsGiven: false), fitted, wanted);
        return (fitted, wanted);

        VerificationSchedule Schedule(TimeBudget? budget) => Asked.ScheduleBefore(expected, points, budget);
    }
}
