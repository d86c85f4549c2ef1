using System.Text;
using MqttCheck.Predictions;
using MqttCheck.Server.Answers.Changes;
using MqttCheck.Server.Questions;
using MqttCheck.Statistics;

namespace MqttCheck.Server.Tests.Answers.Changes;

/// <summary>The page says the same of a change as a comparison of two predictions.</summary>
[TestFixture]
internal sealed class SensitivityAnalysisTests
{
    private const double Threshold = 12;

    private static readonly Question s_question = Read();

    // Five changes are tried, so each interval has a fifth of the error.
    [Test]
    public void A_change_is_compared_with_common_random_numbers_at_the_level_of_all_changes()
    {
        var last = Last();
        var before = Simulate(s_question.Scenarios[0]);
        Assert.That((last.IsFinal, last.Level), Is.EqualTo((true, before.Level)));
        foreach (var change in ProfileChange.All)
        {
            var shown = last.Changes.Single(one => one.Change == change.Name);
            if (shown.Difference is null)
                continue;
            var after = Simulate(change.Apply(s_question.Scenarios[0])!);
            var alone = PairedDifference.Of(before, after, Threshold);
            var paired = PairedDifference.Of(before, after, Threshold, ProfileChange.All.Count);
            Assert.That(
                (shown.Difference, shown.Lower, shown.Upper, shown.InModelLower, shown.InModelUpper),
                Is.EqualTo(
                    (
                        paired.Difference,
                        paired.OnBroker!.Lower,
                        paired.OnBroker.Upper,
                        paired.InModel.Lower,
                        paired.InModel.Upper
                    )
                ),
                change.Name
            );
            Assert.That(paired.InModel.Lower, Is.LessThan(alone.InModel.Lower));
            Assert.That(paired.OnBroker.Lower, Is.LessThan(alone.OnBroker!.Lower));
        }
    }

    private static Sensitivities Last()
    {
        var events = new List<object>();
        SensitivityAnalysis.Run(s_question, null, (_, value) => events.Add(value), CancellationToken.None);
        return (Sensitivities)events[^1];
    }

    private static Forecast Simulate(WhatIfScenario scenario) =>
        Forecast.Of(
            scenario.Model.Learned,
            scenario.Population,
            scenario.Clients,
            new() { Seed = SeedPurpose.Predict.Seed(s_question.Seed), Replications = 500 }
        );

    private static Question Read()
    {
        var models = new ModelShelf();
        models.Add(RepositoryFiles.Model);
        return new QuestionReader(models).Read(
            Encoding.UTF8.GetBytes(TestServer.Question(clients: 40, threshold: Threshold))
        );
    }
}
