using MqttCheck.App.Runs;
using MqttCheck.App.Verify;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Fleets.Machine;
using MqttCheck.Comparison;
using MqttCheck.Learning.Data;
using MqttCheck.Learning.Learners;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Sequential.Runs;
using MqttCheck.Verification;
using MqttCheck.Verification.Deciding;
using MqttCheck.Verification.Planning;
using static System.FormattableString;

namespace MqttCheck.App.Compare;

/// <summary>Everything that a comparison needs.</summary>
/// <param name="Brokers">The brokers with the names that tell them apart.</param>
/// <param name="Baseline">The stored run to compare with, or null to compare the brokers with each other.</param>
/// <param name="Populations">The profiles; with a baseline, its own count.</param>
/// <param name="Clients">The client counts; with a baseline, its own count.</param>
/// <param name="Thresholds">The thresholds in milliseconds, none to have the most informative ones chosen.</param>
/// <param name="Plan">How much to explore, and whether the result is coarse.</param>
/// <param name="Test">The test.</param>
/// <param name="Runs">The number of runs that the user asks for, null to have it planned.</param>
/// <param name="BudgetPerBroker">
/// How long the compared runs of each broker may take. One that is given is kept; otherwise it grows with the plan.
/// </param>
/// <param name="Learner">The learner.</param>
/// <param name="ProtocolVersion">The protocol that the clients speak.</param>
/// <param name="ConnectAsync">Connects to those who make the runs, once the brokers are there.</param>
/// <param name="Seed">The user's seed.</param>
/// <param name="Directory">The directory for files.</param>
/// <param name="Repeat">The command that repeats it.</param>
internal sealed record CompareRequest(
    IReadOnlyList<KeyValuePair<string, BrokerChoice>> Brokers,
    CompareBaseline? Baseline,
    IReadOnlyList<Population> Populations,
    IReadOnlyList<int> Clients,
    IReadOnlyList<double> Thresholds,
    RunPlan Plan,
    TwoSampleOptions Test,
    int? Runs,
    TimeBudget BudgetPerBroker,
    ILearner Learner,
    ProtocolVersion ProtocolVersion,
    Func<Task<LiveWorkers>> ConnectAsync,
    ulong Seed,
    string Directory,
    string Repeat
)
{
    /// <summary>The test with the values of a plan where none are given.</summary>
    /// <exception cref="InputException">A value is not allowed.</exception>
    public static TwoSampleOptions TestOf(
        RunPlan plan,
        double? error,
        double? indifference,
        int? runs,
        Guarantee guarantee,
        double? worstRun
    )
    {
        var test = new TwoSampleOptions
        {
            Error = error ?? plan.Error,
            Guarantee = guarantee,
            WorstRun = worstRun,
            Indifference = indifference ?? plan.Indifference,
            MinimumRuns = runs ?? plan.Runs,
        };
        InputException.ThrowIfAny(test.Validate("compare"));
        return test;
    }

    /// <summary>Refuses what cannot be compared, before anything is started.</summary>
    /// <exception cref="InputException">It cannot be done, and why.</exception>
    public void Require()
    {
        foreach (var choice in Brokers.Select(broker => broker.Value).DistinctBy(choice => choice.Client))
            choice.Live(ProtocolVersion).Require(Populations);
        RefuseShortBaseline();
        RefuseShortBudget();
        // The brokers take turns: no two are loaded at the same time.
        SystemLimits.Require(
            Math.Max(TrainingDesign.MostClients, Baseline?.Setups.Max(setup => setup.Clients) ?? Clients.Max())
        );
    }

    // The waiting times of clients and the smallest number of runs are known before anything is started.
    private void RefuseShortBudget()
    {
        var isAny = Test.Guarantee == Guarantee.Any;
        // A budget that is not given grows with the bets, and a baseline says how many runs there are.
        if (isAny && (!BudgetPerBroker.IsGiven || Baseline is not null))
            return;
        var setups = Baseline?.Setups ?? SetupsBefore();
        var plans = isAny
            ? TwoSamplePlan.For(
                ThresholdChooser.MostInformative,
                Test with
                {
                    Comparisons = ComparisonCampaign.Comparisons(Brokers.Count, setups),
                },
                [
                    .. setups.Select(setup =>
                        ((double)setup.Clients, Math.Max(.001, RunTime.LeastSequenceSeconds(setup.Population)))
                    ),
                ],
                RunTime.OverheadInSequences,
                Runs
            )
            : null;
        var runs = plans?.Max(plan => plan.Runs) ?? Test.MinimumRuns;
        var least = TimeSpan.FromSeconds(
            setups
                .Select(
                    (setup, i) =>
                        (plans?[i].Runs ?? runs)
                        * new RunTime(setup.Population, setup.Clients).Seconds(
                            plans?[i].Rounds ?? setup.CountedSequences
                        )
                )
                .Sum()
        );
        BudgetPerBroker.Require(
            "--budget",
            least,
            least,
            Invariant($"{runs} runs of each setup take about {TimeBudget.Duration(least)}, because clients wait ")
                + "between messages",
            $"fewer --runs,{(isAny ? " a larger --error or --indifference," : "")} or a profile with shorter waits or "
                + "a smaller \"sequenceLength\"",
            " per broker"
        );
    }

    // Each broker may have a threshold of its own, which is known when both are learned.
    private IReadOnlyList<ComparedSetup> SetupsBefore() =>
        [
            .. Populations.SelectMany(population =>
                Clients.Select(clients => new ComparedSetup(
                    population,
                    clients,
                    1,
                    Thresholds.Count > 0 ? Thresholds : [1, 2]
                ))
            ),
        ];

    // A verdict without an assumption needs to know the stored mean.
    private void RefuseShortBaseline()
    {
        if (Baseline is not { } baseline || Test.Guarantee != Guarantee.Any)
            return;
        var needed = TwoSamplePlan.StoredRunsOfAnyLaw(
            Test with
            {
                Comparisons = ComparisonCampaign.Comparisons(Brokers.Count, baseline.Setups),
            },
            ThresholdChooser.MostInformative
        );
        if (baseline.Setups.Min(setup => setup.StoredRuns!.Count) is var stored && stored < needed)
            throw new InputException(
                Invariant($"--guarantee any: the baseline has {stored} runs of a setup; without ")
                    + Invariant($"an assumption on the law of the runs at least {needed} are needed, ")
                    + "because the baseline itself may have missed a bad state: store "
                    + Invariant($"them with 'run --runs {needed} --save-baseline FILE', compare the ")
                    + "two brokers with each other (--brokers), or leave --guarantee out."
            );
    }
}
