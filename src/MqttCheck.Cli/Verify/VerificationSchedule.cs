using MqttCheck.Brokers.Campaigns;
using MqttCheck.Cli.Live;
using MqttCheck.Predictions;
using MqttCheck.Sequential.Runs;
using MqttCheck.Verification;

namespace MqttCheck.Cli.Verify;

/// <summary>How many runs of which size a verification makes.</summary>
/// <param name="Runs">Runs of each setup after which a right prediction is confirmed.</param>
/// <param name="FirstLook">Runs of each setup before the first look at the verdict: as many, or, with bets on run means, fewer.</param>
/// <param name="Setups">What each run of a setup does.</param>
/// <param name="Time">How long those runs take, as far as the prediction tells.</param>
/// <param name="Budget">How long all runs together may take.</param>
internal sealed record VerificationSchedule(
    int Runs,
    int FirstLook,
    IReadOnlyList<VerifiedSetup> Setups,
    TimeSpan Time,
    TimeSpan Budget
)
{
    // Longer runs of bets that take their number would take longer than all short ones.
    private const int LongestRunOfBets = 12;

    /// <summary>The largest number of runs that is considered: beyond it the beginning of each run costs more than the better knowledge of their differences saves.</summary>
    public const int MostRuns = 12;

    /// <summary>
    /// The number of runs with which a right prediction is confirmed soonest on a quiet broker: few runs say little about how much runs differ, so they must be long. Where the budget does
    /// not hold that, runs are first made shorter and then fewer; where it does not even hold the smallest number of shortest runs, the least informative setups are left out; one stays.
    /// </summary>
    /// <param name="options">The test with the smallest number of runs that is allowed.</param>
    /// <param name="isFixed">Whether that number of runs is to be made and no other.</param>
    /// <param name="budget">How long all runs together may take; null for a quarter more than the planned runs take.</param>
    public static VerificationSchedule For(
        Prediction prediction,
        IReadOnlyList<PredictedPoint> points,
        VerificationOptions options,
        bool isFixed,
        TimeSpan? budget
    )
    {
        var setups = points.GroupBy(point => (point.Profile, point.Clients)).Select(setup => setup.ToArray()).ToArray();
        var sequenceSeconds = setups
            .Select(setup => RunTime.SequenceSeconds(prediction, prediction.PopulationOf(setup[0]), setup[0].Clients))
            .ToArray();
        var (runs, sequences) = options.Guarantee == Guarantee.Any ? OfBets() : OfLikelihoods();
        var time = TimeSpan.FromSeconds(Seconds(runs, sequences));
        return new(
            runs,
            options.Guarantee == Guarantee.Any ? options.MinimumRuns : runs,
            [
                .. setups
                    .Select(
                        (setup, i) =>
                            new VerifiedSetup(prediction.PopulationOf(setup[0]), setup[0].Clients, sequences[i], setup)
                    )
                    .Where(setup => setup.CountedSequences > 0),
            ],
            time,
            budget ?? time * VerificationCampaign.Grace
        );

        (int Runs, int[] Sequences) OfLikelihoods()
        {
            var most = isFixed ? options.MinimumRuns : Math.Max(options.MinimumRuns, MostRuns);
            var best = Enumerable
                .Range(options.MinimumRuns, most - options.MinimumRuns + 1)
                .MinBy(count => Seconds(count, Wanted(count)));
            return Fitted(best, Wanted(best));
        }

        (int Runs, int[] Sequences) Fitted(int count, int[] wanted)
        {
            if (budget is not { } given || Seconds(count, wanted) <= given.TotalSeconds)
                return (count, wanted);
            int[] shortest = [.. wanted.Select(_ => 1)];
            while (count > options.MinimumRuns && Seconds(count, shortest) > given.TotalSeconds)
                count--;
            wanted = Wanted(count);
            // The longest runs are shortened first.
            while (wanted.Max() > 1 && Seconds(count, wanted) > given.TotalSeconds)
                wanted[Array.IndexOf(wanted, wanted.Max())]--;
            while (wanted.Count(sequences => sequences > 0) > 1 && Seconds(count, wanted) > given.TotalSeconds)
                wanted[
                    Enumerable.Range(0, setups.Length).Where(i => wanted[i] > 0).MaxBy(i => setups[i].Min(Distance))
                ] = 0;
            return (count, wanted);
        }

        // Bets take a number of runs, nearly whatever their length: the shortest that do not need many more.
        (int Runs, int[] Sequences) OfBets()
        {
            var best = setups
                .Select(
                    (setup, i) =>
                        Enumerable
                            .Range(1, LongestRunOfBets)
                            .Select(length =>
                                (
                                    Length: length,
                                    Runs: setup.Max(point =>
                                        VerificationPlan.RunsNeeded(point, options, length * setup[0].Clients)
                                        ?? VerificationPlan.MostRuns
                                    )
                                )
                            )
                            .MinBy(plan => plan.Runs * (plan.Length + RunTime.OverheadInSequences))
                )
                .ToArray();
            return (best.Max(plan => plan.Runs), [.. best.Select(plan => plan.Length)]);
        }

        int[] Wanted(int count) =>
            [
                .. setups.Select(setup =>
                    (int)
                        Math.Ceiling(
                            (double)
                                setup.Max(point =>
                                    VerificationPlan.SequencesNeeded(point, options with { MinimumRuns = count }, count)
                                ) / setup[0].Clients
                        )
                ),
            ];

        double Seconds(int count, int[] perRun) =>
            count
            * perRun
                .Select((length, i) => length == 0 ? 0 : (length + RunTime.OverheadInSequences) * sequenceSeconds[i])
                .Sum();
    }

    private static double Distance(PredictedPoint point) =>
        Math.Abs(point.Probability - ThresholdChooser.MostInformative);
}
