using MqttCheck.Sequential;
using MqttCheck.Sequential.Characteristics;

namespace MqttCheck.Tests.Sequential.Characteristics;

public sealed class RememberedRuleTests
{
    private readonly List<(long, long)> _asked = [];

    // Every answer has its own successes, so a row or a place that is mixed up gives another one.
    [TestCase(1)]
    [TestCase(2)]
    [TestCase(4096)]
    public void A_rule_is_asked_once_for_every_count_and_answers_the_same_again(long samples)
    {
        var remembered = Rule();
        long[] successes = [0, samples / 2, samples];
        using var _ = Assert.EnterMultipleScope();
        for (var time = 0; time < 2; time++)
            foreach (var hits in successes)
                Assert.That(remembered.Answer(hits, samples), Is.EqualTo(Answer(hits, samples)));
        Assert.That(_asked, Is.EqualTo(successes.Distinct().Select(hits => (hits, samples))));
    }

    // The table ends there; the rule itself is right for any number.
    [Test]
    public void Beyond_4096_samples_the_rule_is_asked_every_time()
    {
        var remembered = Rule();
        Assert.That(
            (remembered.Answer(4097, 4097), remembered.Answer(0, 4097)),
            Is.EqualTo((SprtDecision.AcceptH1, SprtDecision.AcceptH0))
        );
        Assert.That(remembered.Answer(4097, 4097), Is.EqualTo(SprtDecision.AcceptH1));
        Assert.That(_asked, Is.EqualTo(new[] { (4097L, 4097L), (0, 4097), (4097, 4097) }));
    }

    // The first answer has the number 0, which must differ from an answer that is not known.
    [Test]
    public void An_answer_with_the_number_0_is_remembered()
    {
        var remembered = Rule();
        remembered.Answer(1, 3);
        Assert.That(remembered.Answer(1, 3), Is.EqualTo(SprtDecision.Undecided));
        Assert.That(_asked, Is.EqualTo(new[] { (1L, 3L) }));
    }

    [SetUp]
    public void Forget() => _asked.Clear();

    private RememberedRule<SprtDecision> Rule() =>
        new(
            (successes, samples) =>
            {
                _asked.Add((successes, samples));
                return Answer(successes, samples);
            },
            answer => (byte)answer,
            number => (SprtDecision)number
        );

    private static SprtDecision Answer(long successes, long samples) =>
        successes == samples ? SprtDecision.AcceptH1
        : successes == 0 ? SprtDecision.AcceptH0
        : SprtDecision.Undecided;
}
