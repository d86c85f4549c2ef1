using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Sequential;
using MqttCheck.Sequential.Characteristics;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Sequential;

[TestFixture]
public sealed class BoundedMeanTestTests
{
    // Computed, not simulated: the probability of a wrong decision at the threshold within 1000 outcomes, on each side.
    [Test]
    public void The_error_is_kept_at_the_threshold([Values(.0005, .01, .5, .85, .999)] double threshold)
    {
        var test = new BoundedMeanTest(threshold, .05);
        var at = SprtAudit.Compute(test.Decide, threshold, 1000);
        Assert.That(at.AcceptH0, Is.LessThanOrEqualTo(.05));
        Assert.That(at.AcceptH1, Is.LessThanOrEqualTo(.05));
    }

    // Means of 100 clients vary ten times less than one client's outcome; seed 2.
    [Test]
    public void Observations_that_vary_little_decide_sooner()
    {
        var random = RandomStream.For(2);
        BoundedMeanTest smooth = new(.8, .01),
            rough = new(.8, .01);
        while (smooth.Add(.85 + .04 * (random.NextDouble() - .5)) == SprtDecision.Undecided) { }
        while (rough.Add(random.NextDouble() < .85 ? 1 : 0) == SprtDecision.Undecided) { }
        Assert.That((smooth.Decision, rough.Decision), Is.EqualTo((SprtDecision.AcceptH1, SprtDecision.AcceptH1)));
        Assert.That(smooth.Samples, Is.LessThan(rough.Samples / 3));
    }

