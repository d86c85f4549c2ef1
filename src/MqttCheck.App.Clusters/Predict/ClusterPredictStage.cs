using MqttCheck.App.Progress;
using MqttCheck.ClusterProtocols.Predicting;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Shards;
using MqttCheck.Statistics.Laws;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.App.Clusters.Predict;

/// <summary>The stage from topologies to properties of their simulated runs.</summary>
internal static class ClusterPredictStage
{
    /// <summary>The largest probability of a wrong decision or interval, where none is asked for.</summary>
    public const double UsualError = .01;

    /// <summary>How far from a compared probability a decision must be right, where nothing is asked for.</summary>
    public const double UsualIndifference = .05;

    // A few messages that a fault cuts off are no remark.
    private const double NotableShare = .01;

    private const int ReportedEvery = 16;

    /// <summary>Simulates one topology after the other.</summary>
    /// <param name="planned">The predictions with their names.</param>
    /// <param name="workers">Who simulates and shows the progress; null for the threads of this process.</param>
    /// <param name="most">The most replications of each.</param>
    /// <returns>Those that were simulated; after an interruption, those until then.</returns>
    public static async Task<IReadOnlyList<(string Label, ClusterPrediction Prediction)>> RunAsync(
        Workplace place,
        IReadOnlyList<(string Label, ClusterPrediction Prediction)> planned,
        IShardRunner? workers,
        int most
    )
    {
        var made = new List<(string, ClusterPrediction)>();
        foreach (var (label, prediction) in planned)
        {
            if (workers is not null)
                Simulate(workers, (_, _) => { });
            else
                await place.Progress.ProgressAsync(
                    $"predict {label}",
                    report => Task.Run(() => Simulate(new LocalShardRunner(Environment.ProcessorCount), report))
                );
            made.Add((label, prediction));
            if (place.Orderly.IsCancellationRequested)
                break;

            bool Simulate(IShardRunner runner, Action<double, string> report)
            {
                try
                {
                    prediction.Run(
                        runner,
                        most,
                        done =>
                        {
                            if (done % ReportedEvery == 0)
                                report((double)done / most, Invariant($"{done} replications"));
                        },
                        place.Orderly
                    );
                }
                catch (OperationCanceledException) when (place.Orderly.IsCancellationRequested)
                {
                    // The replications until then give the answers.
                }
                return true;
            }
        }
        return made;
    }

    /// <summary>The promise of all answers, in sentences.</summary>
    /// <param name="error">The stated error of each.</param>
    /// <param name="predictions">The predictions that give the answers.</param>
    public static string Promise(double error, IEnumerable<ClusterPrediction> predictions) =>
        "Simulated. Times are milliseconds. "
        + ClusterText.Promise(
            error,
            "Each answer is",
            [
                .. predictions
                    .SelectMany(prediction => prediction.Tests)
                    .Where(test => test.Property.IsOfMean)
                    .Select(test => test.Answer.Kind),
            ]
        );

    /// <summary>The promise of the interval of each mean, in sentences.</summary>
    public static IEnumerable<string> Reasons(IEnumerable<(string Label, ClusterPrediction Prediction)> made) =>
        made.SelectMany(one =>
            one.Prediction.Tests.Where(test => test.Property.IsOfMean)
                .Select(test => $"{one.Label}: {test.Property}: {test.Answer.Reason}.")
        );

    /// <summary>
    /// The predictions whose runs end with messages under way, each in a sentence: neither lost nor delivered.
    /// </summary>
    public static IEnumerable<string> Undelivered(IEnumerable<(string Label, ClusterPrediction Prediction)> made) =>
        made.Where(one => one.Prediction.UndeliveredShare >= NotableShare)
            .Select(one =>
                Invariant($"{one.Label}: {100 * one.Prediction.UndeliveredShare:0.#} % of the deliveries had not come ")
                + "when runs ended. 'lost' does not count them, as nobody had acknowledged them; "
                + "'undelivered at the end' does."
            );

    /// <summary>
    /// The plans whose answers mislead, each in a sentence: links that take no time, runs too short for a repair.
    /// </summary>
    public static IEnumerable<string> Remarks(IEnumerable<(string Label, Topology Topology)> variants) =>
        Timeless(variants)
            .Concat(
                variants.SelectMany(one =>
                    RepairRoom.Findings(one.Topology, ClusterProperty.Parse(one.Topology.Scenario.Properties))
                )
            )
            .Distinct();

    private static IEnumerable<string> Timeless(IEnumerable<(string Label, Topology Topology)> variants) =>
        variants
            .Where(one => one.Topology.Links.All(link => link.DelayMilliseconds is ConstantLaw { Value: 0 }))
            .Select(one =>
                $"{one.Label}: no link has a delay, so times leave the network out. A file gives links delays."
            );

    /// <summary>The conclusion: a statement decides, an estimate does not, and no monitor may be violated.</summary>
    public static Conclusion Conclude(IEnumerable<ClusterPrediction> predictions) =>
        Conclusions.Gravest(
            predictions.SelectMany(prediction =>
                prediction
                    .Tests.Select(test => (test.Property.IsDecision, test.Answer.Holds))
                    .Select(test => Conclusions.Of(test.IsDecision ? test.Holds : test.Holds ?? true))
                    .Append(Conclusions.Of(prediction.Violations.Count == 0))
            )
        );
}
