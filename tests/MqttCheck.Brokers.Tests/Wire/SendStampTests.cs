using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Tests.Wire;

public sealed class SendStampTests
{
    [TestCase(false, 130, 100, 20)]
    [TestCase(false, 120, 100, 20)]
    [TestCase(false, 100, 90, 10)]
    [TestCase(false, 80, 80, 0)]
    [TestCase(true, 130, 100, 20)]
    [TestCase(true, 110, 100, 10)]
    [TestCase(true, 90, 100, 0)]
    public void An_answer_within_the_bound_narrows_it(bool isCall, long answer, long expected, long bound) =>
        Assert.That(
            new SendStamp(100, 20) { IsCall = isCall }.NarrowedBy(answer),
            Is.EqualTo(new SendStamp(expected, bound) { IsCall = isCall })
        );

    // 200 cases of a fixed seed.
    [Test]
    public void A_call_begins_when_it_begins_and_nothing_is_answered_before_its_earliest_time()
    {
        var property = Prop.ForAll(
            Gen.Choose(0, 50).Two().ToArbitrary(),
            pair =>
            {
                var (bound, late) = pair;
                var answer = 1000 - bound + late;
                var (middle, call) = (
                    new SendStamp(1000, bound).NarrowedBy(answer),
                    (new SendStamp(1000, bound) { IsCall = true }).NarrowedBy(answer)
                );
                return call.Nanoseconds == 1000
                    && middle.Nanoseconds <= Math.Max(1000, answer)
                    && middle.Nanoseconds - middle.BoundNanoseconds == 1000 - bound
                    && middle.BoundNanoseconds <= bound
                    && call.BoundNanoseconds <= bound;
            }
        );
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(200).WithReplay(4711UL, 1UL), property);
    }
}