    // What is won after the next outcome, weighted by the probabilities at the threshold, is what was won before.
    [Test]
    public void Evidence_is_a_fair_game_at_the_threshold() =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(200).WithReplay(7, 9),
            Prop.ForAll(
                Gen.Choose(20, 80)
                    .SelectMany(percent =>
                        Gen.Choose(0, 100).ListOf(6).Select(values => (Threshold: percent / 100.0, Values: values))
                    )
                    .ToArbitrary(),
                game =>
                {
                    var now = After(game.Threshold, game.Values);
                    var (success, failure) = (
                        After(game.Threshold, [.. game.Values, 100]),
                        After(game.Threshold, [.. game.Values, 0])
                    );
                    return IsFair(test => test.LogEvidenceAbove) && IsFair(test => test.LogEvidenceBelow);

                    bool IsFair(Func<BoundedMeanTest, double> log)
                    {
                        var expected =
                            game.Threshold * Math.Exp(log(success)) + (1 - game.Threshold) * Math.Exp(log(failure));
                        return Math.Abs(expected / Math.Exp(log(now)) - 1) < 1e-9;
                    }
                }
            )
        );

    // By hand: a success at .5 multiplies the stake of bet i by 1 + .75^i, and 24 of these sum to 24 + 3 (1 - .75^24).
    [Test]
    public void One_outcome_says_as_much_as_the_mean_bet_wins()
    {
        var won = Math.Log(1 + 3 * (1 - Math.Pow(.75, 24)) / 24);
        var lost = Math.Log(1 - 3 * (1 - Math.Pow(.75, 24)) / 24);
        Assert.That(
            (After(.5, [100]).LogEvidenceAbove, After(.5, [100]).LogEvidenceBelow),
            Is.EqualTo((won, lost)).Within(1e-12)
        );
        Assert.That(After(.5, [0]).LogEvidenceBelow, Is.EqualTo(won).Within(1e-12));
        Assert.That(After(.5, []).LogEvidenceAbove, Is.Zero);
    }

    [Test]
    public void A_decision_stays_and_later_observations_are_not_counted()
    {
        var test = new BoundedMeanTest(.5, .4);
        while (test.Add(1) == SprtDecision.Undecided) { }
        var (samples, evidence) = (test.Samples, test.LogEvidenceAbove);
        Assert.That(
            (test.Add(0), test.Samples, test.LogEvidenceAbove),
            Is.EqualTo((SprtDecision.AcceptH1, samples, evidence))
        );
        Assert.That(evidence, Is.GreaterThanOrEqualTo(-Math.Log(.4)));
    }

    // The definition itself: 24 equal stakes, bet i of size .75^i, and wealth of 1 / .05 decides.
    [Test]
    public void It_decides_where_the_mean_bet_has_won_one_over_the_error([Values(.3, .5, .8)] double threshold)
    {
        var test = new BoundedMeanTest(threshold, .05);
        var seen = new HashSet<SprtDecision>();
        for (var samples = 0; samples <= 40; samples++)
        for (var successes = 0; successes <= samples; successes++)
        {
            var expected =
                Wealth(threshold, successes, samples - successes) >= 20 ? SprtDecision.AcceptH1
                : Wealth(1 - threshold, samples - successes, successes) >= 20 ? SprtDecision.AcceptH0
                : SprtDecision.Undecided;
            Assert.That(test.Decide(successes, samples), Is.EqualTo(expected), $"{successes} of {samples}");
            seen.Add(expected);
        }
        Assert.That(seen, Has.Count.EqualTo(3));
    }

    [TestCase(0, SprtDecision.AcceptH0)]
    [TestCase(1, SprtDecision.AcceptH1)]
    public void Outcomes_that_are_all_alike_decide_when_they_have_won_enough(int value, SprtDecision decision)
    {
        var test = new BoundedMeanTest(.4, .05);
        var needed = Enumerable.Range(1, 100).First(n => Wealth(value == 1 ? .4 : .6, n, 0) >= 20);
        for (var i = 1; i < needed; i++)
            Assert.That(test.Add(value), Is.EqualTo(SprtDecision.Undecided));
        Assert.That(
            (test.Add(value), test.Samples, test.Threshold, test.Error),
            Is.EqualTo((decision, (long)needed, .4, .05))
        );
    }

    // By hand: the bets add up to 3 (1 - .75^24). From .2 to .6 it is twice the threshold, or half of the way to 1.
    [Test]
    public void An_observation_wins_in_proportion_to_its_distance_from_the_threshold()
    {
        var bet = 3 * (1 - Math.Pow(.75, 24)) / 24;
        Assert.That(
            (After(.2, [60]).LogEvidenceAbove, After(.2, [60]).LogEvidenceBelow),
            Is.EqualTo((Math.Log(1 + .4 / .2 * bet), Math.Log(1 - .4 / .8 * bet))).Within(1e-12)
        );
    }

    [TestCase(0, .01, "(0, 1)")]
    [TestCase(1, .01, "(0, 1)")]
    [TestCase(double.NaN, .01, "(0, 1)")]
    [TestCase(.5, 0, "(0, .5)")]
    [TestCase(.5, .5, "(0, .5)")]
    public void Thresholds_and_errors_out_of_range_are_refused(double threshold, double error, string allowed) =>
        Assert.That(
            () => new BoundedMeanTest(threshold, error),
            Throws.InstanceOf<ArgumentOutOfRangeException>().With.Message.Contains("must be in " + allowed)
        );

    [TestCase(-.001)]
    [TestCase(1.001)]
    [TestCase(double.NaN)]
    public void Observations_out_of_range_are_refused(double value) =>
        Assert.That(
            () => new BoundedMeanTest(.5, .1).Add(value),
            Throws.InstanceOf<ArgumentOutOfRangeException>().With.Message.Contains("must be in 0 .. 1")
        );

    // An error so small that no short game decides.
    private static BoundedMeanTest After(double threshold, IEnumerable<int> percent)
    {
        var test = new BoundedMeanTest(threshold, 1e-12);
        foreach (var value in percent)
            test.Add(value / 100.0);
        return test;
    }

    // What bets on a mean above the threshold have made of 1.
    private static double Wealth(double threshold, int successes, int failures) =>
        Enumerable
            .Range(1, 24)
            .Select(bet => Math.Pow(.75, bet))
            .Average(size =>
                Math.Pow(1 + size * (1 - threshold) / threshold, successes) * Math.Pow(1 - size, failures)
            );
}
