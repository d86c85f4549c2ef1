using MqttCheck.Latency.Quality;
using MqttCheck.Predictions;

namespace MqttCheck.Tests.Predictions;

public sealed class ForecastTests
{
    // A further error exceeds the largest of n others with probability 1 / (n + 1): no more than n / (n + 1) can be
    // stated. 9 / 10, 19 / 20 and 99 / 100 are just enough.
    [TestCase(.95, 0, .5)]
    [TestCase(.95, 3, .5)]
    [TestCase(.95, 8, .8)]
    [TestCase(.95, 9, .9)]
    [TestCase(.95, 15, .9)]
    [TestCase(.95, 18, .9)]
    [TestCase(.95, 19, .95)]
    [TestCase(.99, 15, .9)]
    [TestCase(.99, 98, .95)]
    [TestCase(.99, 99, .99)]
    [TestCase(.93, 15, .93)]
    [TestCase(.93, 12, .9)]
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
