using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Sequential.Runs;

namespace MqttCheck.Verification.Planning;

/// <summary>How many runs of which size a verification makes.</summary>
/// <param name="Runs">Runs of each setup after which a right prediction is confirmed on a quiet broker.</param>
/// <param name="BudgetRuns">
/// Runs of each setup that the budget holds, at least as many: brokers that are not quiet take more.
/// </param>
/// <param name="Setups">The size of each run of a setup.</param>
/// <param name="Time">How long those runs take, as far as the prediction tells.</param>
/// <param name="Budget">How long all runs together may take.</param>
public sealed record VerificationSchedule(
    int Runs,
    int BudgetRuns,
    IReadOnlyList<VerifiedSetup> Setups,
    TimeSpan Time,
    TimeSpan Budget
)
{
    /// <summary>
    /// The largest number of runs that is considered: beyond it the beginning of each run costs more than the better
    /// knowledge of their differences saves.
    /// </summary>
    public const int MostRuns = 18;

    /// <summary>
    /// The schedule as far as it can be known before anything is measured: as if each setup were predicted to be in
    /// time with the probability that is verified best, and answers took no time.
    /// </summary>
    /// <param name="setups">Who is verified, and how many.</param>
    /// <param name="options">The test with the smallest number of runs that is allowed.</param>
    /// <param name="isFixed">Whether that number of runs is to be made and no other.</param>
    /// <param name="budget">How long all runs together may take; null for a quarter more than they take.</param>
    public static VerificationSchedule Before(
        IReadOnlyList<(Population Population, int Clients)> setups,
        VerificationOptions options,
        bool isFixed,
        TimeSpan? budget
    )
    {
        const double expected = ThresholdChooser.MostInformative;
        PredictedPoint[] points =
        [
            .. setups.Select(setup => new PredictedPoint(
                setup.Population.Name,
                setup.Clients,
                1,
                expected,
                new(expected, expected)
            )),
        ];
        var prediction = new Prediction
        {
            Model = new("", "", "", ""),
            Options = new(),
            Populations = [.. setups.Select(setup => setup.Population).Distinct()],
            Setups =
            [
                .. setups.Select(setup => new PredictedSetup
                {
                    Profile = setup.Population.Name,
                    Clients = setup.Clients,
                    Replications = 1,
                    Sequences = 1,
                    Exchanges = 0,
                    MeanActive = 0,
                    MaximumActive = 0,
                    WorstMilliseconds = [0],
                }),
            ],
            Points = points,
        };
        return For(prediction, points, options, isFixed, budget);
    }

    /// <summary>
    /// The number of runs with which a right prediction is confirmed soonest on a quiet broker. Few runs say little
    /// about how much runs differ, so they must be long. If the budget is too small, runs are first made shorter and
    /// then fewer. If it does not even hold the smallest number of shortest runs, the least informative setups are left
    /// out; one stays.
    /// </summary>
    /// <param name="prediction">The prediction.</param>
    /// <param name="points">Which of its points are verified.</param>
    /// <param name="options">The test with the smallest number of runs that is allowed.</param>
    /// <param name="isFixed">Whether that number of runs is to be made and no other.</param>
    /// <param name="budget">
    /// How long all runs together may take; null for a quarter more than the planned runs take.
    /// </param>
    public static VerificationSchedule For(
        Prediction prediction,
        IReadOnlyList<PredictedPoint> points,
        VerificationOptions options,
        bool isFixed,
        TimeSpan? budget
    )
    {
        var setups = points.GroupBy(point => (point.Profile, point.Clients)).Select(setup => setup.ToArray()).ToArray();
        var lengths = new RunLengths(prediction, setups, options);
        var (runs, budgetRuns, sequences) =
            options.Guarantee == Guarantee.Any ? lengths.OfBets() : lengths.OfLikelihoods(isFixed, budget);
        var time = TimeSpan.FromSeconds(lengths.Seconds(runs, sequences));
        return new(
            runs,
            budgetRuns,
            [
                .. setups
                    .Select(
                        (setup, i) =>
                            new VerifiedSetup(prediction.PopulationOf(setup[0]), setup[0].Clients, sequences[i], setup)
                    )
                    .Where(setup => setup.CountedSequences > 0),
            ],
            time,
            budget ?? time * TimeBudget.Grace
        );
    }
}
