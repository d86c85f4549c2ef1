using MqttCheck.Comparison;
using MqttCheck.Tests.Verification;

namespace MqttCheck.Tests.Comparison;

/// <summary>
/// What the stated error of a comparison is worth, on brokers of several moods: those of
/// <see cref="VerificationErrorTests"/>.
/// </summary>
[TestFixture]
public sealed class TwoSampleErrorTests
{
    private static readonly double[] s_moods = [1, 1.2, 8, 180, -.5];

    // A false alarm needs a true rate at the promise and a draw beyond the 99 % bound. Seed 41.
    [Test]
    [Category("Whole")]
    public void Wrong_verdicts_stay_below_the_stated_error(
        [ValueSource(nameof(s_moods))] double mood,
        [Values] bool stored
    )
    {
        var options = new TwoSampleOptions { Error = .02, MinimumRuns = 6 };
        foreach (var truth in new[] { .85, .95 })
        {
            var equal = TwoSampleStudy.Of(truth, truth, mood, 500, options, 8, 150, 41, stored);
            Assert.That(
                equal.LowerBound(equal.First + equal.Second),
                Is.LessThanOrEqualTo(options.Error),
                $"equal at {truth}: {equal}"
            );
            var slower = TwoSampleStudy.Of(truth, truth - .1, mood, 500, options, 8, 150, 41, stored);
            Assert.That(
                slower.LowerBound(slower.Equal + slower.Second),
                Is.LessThanOrEqualTo(options.Error),
                $"second slower at {truth}: {slower}"
            );
            var faster = TwoSampleStudy.Of(truth - .1, truth, mood, 500, options, 8, 150, 41, stored);
            Assert.That(
                faster.LowerBound(faster.Equal + faster.First),
                Is.LessThanOrEqualTo(options.Error),
                $"second faster at {truth}: {faster}"
            );
        }
    }

    // Two equal brokers on a quiet machine: a difference in at most one of 20 runs of the tool, which makes two
    // comparisons each; here 200. Seed 42.
    [Test]
    public void A_broker_compared_with_itself_shows_no_difference([Values(1, 1.2, 8)] double mood)
    {
        var options = new TwoSampleOptions { Comparisons = 2 };
        var study = TwoSampleStudy.Of(.85, .85, mood, TwoSamplePlan.SequencesNeeded(.85, options), options, 8, 200, 42);
        Assert.That(study.First + study.Second, Is.LessThanOrEqualTo(2), study.ToString());
    }

    // A delay of 20 % moves a probability of .85 to about .68 where latencies are lognormal with sigma .5:
    // pnorm(qnorm(.85^(1/10)) - log(1.2)/.5)^10 in R is .680. Seed 43.
    [Test]
    public void A_delay_of_20_percent_is_found()
    {
        var options = new TwoSampleOptions { Comparisons = 2 };
        var study = TwoSampleStudy.Of(.85, .68, 1.2, TwoSamplePlan.SequencesNeeded(.85, options), options, 8, 100, 43);
        Assert.That(study.First, Is.GreaterThanOrEqualTo(98), study.ToString());
    }

    /// <summary>The long version: 2000 comparisons each, written to standard output. Run it by name.</summary>
    [Test, Explicit("a minute")]
    public void Two_thousand_comparisons_of_every_mood([Values(4, 8)] int runs, [Values] bool stored)
    {
        var options = new TwoSampleOptions { MinimumRuns = runs };
        foreach (
            var (first, second) in new[] { (.85, .85), (.95, .95), (.99, .99), (.85, .75), (.95, .85), (.99, .89) }
        )
        {
            foreach (var mood in s_moods)
            {
                var study = TwoSampleStudy.Of(first, second, mood, 500, options, runs + 6, 2000, 44, stored);
                var wrong = first == second ? study.First + study.Second : study.Equal + study.Second;
                TestContext.Out.WriteLine(
                    FormattableString.Invariant($"runs {runs}, stored {stored}, {first} and {second}, mood ")
                        + FormattableString.Invariant($"{mood}: {study}, wrong {(double)wrong / study.Total:0.0000}")
                );
                Assert.That(study.LowerBound(wrong), Is.LessThanOrEqualTo(options.Error));
            }
        }
    }
}
