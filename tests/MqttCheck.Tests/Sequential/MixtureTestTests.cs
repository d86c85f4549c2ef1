using MqttCheck.Sequential;

namespace MqttCheck.Tests.Sequential;

public sealed class MixtureTestTests
{
    // By hand: nothing but successes has the evidence 2^n / (n + 1) against .5, which is 16 for 7 and 28.4 for 8.
    [TestCase(7, 7, SprtDecision.Undecided)]
    [TestCase(8, 8, SprtDecision.AcceptH1)]
    [TestCase(0, 7, SprtDecision.Undecided)]
    [TestCase(0, 8, SprtDecision.AcceptH0)]
    [TestCase(0, 0, SprtDecision.Undecided)]
    public void It_decides_where_the_evidence_is_one_over_the_error(int successes, int samples, SprtDecision decision)
    {
        var test = new MixtureTest(.5, 1 / 20.0);
        Assert.That((test.Decide(successes, samples), test.Threshold, test.Error), Is.EqualTo((decision, .5, .05)));
    }

    [TestCase(0, .01, "(0, 1)")]
    [TestCase(1, .01, "(0, 1)")]
    [TestCase(double.NaN, .01, "(0, 1)")]
    [TestCase(.5, 0, "(0, .5)")]
    [TestCase(.5, .5, "(0, .5)")]
    public void Thresholds_and_errors_out_of_range_are_refused(double threshold, double error, string allowed) =>
        Assert.That(
            () => new MixtureTest(threshold, error),
            Throws.InstanceOf<ArgumentOutOfRangeException>().With.Message.Contains("must be in " + allowed)
        );
}
