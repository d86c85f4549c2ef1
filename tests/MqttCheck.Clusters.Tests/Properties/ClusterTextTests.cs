using MqttCheck.Clusters.Properties;
using MqttCheck.Statistics;

namespace MqttCheck.Clusters.Tests.Properties;

/// <summary>What is said of the worth of a verdict or an interval.</summary>
[TestFixture]
internal sealed class ClusterTextTests
{
    [TestCase(true, true, IntervalPromise.Guaranteed, "holds")]
    [TestCase(true, true, IntervalPromise.Approximate, "holds approximately")]
    [TestCase(false, true, IntervalPromise.Approximate, "violated approximately")]
    [TestCase(null, true, IntervalPromise.Approximate, "withheld")]
    [TestCase(null, false, IntervalPromise.Approximate, "estimate")]
    [TestCase(false, true, null, "violated")]
    public void A_verdict_that_rests_on_an_approximate_interval_says_so(
        bool? holds,
        bool isDecision,
        IntervalPromise? kind,
        string word
    ) => Assert.That(ClusterText.Word(holds, isDecision, kind), Is.EqualTo(word));

    [Test]
    public void The_stated_error_is_not_said_of_approximate_answers()
    {
        Assert.That(
            ClusterText.Promise(.05, "Each answer is", []),
            Is.EqualTo("Each answer is wrong with a probability of at most 0.05.")
        );
        Assert.That(
            ClusterText.Promise(.05, "Each answer is", [null, IntervalPromise.Approximate]),
            Does.StartWith(
                "Each answer is wrong with a probability of at most 0.05, but for approximate ones. Approximate "
                    + "intervals of means hold if"
            )
        );
        Assert.That(
            ClusterText.Promise(.05, "Each answer is", [IntervalPromise.Guaranteed]),
            Does.StartWith("Each answer is wrong with a probability of at most 0.05. A guaranteed interval of few runs")
        );
    }
}
