using MqttCheck.Brokers.Campaigns;
using MqttCheck.Checking;

namespace MqttCheck.Cli.Stages;

/// <summary>How many runs of which size a verification makes.</summary>
/// <param name="Runs">Runs of each setup before the first look at the verdict.</param>
/// <param name="Setups">What each run of a setup does.</param>
public sealed record VerificationSchedule(int Runs, IReadOnlyList<VerifiedSetup> Setups)
{
    /// <summary>The largest number of runs that is considered: beyond it the beginning of each run costs more than the better knowledge of their differences saves.</summary>
    public const int MostRuns = 12;

    /// <summary>
    /// The number of runs with which a right prediction is confirmed soonest on a quiet broker: few runs say little about how much runs differ, so they must be long. Where the budget does
    /// not hold that, runs are first made shorter and then fewer; where it does not even hold the smallest number of shortest runs, the least informative setups are left out; one stays.
    /// </summary>
    /// <param name="prediction">The prediction.</param>
    /// <param name="points">What to verify.</param>
    /// <param name="options">The test with the smallest number of runs that is allowed.</param>
    /// <param name="isFixed">Whether that number of runs is to be made and no other.</param>
    /// <param name="budget">How long all runs together may take.</param>
    public static VerificationSchedule For(
        Prediction prediction, IReadOnlyList<PredictedPoint> points, VerificationOptions options, bool isFixed, TimeSpan budget)
    {
        ArgumentNullException.ThrowIfNull(prediction);
        ArgumentNullException.ThrowIfNull(points);
        ArgumentNullException.ThrowIfNull(options);
        var setups = points.GroupBy(point => (point.Profile, point.Clients)).Select(setup => setup.ToArray()).ToArray();
        var sequenceSeconds = setups.Select(setup => RunTime.SequenceSeconds(prediction, prediction.PopulationOf(setup[0]), setup[0].Clients)).ToArray();
        var most = isFixed ? options.MinimumRuns : Math.Max(options.MinimumRuns, MostRuns);
        var runs = Enumerable.Range(options.MinimumRuns, most - options.MinimumRuns + 1).MinBy(count => Seconds(count, Wanted(count)));
        var sequences = Wanted(runs);
        if (Seconds(runs, sequences) > budget.TotalSeconds)
        {
            int[] shortest = [.. sequences.Select(_ => 1)];
            while (runs > options.MinimumRuns && Seconds(runs, shortest) > budget.TotalSeconds) runs--;
            sequences = Wanted(runs);
            // The longest runs are shortened first.
            while (sequences.Max() > 1 && Seconds(runs, sequences) > budget.TotalSeconds) sequences[Array.IndexOf(sequences, sequences.Max())]--;
            while (sequences.Count(count => count > 0) > 1 && Seconds(runs, sequences) > budget.TotalSeconds)
                sequences[Enumerable.Range(0, setups.Length).Where(i => sequences[i] > 0).MaxBy(i => setups[i].Min(Distance))] = 0;
        }
        return new(runs,
        [
            .. setups.Select((setup, i) => new VerifiedSetup(prediction.PopulationOf(setup[0]), setup[0].Clients, sequences[i], setup))
                .Where(setup => setup.CountedSequences > 0),
        ]);

        int[] Wanted(int count) =>
        [
            .. setups.Select(setup => (int)Math.Ceiling(
                (double)setup.Max(point => VerificationPlan.SequencesNeeded(point, options with { MinimumRuns = count }, count)) / setup[0].Clients)),
        ];

        double Seconds(int count, int[] sequences) =>
            count * sequences.Select((perRun, i) => perRun == 0 ? 0 : (perRun + RunTime.OverheadInSequences) * sequenceSeconds[i]).Sum();
    }

    private static double Distance(PredictedPoint point) => Math.Abs(point.Probability - ThresholdChooser.MostInformative);
}
