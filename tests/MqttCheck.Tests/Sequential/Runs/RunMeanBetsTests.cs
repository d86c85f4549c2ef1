using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Sequential.Runs;

namespace MqttCheck.Tests.Sequential.Runs;

public sealed class RunMeanBetsTests
{
    // What is won after one more run, weighted by the probabilities at the threshold, is what was won before.
    [TestCase(true)]
    [TestCase(false)]
    public void Bets_are_a_fair_game_at_the_threshold(bool above) =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(200).WithReplay(11, 13),
            Prop.ForAll(
                Gen.Choose(10, 90)
                    .SelectMany(percent =>
                        Gen.Choose(0, 100).ListOf(5).Select(means => (Threshold: percent / 100.0, Means: means))
                    )
                    .ToArbitrary(),
                game =>
                {
                    var expected =
                        game.Threshold * Math.Exp(After(game.Threshold, above, [.. game.Means, 100]))
                        + (1 - game.Threshold) * Math.Exp(After(game.Threshold, above, [.. game.Means, 0]));
                    return Math.Abs(expected / Math.Exp(After(game.Threshold, above, game.Means)) - 1) < 1e-9;
                }
            )
        );

    // By hand: a run at the far end from .5 doubles what was bet, and the bets are .6 * .99 + .12 * .75 + .1 * .5 +
    // .08 * .3 + .05 * .15 + .03 * .06 + .02 * .02 = .7677 of the stake.
    [Test]
    public void A_run_at_an_end_wins_or_loses_what_was_bet()
    {
        Assert.That(
            (After(.5, above: true, []), After(.5, above: true, [100]), After(.5, above: true, [0])),
            Is.EqualTo((0, Math.Log(1.7677), Math.Log(1 - .7677))).Within(1e-12)
        );
        Assert.That(After(.5, above: false, [0]), Is.EqualTo(Math.Log(1.7677)).Within(1e-12));
    }

    [TestCase(0)]
    [TestCase(1)]
    [TestCase(double.NaN)]
    public void A_threshold_without_two_sides_is_refused(double threshold) =>
        Assert.That(
            () => new RunMeanBets(threshold, above: true),
            Throws.InstanceOf<ArgumentOutOfRangeException>().With.Message.Contains("must be in (0, 1)")
        );

    [TestCase(-.001)]
    [TestCase(1.001)]
    [TestCase(double.NaN)]
    public void A_mean_that_is_no_share_is_refused(double mean) =>
        Assert.That(
            () => new RunMeanBets(.5, above: true).Add(mean),
            Throws.InstanceOf<ArgumentOutOfRangeException>().With.Message.Contains("must be in 0 .. 1")
        );

    // Means from P to 1 are means from 0 to 1, scaled.
    [TestCase(true)]
    [TestCase(false)]
    public void Bets_beside_a_worst_run_are_those_of_scaled_means(bool above)
    {
        const double Worst = .5;
        var scaled = new RunMeanBets((.75 - Worst) / (1 - Worst), above);
        var bets = new RunMeanBets(.75, above, Worst);
        foreach (var mean in new[] { .9, .5, .8, 1 })
        {
            var expected = scaled.Add((mean - Worst) / (1 - Worst));
            // Below the threshold, what the worst run is does not matter.
            Assert.That(bets.Add(mean), Is.EqualTo(expected).Within(1e-12));
        }
    }

    [TestCase(true, 0, 0)]
    [TestCase(false, 0, 1)]
    [TestCase(true, .5, .5)]
    public void A_run_that_is_not_known_costs_each_bet_what_its_worst_run_does(
        bool above,
        double least,
        double worst
    ) =>
        Assert.That(
            new RunMeanBets(.75, above, least).AddUnknown(),
            Is.EqualTo(new RunMeanBets(.75, above, least).Add(worst))
        );

    private static double After(double threshold, bool above, IEnumerable<int> percent)
    {
        var bets = new RunMeanBets(threshold, above);
        var won = bets.LogWealth;
        foreach (var mean in percent)
            won = bets.Add(mean / 100.0);
        Assert.That(won, Is.EqualTo(bets.LogWealth));
        return won;
    }
}
