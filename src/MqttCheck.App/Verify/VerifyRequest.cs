using MqttCheck.App.Runs;
using MqttCheck.Brokers.Fleets.Machine;
using MqttCheck.Predictions;

namespace MqttCheck.App.Verify;

/// <summary>Everything that a verification needs beside the broker.</summary>
/// <param name="Live">How its runs are made.</param>
/// <param name="Prediction">The prediction.</param>
/// <param name="Asked">The test and the time for it.</param>
/// <param name="Log">The log to write.</param>
/// <param name="MonteCarloLog">The log of what is measured again after the verdicts to check them.</param>
internal sealed record VerifyRequest(
    LiveRuns Live,
    Prediction Prediction,
    AskedTest Asked,
    string Log,
    string MonteCarloLog
)
{
    /// <summary>Refuses what cannot be verified on this machine or within the budget.</summary>
    /// <returns>The plan.</returns>
    /// <exception cref="InputException">It cannot be done, and why.</exception>
    public PlannedVerification Require()
    {
        Live.Require(Prediction.Populations);
        var planned = Plan();
        SystemLimits.Require(planned.Chosen.Points.Max(point => point.Clients));
        BudgetCheck.Require(planned.Budget, planned.Schedule, Asked.Schedule(Prediction, planned.Chosen, null));
        return planned;
    }

    /// <summary>Chooses what to verify, and plans its runs.</summary>
    /// <exception cref="InputException">A client count is not in the prediction.</exception>
    public PlannedVerification Plan()
    {
        var chosen = Asked.Choose(Prediction);
        var schedule = Asked.Schedule(Prediction, chosen, Asked.Budget);
        return new(
            chosen,
            schedule,
            Asked.Of(chosen.Points.Count) with
            {
                PlannedRuns = schedule.BudgetRuns,
                IntervalLevel = Prediction.Level,
            },
            Asked.Budget ?? new(schedule.Budget, IsGiven: false)
        );
    }
}
