using MqttCheck.Latency.Quality;

namespace MqttCheck.Tests.Latency.Quality;

/// <summary>How much replayed cases say about a load, a threshold, and one of themselves.</summary>
public sealed class ReplayRelevanceTests
{
    // A factor of 3 in the other open exchanges and .1 makes half: 1 + (3 (.9 + .1) - .1) = 3.9 beside 1.9.
    [Test]
    public void Case_counts_once_at_its_nearest_thresholds_half_at_three_times_the_load_and_a_share_of_one_anyway()
    {
        var relevance = new ReplayRelevance([Case(1.9, 8), Case(3.9, 8, 8)], 8);
        Assert.That(relevance.Weights(1.9), Is.EqualTo([1 + .5, (.5 + .5) / 2, (.5 + .5) / 2]).Within(1e-12));
    }

    [Test]
    public void Case_counts_for_itself_as_much_as_the_others_do_in_the_mean()
    {
        var relevance = new ReplayRelevance([Case(1.9, 8), Case(1.9, 8), Case(3.9, 8)], 8);
        Assert.That(relevance.WeightsFor(0), Is.EqualTo([.75 + 1 / 3.0, 1 + 1 / 3.0, .5 + 1 / 3.0]).Within(1e-12));
    }

    [Test]
    public void Case_without_a_threshold_above_the_resolution_says_nothing_where_others_have_one()
    {
        var relevance = new ReplayRelevance([Case(1.9, .1), Case(1.9, .1, 8, 40)], 10);
        Assert.That((relevance.Points.Count, relevance.Nearest.Single().ThresholdMilliseconds), Is.EqualTo((2, 8)));
    }

    private static ReplayedCase Case(double meanActive, params double[] thresholds) =>
        new(
            10,
            100,
            meanActive,
            meanActive,
            [.. thresholds.Select(threshold => new ReplayedPoint(threshold, .8, .05, .03))]
        );
}
