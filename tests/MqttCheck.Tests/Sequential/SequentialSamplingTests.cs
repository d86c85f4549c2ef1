using MqttCheck.Sequential;

namespace MqttCheck.Tests.Sequential;

public sealed class SequentialSamplingTests
{
    [Test]
    public void Sampling_ends_with_the_first_outcome_after_which_there_is_enough()
    {
        var drawn = 0;
        var count = SequentialSampling.Estimate(() => drawn++ % 4 == 0, new OkamotoRule(.1, .05));
        Assert.That((count, drawn, count.Share), Is.EqualTo((new SampleCount(47, 185), 185, 47 / 185.0)));
    }

    [Test]
    public void A_test_sees_every_count_until_it_decides()
    {
        var seen = new List<(long, long)>();
        var (decision, count) = SequentialSampling.Decide(
            () => seen.Count != 1,
            (successes, samples) =>
            {
                seen.Add((successes, samples));
                return samples == 3 ? SprtDecision.AcceptH0 : SprtDecision.Undecided;
            }
        );
        Assert.That(seen, Is.EqualTo(new (long, long)[] { (1, 1), (1, 2), (2, 3) }));
        Assert.That((decision, count), Is.EqualTo((SprtDecision.AcceptH0, new SampleCount(2, 3))));
    }

    [Test]
    public void It_gives_up_after_the_largest_number_of_outcomes()
    {
        var (decision, count) = SequentialSampling.Decide(() => true, (_, _) => SprtDecision.Undecided, 5);
        Assert.That((decision, count), Is.EqualTo((SprtDecision.Undecided, new SampleCount(5, 5))));
        Assert.That(
            () => SequentialSampling.Decide(() => true, (_, _) => SprtDecision.Undecided, 0),
            Throws.InstanceOf<ArgumentOutOfRangeException>()
        );
    }

    [Test]
    public void A_decision_can_be_stopped_between_two_outcomes()
    {
        using var stop = new CancellationTokenSource();
        var drawn = 0;
        Assert.That(
            () =>
                SequentialSampling.Decide(
                    () =>
                    {
                        if (++drawn == 3)
                            stop.Cancel();
                        return true;
                    },
                    (_, _) => SprtDecision.Undecided,
                    cancellation: stop.Token
                ),
            Throws.InstanceOf<OperationCanceledException>()
        );
        Assert.That(drawn, Is.EqualTo(3));
    }

    [TestCase(0, "0 runs")]
    [TestCase(1, "1 run")]
    [TestCase(2, "2 runs")]
    public void A_counted_noun_agrees_with_its_number(int number, string text) =>
        Assert.That(Counted.Of(number, "run"), Is.EqualTo(text));
}
