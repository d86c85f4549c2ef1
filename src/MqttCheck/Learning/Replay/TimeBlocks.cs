using MqttCheck.Clients;
using MqttCheck.Latency;
using MqttCheck.Latency.Nagle;
using MqttCheck.Latency.Quality;
using MqttCheck.Learning.Data;
using MqttCheck.Learning.Learners;

namespace MqttCheck.Learning.Replay;

/// <summary>
/// Judges a learner on a log of one long run, such as that of a capture. Its time is divided into blocks. Some blocks
/// that follow each other are held out, and a model of the other times says how many of their exchanges are in time, at
/// the load that was there. Exchanges chosen at random would have neighbours of the same minute in training, and would
/// not show that a broker changes with time.
/// </summary>
/// <remarks>
/// The clients of such a log are not known, so nothing is simulated. The probability of a sequence is taken from the
/// share of single exchanges, as for cases that are replayed (<see cref="CaseReplay"/>).
/// </remarks>
internal static class TimeBlocks
{
    // So many cases support intervals of 95, 90 and 80 %.
    private static readonly int[] s_blocks = [24, 12, 6];

    private const int Folds = 6;

    // A shorter block shows how a machine is disturbed, which a long measurement does not.
    private const double ShortestMilliseconds = 4000;

    // With fewer, no threshold has enough exchanges above it.
    private const int FewestExchanges = 50;

    // A law is asked at each of some twenty thresholds.
    private const int MostExchanges = 2000;

    // The length of the sequences in the question that is usually asked.
    private const int SequenceLength = 10;

    /// <summary>Judges a learner.</summary>
    /// <param name="data">The training data.</param>
    /// <param name="learner">The learner.</param>
    /// <param name="seed">The seed of whatever the learner leaves to chance.</param>
    /// <returns>
    /// The quality; null where there are too few exchanges, where there is no one run, or for a learner whose models
    /// are no laws of what is known at sending.
    /// </returns>
    public static ReplayQuality? Judge(TrainingData data, ILearner learner, ulong seed)
    {
        var run = data.Runs[0];
        var count = Array.Find(s_blocks, Fits);
        if (data.Runs.Length != 1 || count == 0)
            return null;
        var length = run.WindowMilliseconds / count;
        var cases = new ReplayedCase?[count];
        var isLaw = true;
        Parallel.For(
            0,
            Folds,
            fold =>
            {
                var training = data.Where(row => FoldOf(row) != fold);
                if (training.OwnRows.Length < TrainingData.FewestExchanges)
                    return;
                if (NagleModel.OwnOf(learner.Learn(training, seed).Model) is not IConditionalLaw law)
                {
                    isLaw = false;
                    return;
                }
                var seen = training.SeenKinds();
                var heldOut = data.OwnRows.Where(row => FoldOf(row) == fold && seen[(int)row.Features.Kind]);
                foreach (var block in heldOut.GroupBy(BlockOf))
                    cases[block.Key] = Compare(law, [.. block], run.Clients, length);
            }
        );
        var compared = cases.OfType<ReplayedCase>().ToArray();
        return !isLaw || compared.Length < ReplaySelection.FewestCases
            ? null
            : ReplayQuality.Of(compared, ReplaySelection.FewestCases) with
            {
                BlockSeconds = length / 1000,
            };

        bool Fits(int blocks) =>
            data.OwnRows.Length >= blocks * FewestExchanges
            && (blocks == Folds || run.WindowMilliseconds >= blocks * ShortestMilliseconds);
        int BlockOf(TrainingRow row) => Math.Clamp((int)(row.SentMilliseconds / length), 0, count - 1);
        int FoldOf(TrainingRow row) => BlockOf(row) * Folds / count;
    }

    private static ReplayedCase? Compare(IConditionalLaw law, TrainingRow[] rows, int clients, double length)
    {
        var latencies = ReplayObserver.ByKind();
        foreach (var row in rows)
            latencies[(int)row.Features.Kind].Add(row.LatencyMilliseconds);
        double[][] sorted = [.. latencies.Select(kind => kind.Order().ToArray())];
        var shares = Array.ConvertAll(sorted, kind => (double)kind.Length / rows.Length);
        var step = Math.Max(1, rows.Length / MostExchanges);
        var asked = rows.Where((_, i) => i % step == 0).ToArray();
        var points = new List<ReplayedPoint>();
        foreach (var (milliseconds, share) in CaseReplay.Thresholds(sorted, shares, SequenceLength))
        {
            if (milliseconds <= 0)
                continue;
            var there = Math.Pow(share, SequenceLength);
            // Values at an atom count whole, as the observed ones do.
            var at = Math.BitIncrement(milliseconds);
            var predicted = Math.Pow(
                Math.Clamp(asked.Average(row => law.CumulativeProbability(row.Features, at)), 0, 1),
                SequenceLength
            );
            points.Add(
                new(
                    milliseconds,
                    there,
                    predicted - there,
                    Math.Sqrt(CaseReplay.SamplingVariance(share, SequenceLength, rows.Length))
                )
            );
        }
        return points.Count == 0
            ? null
            : new(clients, rows.Length * 1000 / length, rows.Average(row => row.Features.Active), double.NaN, points);
    }
}
