using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Tests.Simulation;

namespace MqttCheck.Tests.Predictions;

[TestFixture]
public sealed class PredictionDifferenceTests
{
    private static Prediction Of(params (string Profile, int Clients, double Threshold, double Probability)[] points) =>
        new()
        {
            Model = new("m.json", "00", "kind", "broker"),
            Options = new(),
            Populations =
            [
                .. points
                    .Select(point => point.Profile)
                    .Distinct()
                    .Select(name => Population.Of(TestProfiles.Up1 with { Name = name })),
            ],
            Setups =
            [
                .. points
                    .Select(point => (point.Profile, point.Clients))
                    .Distinct()
                    .Select(setup => new PredictedSetup
                    {
                        Profile = setup.Profile,
                        Clients = setup.Clients,
                        Replications = 10,
                        Sequences = 10,
                        Exchanges = 100,
                        MeanActive = 1,
                        MaximumActive = 2,
                        WorstMilliseconds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
                    }),
            ],
            Points =
            [
                .. points.Select(point => new PredictedPoint(
                    point.Profile,
                    point.Clients,
                    point.Threshold,
                    point.Probability,
                    new(point.Probability - .03, point.Probability + .04)
                )),
            ],
        };

    // The lower edge has what the second may be less, .03, and the first more, .04; the root of both squares is .05.
    [Test]
    public void The_difference_has_the_errors_of_both()
    {
        var difference = PredictionDifference.Between(Of(("a", 10, 5, .8)), Of(("a", 10, 5, .9))).Single();
        Assert.That(
            (difference.Difference, difference.Interval!.Lower, difference.Interval.Upper),
            Is.EqualTo((.1, .05, .15)).Within(1e-12)
        );
    }

    [Test]
    public void A_threshold_of_one_alone_is_read_from_the_simulation_of_the_other_and_has_no_interval()
    {
        var difference = PredictionDifference.Between(Of(("a", 10, 4.5, .8)), Of(("a", 10, 6, .9)));
        Assert.That(
            difference.Select(one => (one.ThresholdMilliseconds, one.FirstProbability, one.SecondProbability)),
            Is.EqualTo([(4.5, .8, .4), (6, .5, .9)])
        );
        Assert.That(difference, Has.All.Property("Interval").Null);
    }

    [Test]
    public void Setups_of_other_names_and_numbers_are_compared_in_order()
    {
        var difference = PredictionDifference.Between(
            Of(("a", 10, 5, .8), ("a", 20, 5, .7)),
            Of(("b", 30, 5, .6), ("a", 10, 5, .8))
        );
        Assert.That(
            difference.Select(one => (one.First.Profile, one.First.Clients, one.Second.Profile, one.Second.Clients)),
            Is.EqualTo([("a", 10, "a", 10), ("a", 20, "b", 30)])
        );
        Assert.That(
            () => PredictionDifference.Between(Of(("a", 10, 5, .8)), Of(("b", 1, 5, .8), ("b", 2, 5, .8))),
            Throws.InstanceOf<InputException>().With.Message.Contains("no setup in common")
        );
    }
}
