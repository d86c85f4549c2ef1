using MqttCheck.App.Runs;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Verification;
using MqttCheck.Verification.Planning;

namespace MqttCheck.App.Verify;

/// <summary>The verification that a user asked for.</summary>
/// <param name="Clients">The client counts to verify, none for the largest of each profile.</param>
/// <param name="AllThresholds">
/// Whether every predicted threshold of those is verified, or only the most informative one.
/// </param>
/// <param name="OfOnePoint">The test, with the smallest number of runs, as if it were of one point.</param>
/// <param name="IsNumberOfRunsFixed">
/// Whether the first look is after that number of runs, or after as many as promise a verdict soonest.
/// </param>
/// <param name="Budget">
/// How long it may take; null for as long as the planned runs take, with a quarter more.
/// </param>
/// <param name="MonteCarloSequences">
/// How many sequences of each setup are measured again after the verdicts to check them, or null.
/// </param>
internal sealed record AskedTest(
    IReadOnlyList<int> Clients,
    bool AllThresholds,
    VerificationOptions OfOnePoint,
    bool IsNumberOfRunsFixed,
    TimeBudget? Budget,
    int? MonteCarloSequences
)
{
    /// <summary>The name under which the client counts are asked for.</summary>
    public const string ClientsName = "--verify-clients";

    /// <summary>The verification that a plan makes where nothing else is asked for.</summary>
    public static AskedTest Of(RunPlan plan) =>
        new(
            [],
            AllThresholds: false,
            new()
            {
                Error = plan.Error,
                Indifference = plan.Indifference,
                MinimumRuns = plan.Runs,
            },
            IsNumberOfRunsFixed: false,
            new(plan.Verification, IsGiven: false),
            MonteCarloSequences: null
        );

    /// <summary>The test of points that share its error.</summary>
    public VerificationOptions Of(int points) => OfOnePoint with { Points = points };

    /// <summary>Chooses what to verify; see <see cref="VerificationChoice.Of"/>.</summary>
    public VerificationChoice Choose(Prediction prediction) =>
        VerificationChoice.Of(prediction, Clients, AllThresholds, ClientsName);

    /// <summary>Plans the verification of chosen points.</summary>
    /// <param name="budget">How long it may take, or null as with <see cref="Budget"/>.</param>
    public VerificationSchedule Schedule(Prediction prediction, VerificationChoice chosen, TimeBudget? budget) =>
        Within(
            budget,
            time =>
                VerificationSchedule.For(prediction, chosen.Points, Of(chosen.Points.Count), IsNumberOfRunsFixed, time)
        );

    /// <summary>Plans the verification as far as it can be known before anything is measured.</summary>
    /// <param name="setups">Who is verified, and how many.</param>
    /// <param name="points">How many points share the error.</param>
    /// <param name="budget">How long it may take, or null as with <see cref="Budget"/>.</param>
    public VerificationSchedule ScheduleBefore(
        IReadOnlyList<(Population Population, int Clients)> setups,
        int points,
        TimeBudget? budget
    ) => Within(budget, time => VerificationSchedule.Before(setups, Of(points), IsNumberOfRunsFixed, time));

    private static VerificationSchedule Within(TimeBudget? budget, Func<TimeSpan?, VerificationSchedule> plan) =>
        budget is null ? plan(null) : plan(budget.Plannable) with { Budget = budget.Time };

    /// <summary>Refuses client counts that nothing will be predicted for.</summary>
    public void RequirePredicted(IEnumerable<int> predicted) =>
        VerificationChoice.RequirePredicted(Clients, predicted, ClientsName);
}
