using MqttCheck.Predictions;

namespace MqttCheck.Verification.Planning;

/// <summary>Weighs few long runs against many short ones, for some setups that are verified together.</summary>
/// <param name="prediction">The prediction.</param>
/// <param name="setups">The points of each setup.</param>
/// <param name="options">The test with the smallest number of runs that is allowed.</param>
internal sealed class RunLengths(
    Prediction prediction,
    IReadOnlyList<PredictedPoint[]> setups,
    VerificationOptions options
)
{
    // Longer runs of bets that take their number would take longer than all short ones.
    private const int LongestRunOfBets = 12;

    // The error is not shared with looks at more runs than that, though a large budget may reach them.
    private const int MostTimesPlanned = 5;

    private readonly double[] _sequenceSeconds =
    [
        .. setups.Select(setup =>
            RunTime.SequenceSeconds(prediction, prediction.PopulationOf(setup[0]), setup[0].Clients)
        ),
    ];

    private readonly RunTime[] _times =
    [
        .. setups.Select(setup => new RunTime(prediction.PopulationOf(setup[0]), setup[0].Clients)),
    ];

    // A run has whole rounds of the stages, so that each stage counts as it does in the prediction.
    private readonly int[] _round = [.. setups.Select(setup => prediction.PopulationOf(setup[0]).SequencesPerRound)];

    /// <summary>
    /// The number of runs, how many the budget holds, and the sequences of each client in a run of each setup; 0 where
    /// it is left out.
    /// </summary>
    public (int Runs, int BudgetRuns, int[] Sequences) OfLikelihoods(bool isFixed, TimeSpan? budget)
    {
        var most = isFixed ? options.MinimumRuns : Math.Max(options.MinimumRuns, VerificationSchedule.MostRuns);
        var best = Enumerable
            .Range(options.MinimumRuns, most - options.MinimumRuns + 1)
            .MinBy(count => Seconds(count, Wanted(count, count)));
        if (budget is not { } given)
            return (best, best, Wanted(best, best));
        var (runs, sequences) = Fitted(best, given);
        var held = Held(sequences);
        // Further looks take their share of the error, so runs are a little longer, where the budget holds that.
        var longer = held > runs ? Wanted(runs, held) : sequences;
        return Seconds(runs, longer) <= given.TotalSeconds ? (runs, Held(longer), longer) : (runs, held, sequences);

        int Held(int[] perRun) =>
            Math.Clamp((int)(given.TotalSeconds / Seconds(1, perRun)), runs, MostTimesPlanned * runs);
    }

    /// <summary>
    /// The same for bets, which take a number of runs nearly whatever their length: the shortest that do not need many
    /// more.
    /// </summary>
    public (int Runs, int BudgetRuns, int[] Sequences) OfBets()
    {
        var best = setups
            .Select(
                (setup, i) =>
                    Enumerable
                        .Range(1, LongestRunOfBets)
                        .Select(rounds => rounds * _round[i])
                        .Select(length => (Length: length, Runs: setup.Max(point => RunsOfBets(point, length))))
                        .MinBy(plan => plan.Runs * (plan.Length + RunTime.OverheadInSequences))
            )
            .ToArray();
        var runs = best.Max(plan => plan.Runs);
        return (runs, runs, [.. best.Select(plan => plan.Length)]);
    }

    /// <summary>How long some runs of each setup take.</summary>
    public double Seconds(int count, int[] perRun) =>
        count * perRun.Select((length, i) => length == 0 ? 0 : _times[i].Seconds(length, _sequenceSeconds[i])).Sum();

    private int RunsOfBets(PredictedPoint point, int length) =>
        VerificationPlan.RunsNeeded(point, options, length * point.Clients) ?? VerificationPlan.MostRuns;

    private (int Runs, int[] Sequences) Fitted(int count, TimeSpan budget)
    {
        var wanted = Wanted(count, count);
        if (Seconds(count, wanted) <= budget.TotalSeconds)
            return (count, wanted);
        int[] shortest = [.. _round];
        while (count > options.MinimumRuns && Seconds(count, shortest) > budget.TotalSeconds)
            count--;
        wanted = Wanted(count, count);
        // The longest runs are shortened first.
        while (Longest() is >= 0 and var longest && Seconds(count, wanted) > budget.TotalSeconds)
            wanted[longest] -= _round[longest];
        while (wanted.Count(sequences => sequences > 0) > 1 && Seconds(count, wanted) > budget.TotalSeconds)
            wanted[Enumerable.Range(0, setups.Count).Where(i => wanted[i] > 0).MaxBy(i => setups[i].Min(Distance))] = 0;
        return (count, wanted);

        // -1 when none can be shorter.
        int Longest() =>
            Enumerable
                .Range(0, wanted.Length)
                .Where(i => wanted[i] > _round[i])
                .OrderByDescending(i => wanted[i])
                .FirstOrDefault(-1);
    }

    // A right prediction is to be confirmed in so many runs; looks share the error up to the planned number.
    private int[] Wanted(int count, int planned) =>
        [
            .. setups.Select(
                (setup, i) =>
                    _round[i]
                    * (int)
                        Math.Ceiling(
                            (double)setup.Max(point => SequencesNeeded(point, count, planned))
                                / setup[0].Clients
                                / _round[i]
                        )
            ),
        ];

    private long SequencesNeeded(PredictedPoint point, int count, int planned) =>
        VerificationPlan.SequencesNeeded(point, options with { PlannedRuns = planned }, count);

    private static double Distance(PredictedPoint point) =>
        Math.Abs(point.Probability - ThresholdChooser.MostInformative);
}
