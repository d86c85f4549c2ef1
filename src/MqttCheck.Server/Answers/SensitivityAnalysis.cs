using MqttCheck.Predictions;
using MqttCheck.Server.Answers.Charts;
using MqttCheck.Server.Questions;
using MqttCheck.Shards;

namespace MqttCheck.Server.Answers;

/// <summary>
/// Makes changes of the first scenario one at a time. The intervals are of the simulation alone: the model's own error
/// is largely the same on both sides.
/// </summary>
internal static class SensitivityAnalysis
{
    /// <summary>The name of the event that holds a <see cref="Sensitivity"/>.</summary>
    public const string Event = "sensitivity";

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
        var before = Simulate(first);
        var threshold = question.Threshold ?? new(ThresholdChooser.Informative(before));
        var (probability, interval) = (
            before.Probability(threshold.Milliseconds),
            before.Interval(threshold.Milliseconds)
        );
        var known = new List<Sensitivity>();
        foreach (var change in ProfileChange.All)
        {
            known.Add(Of(change));
            report(Event, known[^1] with { Chart = AnswerCharts.Changes(known) });
        }

        Sensitivity Of(ProfileChange change)
        {
            try
            {
                if (change.Apply(first) is not { } changed)
                    return new(question.Request, change.Name, null, null, null, "there is nothing to change");
                var after = Simulate(changed);
                if (after.SortedWorstMilliseconds.SequenceEqual(before.SortedWorstMilliseconds))
                    return new(question.Request, change.Name, 0, 0, 0, "this model does not depend on it");
                var other = after.Probability(threshold.Milliseconds);
                var difference = PredictionDifference.IntervalOf(
                    probability,
                    interval,
                    other,
                    after.Interval(threshold.Milliseconds)
                );
                return new(question.Request, change.Name, other - probability, difference.Lower, difference.Upper, "");
            }
            catch (InputException unknown)
            {
                return new(question.Request, change.Name, null, null, null, unknown.Message);
            }
        }

        SetupPrediction Simulate(WhatIfScenario scenario) =>
            new ScenarioForecast(scenario, question.Seed, runner)
                .Simulate(Refinement.Bounded(Replications, scenario.Clients), cancellation)
                .Prediction;
    }
}
