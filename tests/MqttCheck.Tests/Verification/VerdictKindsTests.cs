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
}
