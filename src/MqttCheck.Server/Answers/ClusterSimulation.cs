using System.Text.Json;
using MqttCheck.App.Clusters.Predict;
using MqttCheck.ClusterProtocols.Predicting;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Server.Questions;
using MqttCheck.Shards;
using MqttCheck.Text;
using static System.FormattableString;

namespace MqttCheck.Server.Answers;

/// <summary>Predicts properties of a cluster, as 'mqttcheck cluster predict' does.</summary>
internal static class ClusterSimulation
{
    /// <summary>The name of the event that holds <see cref="ClusterAnswers"/>.</summary>
    public const string Event = "cluster";

    private const int Replications = 200;
    private const int Chunk = 40;

    /// <summary>Simulates every variant; each chunk of replications makes an event.</summary>
    /// <param name="report">Is given each event: its name and what it holds.</param>
    /// <exception cref="InputException">The cluster cannot be simulated.</exception>
    public static void Run(ClusterQuestion question, Action<string, object> report, CancellationToken cancellation)
    {
        ClusterPrediction[] predictions =
        [
            .. question.Variants.Select(variant => new ClusterPrediction(
                variant.Topology,
                ClusterPredictStage.UsualError,
                ClusterPredictStage.UsualIndifference,
                question.Seed,
                HasPairs(question)
            )),
        ];
        // The other processor is left to the other page.
        var runner = new LocalShardRunner(1);
        foreach (var prediction in predictions)
        {
            prediction.Run(
                runner,
                Replications,
                done =>
                {
                    if (done % Chunk == 1)
                        report(Event, AnswerOf(question, predictions, false));
                },
                cancellation
            );
        }
        report(Event, AnswerOf(question, predictions, true));
    }

    // Pairs of several variants would be more than anybody reads.
    private static bool HasPairs(ClusterQuestion question) =>
        question.Vary.Length == 0 && ClientPlaces.Of(question.Variants[0].Topology) is not null;

    private static ClusterAnswers AnswerOf(ClusterQuestion question, ClusterPrediction[] predictions, bool isFinal) =>
        new(
            question.Request,
            isFinal,
            CommandOf(question),
            ClusterPredictStage.Promise(ClusterPredictStage.UsualError, predictions),
            [
                .. ClusterPredictStage.Remarks(Named(question, question.Variants.Select(one => one.Topology))),
                .. ClusterPredictStage.Undelivered(Named(question, predictions)),
                .. ClusterPredictStage.Reasons(Named(question, predictions)),
            ],
            [
                .. predictions.SelectMany(
                    (prediction, variant) =>
                        prediction.Tests.Select(test => RowOf(question.Variants[variant].Label, test.Answer))
                ),
            ],
            ClusterPairs.Of(predictions[0].Pairs)
        );

    // A variant is named by its change, and the only one by its topology.
    private static IEnumerable<(string Label, T One)> Named<T>(ClusterQuestion question, IEnumerable<T> ones) =>
        question.Variants.Zip(
            ones,
            (variant, one) => (variant.Label.Length == 0 ? variant.Topology.Name : variant.Label, one)
        );

    private static ClusterRow RowOf(string label, ClusterAnswer answer) =>
        new(
            label,
            $"{answer.Property}",
            Finite(answer.Estimate),
            Finite(answer.Interval?.Lower),
            Finite(answer.Interval?.Upper),
            answer.Kind is { } kind ? JsonNamingPolicy.CamelCase.ConvertName(kind.ToString()) : null,
            answer.Runs,
            answer.Holds,
            answer.Reason
        );

    private static double? Finite(double? value) => value is { } known && double.IsFinite(known) ? known : null;

    private static string CommandOf(ClusterQuestion question)
    {
        string[] words =
        [
            "mqttcheck",
            "cluster",
            "predict",
            question.Named,
            .. question.Properties.SelectMany(property => (string[])["--property", property]),
            .. question.Faults.SelectMany(fault => (string[])["--fault", fault]),
            .. HasPairs(question) ? (string[])["--pairs"] : [],
            .. question.Vary.Length == 0 ? (string[])[] : ["--vary", question.Vary],
            "--replications",
            Invariant($"{Replications}"),
            "--seed",
            Invariant($"{question.Seed}"),
        ];
        return string.Join(' ', words.Select(ShellWord.Quoted));
    }
}
