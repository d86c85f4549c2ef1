using MqttCheck.Comparison;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Tests.Comparison;

[TestFixture]
internal sealed class TwoSampleJudgementTests
{
    private static readonly TwoSampleResult s_faster = new()
    {
        Options = new(),
        Verdict = TwoSampleVerdict.FirstFaster,
        First = [],
        Second = [],
        IsPaired = true,
        Difference = .2,
        StandardError = .01,
        Interval = new(.1, .3),
        VerdictInterval = new(.1, .3),
        Reason = "The first is faster.",
    };

    [Test]
    public void A_difference_between_runs_that_cannot_be_used_is_taken_back_and_still_told()
    {
        var judged = s_faster.Judged("2 of 4 runs are invalid.");
        Assert.That(
            (judged.Verdict, judged.Reason),
            Is.EqualTo(
                (TwoSampleVerdict.Withheld, "2 of 4 runs are invalid. Otherwise it would be: The first is faster.")
            )
        );
        Assert.That(s_faster.Judged(null), Is.SameAs(s_faster));
    }

    [TestCase(new[] { TwoSampleVerdict.NoDifference }, false, Conclusion.Success)]
    [TestCase(new[] { TwoSampleVerdict.Withheld, TwoSampleVerdict.SecondFaster }, false, Conclusion.Refuted)]
    [TestCase(new[] { TwoSampleVerdict.NoDifference, TwoSampleVerdict.Withheld }, false, Conclusion.Withheld)]
    [TestCase(new TwoSampleVerdict[0], false, Conclusion.Withheld)]
    [TestCase(new[] { TwoSampleVerdict.FirstFaster }, true, Conclusion.Interrupted)]
    public void A_difference_outweighs_a_missing_verdict(
        TwoSampleVerdict[] verdicts,
        bool interrupted,
        Conclusion expected
    ) => Assert.That(TwoSampleJudgement.Conclude(verdicts, interrupted), Is.EqualTo(expected));
}
