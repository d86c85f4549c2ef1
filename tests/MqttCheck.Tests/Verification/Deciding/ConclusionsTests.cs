using MqttCheck.Verification;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Tests.Verification.Deciding;

[TestFixture]
internal sealed class ConclusionsTests
{
    [TestCase(new[] { VerdictKind.Confirmed, VerdictKind.NotWorse }, Conclusion.Success)]
    [TestCase(new[] { VerdictKind.Confirmed, VerdictKind.Worse }, Conclusion.Refuted)]
    [TestCase(new[] { VerdictKind.Better, VerdictKind.Withheld }, Conclusion.Refuted)]
    [TestCase(new[] { VerdictKind.Confirmed, VerdictKind.Withheld }, Conclusion.Withheld)]
    [TestCase(new[] { VerdictKind.Confirmed, VerdictKind.Partial }, Conclusion.Withheld)]
    [TestCase(new VerdictKind[0], Conclusion.Withheld)]
    public void The_worst_verdict_decides(VerdictKind[] verdicts, Conclusion expected) =>
        Assert.That(Conclusions.Of(verdicts, isContradicted: false, isInterrupted: false), Is.EqualTo(expected));

    [TestCase(false, true, Conclusion.Withheld)]
    [TestCase(true, false, Conclusion.Interrupted)]
    [TestCase(true, true, Conclusion.Interrupted)]
    public void An_interruption_outweighs_a_contradiction_and_that_every_verdict(
        bool isInterrupted,
        bool isContradicted,
        Conclusion expected
    ) => Assert.That(Conclusions.Of([VerdictKind.Worse], isContradicted, isInterrupted), Is.EqualTo(expected));

    [TestCase(true, false, Conclusion.Success)]
    [TestCase(false, false, Conclusion.Refuted)]
    [TestCase(null, false, Conclusion.Withheld)]
    [TestCase(true, true, Conclusion.Interrupted)]
    public void A_requirement_is_met_violated_or_open(bool? isMet, bool isInterrupted, Conclusion expected) =>
        Assert.That(Conclusions.Of(isMet, isInterrupted), Is.EqualTo(expected));

    [TestCase(1, 3, false, Conclusion.Success)]
    [TestCase(2, 3, false, Conclusion.Withheld)]
    [TestCase(2, 3, true, Conclusion.Interrupted)]
    public void Work_that_made_invalid_runs_is_no_success(
        int invalid,
        int all,
        bool isInterrupted,
        Conclusion expected
    ) =>
        Assert.That(
            Conclusions.Of(
                Enumerable.Range(0, all).Select(run => run < invalid ? RecordedRun.Late(2) : RecordedRun.Sound),
                isInterrupted
            ),
            Is.EqualTo(expected)
        );

    [TestCase(new Conclusion[0], Conclusion.Success)]
    [TestCase(new[] { Conclusion.Success, Conclusion.Withheld }, Conclusion.Withheld)]
    [TestCase(new[] { Conclusion.Failed, Conclusion.Withheld }, Conclusion.Failed)]
    [TestCase(new[] { Conclusion.Refuted, Conclusion.Failed }, Conclusion.Refuted)]
    [TestCase(new[] { Conclusion.Interrupted, Conclusion.Refuted }, Conclusion.Interrupted)]
    public void The_gravest_of_several_conclusions_stands(Conclusion[] conclusions, Conclusion expected) =>
        Assert.That(Conclusions.Gravest(conclusions), Is.EqualTo(expected));

    [TestCase(new Conclusion[0], Conclusion.Success)]
    [TestCase(new[] { Conclusion.Success, Conclusion.Refuted }, Conclusion.Refuted)]
    [TestCase(new[] { Conclusion.Refuted, Conclusion.Withheld }, Conclusion.Withheld)]
    [TestCase(new[] { Conclusion.Withheld, Conclusion.Failed }, Conclusion.Failed)]
    [TestCase(new[] { Conclusion.Failed, Conclusion.Interrupted }, Conclusion.Interrupted)]
    public void An_invalid_load_goes_before_one_that_breaks_a_promise(Conclusion[] loads, Conclusion expected) =>
        Assert.That(Conclusions.OfLoads(loads), Is.EqualTo(expected));

    [TestCase(Conclusion.Success, false, false, Conclusion.Success)]
    [TestCase(Conclusion.Refuted, false, false, Conclusion.Refuted)]
    [TestCase(Conclusion.Success, true, false, Conclusion.Withheld)]
    [TestCase(Conclusion.Refuted, true, false, Conclusion.Refuted)]
    [TestCase(Conclusion.Success, false, true, Conclusion.Withheld)]
    [TestCase(Conclusion.Refuted, false, true, Conclusion.Withheld)]
    [TestCase(Conclusion.Interrupted, true, true, Conclusion.Interrupted)]
    public void All_stages_end_as_their_verdicts_do_unless_the_exploration_or_the_baseline_failed(
        Conclusion verdicts,
        bool lacksBaseline,
        bool isModelInvalid,
        Conclusion expected
    ) => Assert.That(Conclusions.OfAllStages(verdicts, isModelInvalid, lacksBaseline), Is.EqualTo(expected));
}
