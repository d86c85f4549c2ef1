using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Statistics.Laws;
using MqttCheck.Verification.Planning;

namespace MqttCheck.Tests.Verification.Planning;

[TestFixture]
internal sealed class RunTimeTests
{
    // By hand: ten waits of 250 ms and twelve exchanges that take half of the median 40 ms each.
    [Test]
    public void A_sequence_takes_its_waits_and_half_of_the_worst_latency_an_exchange() =>
        Assert.That(Seconds(Of("up1", Profile(250)), 50), Is.EqualTo((10 * 250 + 12 * 20) / 1000.0).Within(1e-9));

    [Test]
    public void The_setup_is_that_of_profile_and_number_of_clients()
    {
        var population = Of("up1", Profile(250));
        using var _ = Assert.EnterMultipleScope();
        Assert.That(Seconds(population, 100), Is.EqualTo(2.5 + 12 * .1).Within(1e-9));
        Assert.That(Seconds(Of("up2", Profile(250)), 100), Is.EqualTo(2.5 + 12 * .3).Within(1e-9));
    }

    [Test]
    public void The_slowest_group_counts()
    {
        var population = Of("up1", Profile(250), Profile(1000), Profile(500));
        Assert.That(Seconds(population, 50), Is.EqualTo(10 + 12 * .02).Within(1e-9));
    }

    [Test]
    public void The_least_time_of_a_sequence_is_the_waits_of_the_slowest_group() =>
        Assert.That(
            RunTime.LeastSequenceSeconds(Of("up1", Profile(250), Profile(1000), Profile(500))),
            Is.EqualTo(10).Within(1e-12)
        );

    [Test]
    public void Clients_connect_within_the_ramp_up() =>
        Assert.That(
            RunTime.RampUpSeconds(Population.Of(Profile(250) with { RampUpSeconds = 60 }), 10),
            Is.EqualTo(60).Within(10)
        );

    private static double Seconds(Population population, int clients)
    {
        var prediction = new Prediction
        {
            Model = new("m.json", new string('0', 64), "binned-quantiles", "embedded"),
            Options = new PredictionOptions(),
            Populations = [population],
            Setups =
            [
                Setup("other", 50, [500, 700]),
                Setup("up1", 50, [10, 40, 90]),
                Setup("up1", 100, [10, 200, 900]),
                Setup("up2", 100, [10, 600, 900]),
            ],
            Points = [],
        };
        return RunTime.SequenceSeconds(prediction, population, clients);
    }

    private static PredictedSetup Setup(string profile, int clients, double[] worst) =>
        new()
        {
            Profile = profile,
            Clients = clients,
            Replications = 1,
            Sequences = 1,
            Exchanges = 1,
            MeanActive = 1,
            MaximumActive = 1,
            WorstMilliseconds = worst,
        };

    private static UsageProfile Profile(double wait) =>
        new()
        {
            Name = "p",
            WaitMilliseconds = new ConstantLaw(wait),
            Weights = new MessageWeights(1, 1, 5, 3, 2),
            SequenceLength = 10,
        };

    private static Population Of(string name, params UsageProfile[] profiles) =>
        Population.Of(profiles[0]) with
        {
            Name = name,
            Groups = [.. profiles.Select((profile, i) => new ClientGroup($"g{i}", 1.0 / profiles.Length, profile))],
        };
}
