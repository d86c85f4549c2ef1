using MqttCheck.Brokers.Campaigns;
using MqttCheck.Comparison;
using MqttCheck.Predictions;
using MqttCheck.Sequential.Runs;
using MqttCheck.Verification;
using MqttCheck.Verification.Planning;
using static System.FormattableString;

namespace MqttCheck.App.Compare;

/// <summary>The runs that are planned to compare brokers.</summary>
/// <param name="Test">The test, with the number of runs that is planned.</param>
/// <param name="BudgetPerBroker">How long the runs of each broker may take.</param>
internal sealed record ComparePlan(
    IReadOnlyList<ComparedSetup> Setups,
    TwoSampleOptions Test,
    TimeBudget BudgetPerBroker
)
{
    /// <summary>The plan in words; null where a baseline decides on the runs.</summary>
    public string? Announcement { get; private init; }

    /// <summary>Plans runs that are as many and as long as equal brokers need to be found equal.</summary>
    /// <param name="learned">What is known of each broker; null beside a baseline, which brings its own setups.</param>
    /// <exception cref="InputException">The budget does not hold the runs that the test needs.</exception>
    public static ComparePlan For(CompareRequest request, IReadOnlyList<LearnedBroker>? learned) =>
        learned is null
            ? new(request.Baseline!.Setups, request.Test, request.BudgetPerBroker)
            : For(request, learned, SetupsOf(request, learned));

    // Each setup is compared at the thresholds where some broker is near .85, or at all thresholds that the user gave.
    private static List<ComparedSetup> SetupsOf(CompareRequest request, IReadOnlyList<LearnedBroker> learned)
    {
        var setups = new List<ComparedSetup>();
        foreach (var population in request.Populations)
        {
            foreach (var clients in request.Clients)
            {
                double[] informative =
                [
                    .. learned.Select(one =>
                        one.Prediction.MostInformativePoints.First(point =>
                            point.Profile == population.Name && point.Clients == clients
                        ).ThresholdMilliseconds
                    ),
                ];
                setups.Add(
                    request.Thresholds.Count > 0
                        ? new(population, clients, 1, request.Thresholds)
                        : new(population, clients, 1, [.. informative.Distinct().Order()])
                        {
                            MostInformative = informative,
                        }
                );
            }
        }
        return setups;
    }

    private static ComparePlan For(
        CompareRequest request,
        IReadOnlyList<LearnedBroker> learned,
        List<ComparedSetup> setups
    )
    {
        double Slowest(ComparedSetup setup) =>
            learned.Max(one => RunTime.SequenceSeconds(one.Prediction, setup.Population, setup.Clients));
        var isAny = request.Test.Guarantee == Guarantee.Any;
        var family = request.Test with { Comparisons = ComparisonCampaign.Comparisons(learned.Count, setups) };
        var plans = TwoSamplePlan.For(
            ThresholdChooser.MostInformative,
            family,
            [.. setups.Select(setup => ((double)setup.Clients, Slowest(setup)))],
            RunTime.OverheadInSequences,
            request.Runs
        );
        var planned = TimeSpan.FromSeconds(
            setups.Zip(plans, (setup, plan) => plan.Runs * TimeOf(setup).Seconds(plan.Rounds, Slowest(setup))).Sum()
        );
        var runs =
            isAny || request.Runs is not null
                ? plans.Max(plan => plan.Runs)
                : Math.Min(plans[0].Runs, Held(request, setups, Slowest));
        IReadOnlyList<ComparedSetup> fitting =
        [
            .. setups.Zip(
                plans,
                (setup, plan) =>
                    setup with
                    {
                        CountedSequences = setup.Population.WholeRounds(
                            isAny ? plan.Rounds : Math.Max(1, Math.Min(plan.Rounds, Fitting(setup)))
                        ),
                    }
            ),
        ];
        return (isAny ? OfAnyLaw(request, fitting, planned, runs) : OfUsualLaw(request, fitting, planned, runs)) with
        {
            Announcement =
                Invariant($"planned: {runs} runs of each broker and ")
                + Invariant($"setup{(isAny ? " at most, if brokers are equal or differ by what matters" : "")}, ")
                + Invariant($"about {planned.TotalSeconds * learned.Count:0} s in all")
                + (
                    isAny
                        ? ". " + VerdictPromise.Borne(plans.Min(plan => plan.InvalidRunsBorne(family))).TrimEnd('.')
                        : ""
                ),
        };

        int Fitting(ComparedSetup setup) =>
            TimeOf(setup)
                .SequencesWithin(
                    request.BudgetPerBroker.Plannable.TotalSeconds / (setups.Count * runs),
                    Slowest(setup)
                );
    }

    // In a small budget, runs are first made shorter and then fewer.
    private static int Held(CompareRequest request, List<ComparedSetup> setups, Func<ComparedSetup, double> slowest)
    {
        var shortest = setups.Sum(setup => TimeOf(setup).Seconds(setup.Population.WholeRounds(1), slowest(setup)));
        return Math.Max(request.Test.MinimumRuns, (int)(request.BudgetPerBroker.Plannable.TotalSeconds / shortest));
    }

    // A verdict without an assumption on the law of the runs needs them all.
    private static ComparePlan OfAnyLaw(
        CompareRequest request,
        IReadOnlyList<ComparedSetup> setups,
        TimeSpan planned,
        int runs
    )
    {
        var given = request.BudgetPerBroker;
        if (given.IsGiven)
            given.Require(
                "--budget",
                planned,
                planned,
                Invariant($"--guarantee any takes about {runs} runs, which take about {TimeBudget.Duration(planned)}"),
                "or a larger --error or --indifference",
                " per broker"
            );
        // Turns and clean-up take a little more.
        var budget = given.IsGiven ? given : given with { Time = Longer(given.Time, planned * 1.1) };
        return new(setups, request.Test, budget);
    }

    private static ComparePlan OfUsualLaw(
        CompareRequest request,
        IReadOnlyList<ComparedSetup> setups,
        TimeSpan planned,
        int runs
    )
    {
        // The budget may hold more runs than a quiet pair of brokers takes. A few more are no further look.
        var held = (int)(runs * (request.BudgetPerBroker.Plannable / planned));
        return new(
            setups,
            request.Test with
            {
                MinimumRuns = runs,
                PlannedRuns = held < RunLooks.Growth * runs ? runs : held,
            },
            request.BudgetPerBroker
        );
    }

    private static TimeSpan Longer(TimeSpan first, TimeSpan second) => first > second ? first : second;

    private static RunTime TimeOf(ComparedSetup setup) => new(setup.Population, setup.Clients);
}
