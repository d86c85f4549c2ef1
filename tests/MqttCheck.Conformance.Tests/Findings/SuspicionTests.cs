using MqttCheck.Conformance.Findings;

namespace MqttCheck.Conformance.Tests.Findings;

[TestFixture]
internal sealed class SuspicionTests
{
    // The words must not say that something does not come again which nobody repeated, or which came.
    [TestCase(0, 0, "never repeated")]
    [TestCase(0, 10, "in none of 10 repetitions")]
    [TestCase(5, 5, "in 5 of 5 repetitions, and not confirmed")]
    public void It_says_how_it_was_repeated(int hits, int replays, string words) =>
        Assert.That(Suspicion.DescribeRepetitions(hits, replays), Is.EqualTo(words));
}
