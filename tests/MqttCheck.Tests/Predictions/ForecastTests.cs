using MqttCheck.Latency.Quality;
using MqttCheck.Predictions;

namespace MqttCheck.Tests.Predictions;

public sealed class ForecastTests
{
    // At most 1 - 1.25 / (n + 1) can be stated: 6, 12, 24 and 124 cases are just enough for .8, .9, .95 and .99.
    [TestCase(.95, 0, .5)]
    [TestCase(.95, 5, .5)]
    [TestCase(.95, 6, .8)]
    [TestCase(.95, 11, .8)]
    [TestCase(.95, 12, .9)]
    [TestCase(.95, 15, .9)]
    [TestCase(.95, 23, .9)]
    [TestCase(.95, 24, .95)]
    [TestCase(.99, 15, .9)]
    [TestCase(.99, 123, .95)]
    [TestCase(.99, 124, .99)]
    [TestCase(.92, 15, .92)]
    [TestCase(.93, 15, .9)]
    [TestCase(.4, 3, .4)]
    public void Level_is_what_was_asked_for_or_the_next_that_the_cases_support(
        double asked,
        int cases,
        double expected
    ) =>
        Assert.That(
            Forecast.LevelOf(asked, new(0, [.. Enumerable.Repeat(new ReplayedCase(1, 1, 1, 1, []), cases)])),
            Is.EqualTo(expected)
        );

    [Test]
    public void Intervals_of_the_simulation_alone_have_the_level_that_was_asked_for() =>
        Assert.That(Forecast.LevelOf(.99, null), Is.EqualTo(.99));
}
