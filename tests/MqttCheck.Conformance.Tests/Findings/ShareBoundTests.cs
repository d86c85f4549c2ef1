using MathNet.Numerics.Distributions;
using MqttCheck.Broker.Core;
using MqttCheck.Conformance.Checking;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Tests.Checking;
using MqttCheck.Protocol;
using MqttCheck.Statistics;

namespace MqttCheck.Conformance.Tests.Findings;

internal sealed class ShareBoundTests
{
    private const int Most = 20;

    // Repeating ends after five runs that all show it, and after twenty. Each true share is at or above the bound with
    // a probability of 95 % or more: all outcomes are summed.
    [Test]
    public void The_share_is_at_or_above_the_bound_with_95_percent_confidence()
    {
        for (var share = .005; share < 1; share += .005)
        {
            var wrong = ShareBound.Lower(5, 5) > share ? Math.Pow(share, 5) : 0;
            for (var first = 0; first < 5; first++)
            for (var later = 0; later <= Most - 5; later++)
                if (ShareBound.Lower(first + later, Most) > share)
                    wrong += Binomial.PMF(share, 5, first) * Binomial.PMF(share, Most - 5, later);
            Assert.That(wrong, Is.LessThanOrEqualTo(.05 + 1e-6), $"{share}");
        }
    }

    // Where nothing can end early, it is the bound of Clopper and Pearson.
    [TestCase(5, 5)]
    [TestCase(3, 5)]
    [TestCase(10, 10)]
    [TestCase(0, 20)]
    public void It_is_the_bound_of_Clopper_and_Pearson_for_a_number_that_is_fixed(int hits, int replays) =>
        Assert.That(
            ShareBound.Lower(hits, replays),
            Is.EqualTo(BinomialIntervals.LowerBound(hits, replays, .05)).Within(1e-6)
        );

    [Test]
    public void More_hits_have_a_higher_bound()
    {
        var bounds = Enumerable.Range(0, Most).Select(hits => ShareBound.Lower(hits, Most)).ToArray();
        Assert.That(bounds, Is.Ordered);
        Assert.That(bounds[^1], Is.LessThanOrEqualTo(ShareBound.Lower(5, 5)));
    }
}
