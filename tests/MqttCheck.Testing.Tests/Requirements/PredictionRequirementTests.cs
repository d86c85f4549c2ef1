using MqttCheck.Brokers.Embedded;
using MqttCheck.Predictions;
using MqttCheck.Profiles;

namespace MqttCheck.Testing.Tests.Requirements;

[TestFixture, NonParallelizable]
public sealed class PredictionRequirementTests
{
    // A prediction that all is in time within 5 s holds on any machine; that hardly anything is does not.
    [TestCase(.99, true)]
    [TestCase(.3, false)]
    [Category("Whole")]
    public async Task A_prediction_is_tested_on_both_sides(double predicted, bool holds)
    {
        await using var broker = EmbeddedBroker.Start(new());
        var measurement = new FleetMeasurement(
            broker,
            Population.Of(QuickProfile.Create()),
            30,
            new(),
            CancellationToken.None
        )
        {
            IsValid = _ => true,
        };
        var result = Requirement.Prediction(Predicted(predicted)).Decide(measurement);
        Assert.That(result.IsMet, Is.EqualTo(holds));
        if (holds)
            return;
        Assert.That(result.Message, Does.Contain("better than the predicted 0.300: "));
    }

    [Test]
    public async Task A_setup_that_was_not_predicted_is_named_with_what_was()
    {
        await using var broker = EmbeddedBroker.Start(new());
        var measurement = new FleetMeasurement(
            broker,
            Population.Of(QuickProfile.Create()),
            31,
            new(),
            CancellationToken.None
        );
        Assert.That(
            () => Requirement.Prediction(Predicted(.9)).Decide(measurement),
            Throws
                .TypeOf<InputException>()
                .With.Message.Contains(
                    "there is no point for 31 clients of profile quick on embedded; "
                        + "allowed: quick with 30 clients below 5000 ms"
                )
        );
        Assert.That(() => Requirement.Prediction("missing.json"), Throws.TypeOf<InputException>());
    }

    private static Prediction Predicted(double probability)
    {
        var population = Population.Of(QuickProfile.Create());
        return new()
        {
            Model = new("model.json", new string('0', 64), "binned-quantiles", "embedded"),
            Options = new(),
            Populations = [population],
            Setups = [],
            Points =
            [
                new(population.Name, 30, 5000, probability, new(probability - .01, Math.Min(1, probability + .01))),
            ],
        };
    }
}
