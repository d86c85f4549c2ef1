using MqttCheck.Brokers.Embedded;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using NUnit.Framework.Internal;

namespace MqttCheck.NUnit.Tests;

[TestFixture, NonParallelizable]
public sealed class PredictionConstraintTests
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
        var result = Meets.Prediction(Predicted(predicted)).ApplyTo(measurement);
        Assert.That(result.IsSuccess, Is.EqualTo(holds));
        if (holds)
            return;
        using var writer = new TextMessageWriter();
        result.WriteMessageTo(writer);
        Assert.That(writer.ToString(), Does.Contain("better than the predicted 0.300: "));
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
            () => Meets.Prediction(Predicted(.9)).ApplyTo(measurement),
            Throws
                .TypeOf<InputException>()
                .With.Message.Contains(
                    "there is no point for 31 clients of profile quick on embedded; allowed: quick with 30 clients below 5000 ms"
                )
        );
        Assert.That(() => Meets.Prediction("missing.json"), Throws.TypeOf<InputException>());
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
