using MqttCheck.Sequential;
using MqttCheck.Verification;

namespace MqttCheck.Tests.Verification;

public sealed class VerdictKindsTests
{
    [TestCase(VerdictKind.Confirmed, "confirmed")]
    [TestCase(VerdictKind.NotWorse, "not worse")]
    [TestCase(VerdictKind.Worse, "worse")]
    [TestCase(VerdictKind.Better, "better")]
    [TestCase(VerdictKind.Withheld, "withheld")]
    [TestCase(VerdictKind.Partial, "partial")]
    public void There_are_six_words(VerdictKind kind, string word) => Assert.That(kind.Word(), Is.EqualTo(word));

    [Test]
    public void Every_verdict_has_a_word_of_its_own() =>
        Assert.That(Enum.GetValues<VerdictKind>().Select(kind => kind.Word()), Is.Unique);

    [Test]
    public void Another_value_is_no_verdict() =>
        Assert.That(
            () => ((VerdictKind)99).Word(),
            Throws.InstanceOf<ArgumentOutOfRangeException>().With.Message.Contains("not a verdict")
        );

    [TestCase(VerdictKind.Confirmed, true, true)]
    [TestCase(VerdictKind.NotWorse, true, true)]
    [TestCase(VerdictKind.Worse, true, false)]
    [TestCase(VerdictKind.Better, true, false)]
    [TestCase(VerdictKind.Withheld, false, false)]
    [TestCase(VerdictKind.Partial, false, false)]
    public void A_prediction_stands_where_it_is_confirmed_or_not_worse(VerdictKind kind, bool decided, bool passed) =>
        Assert.That((kind.IsDecided(), kind.IsPassed()), Is.EqualTo((decided, passed)));

    // .97 leaves no upper side, .03 no lower one, and a one-sided test asks for none.
    [TestCase(.85, false, VerdictKind.Confirmed)]
    [TestCase(.97, false, VerdictKind.NotWorse)]
    [TestCase(.03, false, VerdictKind.NotWorse)]
    [TestCase(.85, true, VerdictKind.NotWorse)]
    public void As_predicted_is_confirmed_only_with_both_sides(double predicted, bool oneSided, VerdictKind expected) =>
        Assert.That(new TwoSidedPlan(predicted, .1, .01, oneSided: oneSided).AsPredicted(), Is.EqualTo(expected));
}
