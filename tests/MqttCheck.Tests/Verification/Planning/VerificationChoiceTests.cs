using MqttCheck.Predictions;
using MqttCheck.Statistics;
using MqttCheck.Verification.Planning;

namespace MqttCheck.Tests.Verification.Planning;

[TestFixture]
internal sealed class VerificationChoiceTests
{
    private static readonly Interval Narrow = new(.8, .9),
        Wide = new(.45, 1);

    [Test]
    public void Each_profile_is_verified_with_its_most_clients_at_its_most_informative_threshold()
    {
        var chosen = Choose(Predicted(Narrow), [], all: false);
        Assert.That(
            chosen.Points.Select(point => (point.Profile, point.Clients, point.ThresholdMilliseconds)),
            Is.EqualTo(new[] { ("up1", 200, 20.0), ("up2", 100, 20.0) })
        );
        Assert.That(chosen.PassedOver, Is.Empty);
    }

    [Test]
    public void Fewer_clients_are_verified_where_the_predictions_for_the_most_are_too_vague_to_be_confirmed()
    {
        var chosen = Choose(Predicted(Wide), [], all: true);
        Assert.That(
            chosen.Points.Select(point => (point.Profile, point.Clients)),
            Is.EqualTo(new[] { ("up1", 100), ("up1", 100), ("up2", 100) })
        );
        Assert.That(
            chosen.PassedOver.Select(point => (point.Profile, point.Clients, point.ThresholdMilliseconds)),
            Is.EqualTo(new[] { ("up1", 200, 20.0) })
        );
    }

    [Test]
    public void Client_counts_that_are_asked_for_are_verified_however_vague()
    {
        var chosen = Choose(Predicted(Wide), [200], all: false);
        Assert.That(chosen.Points.Select(point => (point.Profile, point.Clients)), Is.EqualTo(new[] { ("up1", 200) }));
        Assert.That(chosen.PassedOver, Is.Empty);
    }

    [Test]
    public void Where_all_is_vague_the_most_clients_are_verified()
    {
        var vague = Predicted(Wide) with
        {
            Points = [.. Predicted(Wide).Points.Select(point => point with { Interval = Wide })],
        };
        Assert.That(
            Choose(vague, [], all: false).Points.Select(point => point.Clients),
            Is.EqualTo(new[] { 200, 100 })
        );
    }

    [Test]
    public void A_client_count_that_is_not_predicted_is_named_with_those_that_are() =>
        Assert.That(
            () => Choose(Predicted(Narrow), [200, 300], all: false),
            Throws
                .TypeOf<InputException>()
                .With.Message.EqualTo("--x: 300 given; allowed: client counts of the prediction, 100,200.")
        );

    [Test]
    public void All_client_counts_that_are_not_predicted_are_named() =>
        Assert.That(
            () => VerificationChoice.RequirePredicted([400, 20, 300], [200, 20, 100, 20], "clients"),
            Throws
                .TypeOf<InputException>()
                .With.Message.EqualTo("clients: 400,300 given; allowed: client counts of the prediction, 20,100,200.")
        );

    private static VerificationChoice Choose(Prediction prediction, IReadOnlyList<int> clients, bool all) =>
        VerificationChoice.Of(prediction, clients, all, "--x");

    private static Prediction Predicted(Interval largest) =>
        new()
        {
            Model = new("m.json", new string('0', 64), "binned-quantiles", "embedded"),
            Options = new PredictionOptions(),
            Populations = [],
            Setups = [],
            Points =
            [
                new("up1", 100, 10, .6, Narrow),
                new("up1", 100, 20, .95, Narrow),
                new("up1", 200, 10, .5, largest),
                new("up1", 200, 20, .84, largest),
                new("up2", 100, 20, .85, Narrow),
            ],
        };
}
