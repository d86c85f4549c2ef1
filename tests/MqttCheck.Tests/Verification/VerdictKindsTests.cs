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
}
