using MqttCheck.Latency;
using MqttCheck.Predictions;
using MqttCheck.Server.Questions;
using MqttCheck.Shards;
using MqttCheck.Statistics;

namespace MqttCheck.Server.Answers;

/// <summary>A scenario as it is simulated: with the seed, and so the outcomes, of 'mqttcheck predict'.</summary>
/// <param name="scenario">The scenario.</param>
/// <param name="question">The question, with the user's seed.</param>
/// <param name="runner">Who computes; null for the threads of this process.</param>
internal sealed class ScenarioForecast(WhatIfScenario scenario, Question question, IShardRunner? runner)
{
    private static readonly double[] s_shares = [.5, .9, .95, .99];

    // A curve needs more of them, and some where it begins and ends.
    private static readonly double[] s_sharesOfCurve =
    [
        .01,
        .03,
        .06,
        .1,
        .15,
        .2,
        .3,
        .4,
        .5,
        .6,
        .7,
        .8,
        .85,
        .9,
        .94,
        .97,
        .99,
    ];

    /// <summary>The scenario.</summary>
    public WhatIfScenario Scenario => scenario;

    /// <summary>The largest fleet that it may be asked about.</summary>
    public int MostClients =>
        question.Beyond
            ? QuestionReader.MostClients
            : TrainingRange.Border(
                scenario.Model.Learned,
                scenario.Population,
                scenario.Clients,
                Math.Max(scenario.Clients, QuestionReader.MostClients)
            );

    /// <summary>Simulates it.</summary>
    /// <param name="clients">How many clients, where not as many as the scenario has.</param>
    /// <exception cref="InputException">
    /// The model has never seen such clients, and no answer beyond training is wanted; or a simulation did not end.
    /// </exception>
    public Forecast Simulate(int replications, CancellationToken cancellation, int? clients = null) =>
        Forecast.Of(
            scenario.Model.Learned,
            scenario.Population,
            clients ?? scenario.Clients,
            new()
            {
                Seed = SeedPurpose.Predict.Seed(question.Seed),
                Replications = replications,
                Beyond = question.Beyond,
                Runner = runner,
            },
            cancellation
        );

    /// <summary>The answer that a forecast gives at a threshold.</summary>
    public ScenarioAnswer AnswerOf(Forecast forecast, Threshold threshold)
    {
        var point = forecast.Point(threshold.Milliseconds);
        return new()
        {
            Sentence = AnswerSentence.Of(
                scenario.Population,
                point with
                {
                    ThresholdMilliseconds = threshold.Asked,
                },
                forecast.Level
            ),
            Profile = scenario.Population.Name,
            Model = scenario.Model.Name,
            Clients = scenario.Clients,
            Replications = forecast.Prediction.Replications,
            Probability = point.Probability,
            Lower = point.Interval.Lower,
            Upper = point.Interval.Upper,
            Level = forecast.Level,
            Trust = TrustLight.Of(scenario, forecast),
            Quantiles =
            [
                .. s_shares.Select(share => new LatencyQuantile(share, Finite(forecast.Prediction.Quantile(share)))),
            ],
            Thresholds =
            [
                .. s_sharesOfCurve
                    .Select(forecast.Prediction.Quantile)
                    .Where(double.IsFinite)
                    .Distinct()
                    .Select(milliseconds => PlaceOf(forecast, milliseconds)),
            ],
            ProfileSha256 = scenario.Profile.Sha256,
            ModelSha256 = scenario.Model.Sha256,
        };
    }

    private static ThresholdPlace PlaceOf(Forecast forecast, double milliseconds)
    {
        var point = forecast.Point(milliseconds);
        return new(milliseconds, point.Probability, point.Interval.Lower, point.Interval.Upper);
    }

    private static double? Finite(double value) => double.IsFinite(value) ? value : null;
}
