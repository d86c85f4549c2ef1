using MqttCheck.Predictions;
using MqttCheck.Server.Questions;
using MqttCheck.Shards;

namespace MqttCheck.Server.Answers.Changes;

/// <summary>
/// Makes changes of the first scenario one at a time. Both sides have the same random numbers, as in 'mqttcheck diff'.
/// </summary>
internal static class SensitivityAnalysis
{
    /// <summary>The name of the event that holds <see cref="Sensitivities"/>.</summary>
    public const string Event = "sensitivities";

    private const int Replications = 500;

    /// <summary>Simulates every change.</summary>
    /// <param name="report">Is given each event: its name and what it holds.</param>
    /// <exception cref="InputException">The scenario itself cannot be simulated.</exception>
    public static void Run(
        Question question,
        IShardRunner? runner,
        Action<string, object> report,
        CancellationToken cancellation
    )
    {
        var first = question.Scenarios[0];
        // Pairs have as many replications on both sides.
        var replications = Refinement.Bounded(Replications, first.Clients);
        var before = Simulate(first);
        var threshold = question.Threshold ?? new(ThresholdChooser.Informative(before.Prediction));
        var tried = new List<Sensitivity>();
        foreach (var change in ProfileChange.All)
        {
            tried.Add(Of(change));
            var isFinal = tried.Count == ProfileChange.All.Count;
            report(Event, new Sensitivities(question.Request, isFinal, before.Level, ChangeRanking.Ranked(tried)));
        }

        Sensitivity Of(ProfileChange change)
        {
            try
            {
                if (change.Apply(first) is not { } changed)
                    return Sensitivity.Unknown(change.Name, "there is nothing to change");
                var after = Simulate(changed);
                return ChangeRanking.Of(
                    change.Name,
                    PairedDifference.Of(before, after, threshold.Milliseconds, ProfileChange.All.Count),
                    after.Prediction.SortedWorstMilliseconds.SequenceEqual(before.Prediction.SortedWorstMilliseconds)
                );
            }
            catch (InputException unknown)
            {
                return Sensitivity.Unknown(change.Name, unknown.Message);
            }
        }

        Forecast Simulate(WhatIfScenario scenario) =>
            new ScenarioForecast(scenario, question, runner).Simulate(replications, cancellation);
    }
}
