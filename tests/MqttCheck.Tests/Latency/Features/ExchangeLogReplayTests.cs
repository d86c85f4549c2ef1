using MqttCheck.Latency.Features;
using MqttCheck.Profiles;
using MqttCheck.Statistics;
using MqttCheck.Tests.Logs;

namespace MqttCheck.Tests.Latency.Features;

public sealed class ExchangeLogReplayTests
{
    [Test]
    public void Replayed_features_are_those_of_the_live_run(
        [Values("up1", "up2", "population")] string profile,
        [Values(1, 40)] int clients
    )
    {
        var (exchanges, live) = SyntheticRun.Exchanges(
            7,
            0,
            clients,
            ProfileFile.Read(profile),
            clients == 1 ? 60_000 : 4000,
            Latency
        );
        Assert.That(exchanges, Has.Length.GreaterThan(20));

        var replayed = ExchangeLogReplay.Features(exchanges.AsSpan());

        for (var i = 0; i < live.Length; i++)
            AssertEqual(replayed[i], live[i]);
    }

    [Test]
    public void Order_in_the_file_does_not_matter()
    {
        var (exchanges, live) = SyntheticRun.Exchanges(3, 0, 25, ProfileFile.Read("up2"), 2000, Latency);
        var order = Enumerable.Range(0, exchanges.Length).OrderBy(i => i * 7919 % exchanges.Length).ToArray();

        var replayed = ExchangeLogReplay.Features(order.Select(i => exchanges[i]).ToArray());

        for (var i = 0; i < order.Length; i++)
            AssertEqual(replayed[i], live[order[i]]);
    }

    [Test]
    public void Exchanges_of_zero_length_are_closed_after_they_were_opened()
    {
        var (exchanges, live) = SyntheticRun.Exchanges(
            3,
            0,
            5,
            ProfileFile.Read("up2"),
            2000,
            (in ExchangeFeatures _, ref RandomStream _) => 0
        );

        var replayed = ExchangeLogReplay.Features(exchanges.AsSpan());

        Assert.That(replayed.Select(features => features.Active), Is.EqualTo(live.Select(features => features.Active)));
    }

    [Test]
    public void Empty_run_has_no_features() => Assert.That(ExchangeLogReplay.Features([]), Is.Empty);

    // One exchange in fifty fails, half of them by a lost connection.
    private static double Latency(in ExchangeFeatures features, ref RandomStream random)
    {
        var milliseconds = 0.2 + 3 * random.NextDouble() + 0.3 * features.Active;
        return random.NextInt(50) == 0 ? -milliseconds : milliseconds;
    }

    private static void AssertEqual(in ExchangeFeatures actual, in ExchangeFeatures expected)
    {
        Assert.That(
            (
                actual.Kind,
                actual.Active,
                actual.OpenDeliveries,
                actual.Online,
                actual.TotalSubscriptions,
                actual.Subscribers,
                actual.Withheld,
                actual.RecentActivity
            ),
            Is.EqualTo(
                (
                    expected.Kind,
                    expected.Active,
                    expected.OpenDeliveries,
                    expected.Online,
                    expected.TotalSubscriptions,
                    expected.Subscribers,
                    expected.Withheld,
                    expected.RecentActivity
                )
            )
        );
        for (var kind = 0; kind < 5; kind++)
            Assert.That(actual.Open[kind], Is.EqualTo(expected.Open[kind]));
    }
}
