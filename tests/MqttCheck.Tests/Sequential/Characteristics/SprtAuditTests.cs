using MqttCheck.Sequential;
using MqttCheck.Sequential.Characteristics;

namespace MqttCheck.Tests.Sequential.Characteristics;

public sealed class SprtAuditTests
{
    // By hand: a race to two successes or three failures ends after four outcomes at the latest.
    [TestCase(0)]
    [TestCase(.3)]
    [TestCase(1)]
    public void A_race_ends_as_its_sequences_of_outcomes_do(double p)
    {
        var q = 1 - p;
        var race = SprtAudit.Compute(Race, p, 100);
        Assert.That(
            (race.AcceptH0, race.AcceptH1),
            Is.EqualTo((q * q * q + 3 * p * q * q * q, p * p + 2 * p * p * q + 3 * p * p * q * q)).Within(1e-12)
        );
        Assert.That(
            race.ExpectedSamples,
            Is.EqualTo(2 * p * p + 3 * (2 * p * p * q + q * q * q) + 4 * 3 * p * q * q).Within(1e-12)
        );
        Assert.That(race.Undecided, Is.Zero);
    }

    // By hand: two successes end it after two outcomes, and one success of three leaves it open.
    [Test]
    public void A_race_that_is_stopped_after_three_outcomes_is_open_with_one_success()
    {
        const double p = .3;
        const double q = .7;
        var race = SprtAudit.Compute(Race, p, 3);
        Assert.That(
            (race.AcceptH0, race.AcceptH1, race.Undecided, race.ExpectedSamples),
            Is.EqualTo((q * q * q, p * p + 2 * p * p * q, 3 * p * q * q, 3 - p * p)).Within(1e-12)
        );
    }

    [Test]
    public void A_test_that_never_decides_takes_what_it_is_given() =>
        Assert.That(
            SprtAudit.Compute((_, _) => SprtDecision.Undecided, .5, 7),
            Is.EqualTo(new TestCharacteristics(0, 0, 7, 1))
        );

    [Test]
    public void A_certain_hypothesis_is_lost_with_the_first_failure() =>
        Assert.That(
            SprtAudit.Compute(new SprtPlan(.9, 1, .01, .01), 0),
            Is.EqualTo(new TestCharacteristics(1, 0, 1, 0))
        );

    // With .02 a hundred outcomes may all be successes before a side decides, so the window becomes wide.
    [TestCase(.97, .02, .2, false)]
    [TestCase(.95, .1, .1, false)]
    [TestCase(.05, .1, .1, false)]
    [TestCase(.6, .2, .1, false)]
    [TestCase(.6, .2, .1, true)]
    public void Two_sides_end_as_their_states_do(double predicted, double indifference, double error, bool oneSided)
    {
        var plan = new TwoSidedPlan(predicted, indifference, error, oneSided: oneSided);
        using var _ = Assert.EnterMultipleScope();
        foreach (var probability in (double[])[0, .04, .5, .7, .955, .98, 1])
        {
            var (exact, audit) = (ByStates(plan, probability), SprtAudit.Compute(plan, probability));
            Assert.That(audit.Confirmed, Is.EqualTo(exact.Confirmed).Within(1e-9), $"{probability}");
            Assert.That(audit.Worse, Is.EqualTo(exact.Worse).Within(1e-9), $"{probability}");
            Assert.That(audit.Better, Is.EqualTo(exact.Better).Within(1e-9), $"{probability}");
            Assert.That(audit.ExpectedSamples, Is.EqualTo(exact.ExpectedSamples).Within(1e-6), $"{probability}");
        }
    }

    private static SprtDecision Race(long successes, long samples) =>
        successes >= 2 ? SprtDecision.AcceptH1
        : samples - successes >= 3 ? SprtDecision.AcceptH0
        : SprtDecision.Undecided;

    // A state is the number of successes and which sides have accepted the prediction.
    private static TwoSidedCharacteristics ByStates(TwoSidedPlan plan, double probability)
    {
        double confirmed = 0,
            worse = 0,
            better = 0,
            expected = 0;
        var states = new Dictionary<(int Successes, bool Lower, bool Upper), double>
        {
            [(0, plan.Lower is null, plan.Upper is null)] = 1,
        };
        for (var n = 1; states.Values.Sum() > 1e-13; n++)
        {
            var next = new Dictionary<(int Successes, bool Lower, bool Upper), double>();
            foreach (var ((before, lower, upper), mass) in states)
            {
                expected += mass;
                Go(before + 1, lower, upper, mass * probability);
                Go(before, lower, upper, mass * (1 - probability));
            }
            states = next;

            void Go(int successes, bool lower, bool upper, double mass)
            {
                var low = lower ? SprtDecision.AcceptH1 : plan.Lower!.Decide(successes, n);
                var high = upper ? SprtDecision.AcceptH0 : plan.Upper!.Decide(successes, n);
                if (low == SprtDecision.AcceptH0)
                    worse += mass;
                else if (high == SprtDecision.AcceptH1)
                    better += mass;
                else if (low == SprtDecision.AcceptH1 && high == SprtDecision.AcceptH0)
                    confirmed += mass;
                else
                {
                    var state = (successes, low == SprtDecision.AcceptH1, high == SprtDecision.AcceptH0);
                    next[state] = next.GetValueOrDefault(state) + mass;
                }
            }
        }
        return new(confirmed, worse, better, expected);
    }
}
