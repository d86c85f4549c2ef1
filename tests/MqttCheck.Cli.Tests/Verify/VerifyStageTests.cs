using MqttCheck.Cli.Verify;
using MqttCheck.Predictions;
using MqttCheck.Statistics;

namespace MqttCheck.Cli.Tests.Verify;

[TestFixture]
internal sealed class VerifyStageTests
{
    private static readonly Interval Narrow = new(.8, .9),
        Wide = new(.45, 1);

    [Test]
    public void Each_profile_is_verified_with_its_most_clients_at_its_most_informative_threshold()
    {
        var chosen = VerifyStage.Choose(Predicted(Narrow), [], all: false);
        Assert.That(
            chosen.Points.Select(point => (point.Profile, point.Clients, point.ThresholdMilliseconds)),
            Is.EqualTo(new[] { ("up1", 200, 20.0), ("up2", 100, 20.0) })
        );
        Assert.That(chosen.Notes, Is.Empty);
    }

    [Test]
    public void Fewer_clients_are_verified_where_the_predictions_for_the_most_are_too_vague_to_be_confirmed_and_a_note_says_so()
    {
        var chosen = VerifyStage.Choose(Predicted(Wide), [], all: true);
        Assert.That(
            chosen.Points.Select(point => (point.Profile, point.Clients)),
            Is.EqualTo(new[] { ("up1", 100), ("up1", 100), ("up2", 100) })
        );
        Assert.That(
            chosen.Notes.Single(),
            Does.StartWith("up1 with 200 clients is not verified")
                .And.Contain("[0.450, 1.000]")
                .And.Contain("--verify-clients")
        );
    }

    [Test]
    public void Client_counts_that_are_asked_for_are_verified_however_vague()
    {
        var chosen = VerifyStage.Choose(Predicted(Wide), [200], all: false);
        Assert.That(chosen.Points.Select(point => (point.Profile, point.Clients)), Is.EqualTo(new[] { ("up1", 200) }));
        Assert.That(chosen.Notes, Is.Empty);
    }

    [Test]
    public void Where_all_is_vague_the_most_clients_are_verified()
    {
        var vague = Predicted(Wide) with
        {
            Points = [.. Predicted(Wide).Points.Select(point => point with { Interval = Wide })],
        };
        Assert.That(
            VerifyStage.Choose(vague, [], all: false).Points.Select(point => point.Clients),
            Is.EqualTo(new[] { 200, 100 })
        );
    }

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
