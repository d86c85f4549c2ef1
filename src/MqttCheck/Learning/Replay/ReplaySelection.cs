using MqttCheck.Latency.Quality;
using MqttCheck.Learning.Data;
using MqttCheck.Learning.Learners;

namespace MqttCheck.Learning.Replay;

/// <summary>
/// Judges learners by what they are for: training cases are held out in turn, simulated in closed loop with a model
/// learned from the others, and compared with what the broker did. Scores of single latencies do not rank learners for
/// that: a law that is a little too slow under load raises the load that it is then asked about.
/// </summary>
internal static class ReplaySelection
{
    /// <summary>Learners whose error is within this of the least are about as good as the best.</summary>
    public const double NearTie = 0.02;

    /// <summary>
    /// Learners whose error is within this of the least cannot be told from the best by so few cases: the first in the
    /// order of <see cref="LearnerCatalogue.Candidates"/> is taken.
    /// </summary>
    public const double Indistinguishable = 0.012;

    /// <summary>Fewer cases say too little.</summary>
    public const int FewestCases = 6;

    private const int Folds = 4;

    /// <summary>Judges a learner.</summary>
    /// <param name="data">The training data.</param>
    /// <param name="observed">Its cases that can be replayed.</param>
    /// <param name="learner">The learner.</param>
    /// <param name="seed">The seed.</param>
    /// <returns>The quality; null where there are too few cases.</returns>
    /// <exception cref="InputException">The learner cannot learn from these data.</exception>
    public static ReplayQuality? Judge(TrainingData data, ObservedCase[] observed, ILearner learner, ulong seed)
    {
        if (observed.Length < FewestCases)
            return null;
        var replayed = new ReplayedCase?[observed.Length];
        for (var fold = 0; fold < Folds; fold++)
        {
            var heldOut = observed.Where((_, index) => index % Folds == fold).ToArray();
            var numbers = heldOut.Select(one => one.Number).ToHashSet();
            var training = data.OfRuns(run => !numbers.Contains(run));
            if (training.Rows.Length < TrainingData.FewestExchanges)
                return null;
            var model = learner.Learn(training, seed).Model;
            var seen = training.SeenKinds();
            Parallel.For(
                0,
                heldOut.Length,
                i =>
                {
                    // A case with a kind of message that no other case has says nothing about the learner.
                    if (!heldOut[i].CanBeReplayed(seen))
                        return;
                    replayed[Array.IndexOf(observed, heldOut[i])] = CaseReplay.Of(model, heldOut[i], seed);
                }
            );
        }
        var cases = replayed.OfType<ReplayedCase>().ToArray();
        return cases.Length < FewestCases ? null : ReplayQuality.Of(cases, FewestCases);
    }
}
