using MqttCheck.Predictions;
using MqttCheck.Properties;
using MqttCheck.Properties.Traces;
using MqttCheck.Server.Questions;
using MqttCheck.Shards;
using static System.FormattableString;

namespace MqttCheck.Server.Answers;

/// <summary>Searches for the largest fleet of the first scenario, as 'mqttcheck largest-fleet' does.</summary>
internal static class LargestFleetSearch
{
    /// <summary>The name of the event that holds a <see cref="LargestFleet"/>.</summary>
    public const string Event = "largestFleet";

    /// <summary>The largest number of clients considered, as the command's default.</summary>
    public const int MostClients = 1000;

    /// <summary>The most replications of one number of clients.</summary>
    public const int Replications = 500;

    private const int Coarse = 16;

    /// <summary>Searches.</summary>
    /// <param name="report">Is given each event: its name and what it holds.</param>
    /// <exception cref="InputException">The model has never seen a kind of message that the clients send.</exception>
    public static void Run(
        Question question,
        IShardRunner? runner,
        Action<string, object> report,
        CancellationToken cancellation
    )
    {
        var scenario = question.Scenarios[0];
        var threshold =
            question.Threshold
            ?? new(
                ThresholdChooser.Informative(
                    new ScenarioForecast(scenario, question, runner).Simulate(Coarse, cancellation).Prediction
                )
            );
        var text = PropertyOf(question, threshold);
        var limit = FleetLimitSearch.Predict(
            TraceProperty.Parse(text),
            scenario.Model.Learned,
            scenario.Population,
            1,
            MostClients,
            new()
            {
                Seed = question.Seed,
                LargestReplications = Replications,
                Beyond = question.Beyond,
                Runner = runner,
            },
            test => report(Event, Partly(question.Request, text, test)),
            cancellation
        );
        cancellation.ThrowIfCancellationRequested();
        report(
            Event,
            new LargestFleet(
                question.Request,
                true,
                text,
                $"{text} {limit.Describe(1, MostClients)}; {limit.Promise}.",
                limit.Holds,
                limit.Notes
            )
        );
    }

    private static LargestFleet Partly(long request, string property, FleetLimitTest test) =>
        new(
            request,
            false,
            property,
            Invariant($"{test.Clients} clients: ")
                + test.Holds switch
                {
                    true => "holds.",
                    false => "does not hold.",
                    _ => "not decided.",
                },
            null,
            []
        );

    /// <summary>The property that a question asks the largest fleet for.</summary>
    public static string PropertyOf(Question question, Threshold threshold)
    {
        var messages = question.Scenarios[0].Population.Groups.Max(group => group.Profile.SequenceLength);
        return Invariant($"P>={question.WantedProbability}[ G<={messages}msg latency < {threshold.Option} ]");
    }
}
