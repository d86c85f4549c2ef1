using MqttCheck.Clients;
using MqttCheck.Sequential.Runs;
using MqttCheck.Tests.Requirements;
using MqttCheck.Verification;
using static MqttCheck.Tests.Requirements.SimulatedBroker;

namespace MqttCheck.Tests.Verification;

public sealed class VerdictPromiseTests
{
    private static readonly VerificationOptions s_five = new() { MinimumRuns = 5 };

    // By hand: 1 - .0075 = .9925, 1 - .0026^(1/2) = .949 and 1 - .008^(1/4) = .7009, in whole percents below.
    [TestCase(1, .0075, "1 run: another state of the broker, in up to 99 % of the runs, that none of these showed.")]
    [TestCase(2, .0026, "2 runs: another state of the broker, in up to 94 % of the runs, that none of these showed.")]
    [TestCase(4, .0080, "4 runs: another state of the broker, in up to 70 % of the runs, that none of these showed.")]
    public void What_runs_cannot_exclude_is_the_share_that_they_miss_with_more_than_the_error(
        int runs,
        double error,
        string said
    ) => Assert.That(VerdictPromise.NotExcluded(runs, error), Is.EqualTo("Not excluded after " + said));

    // 1 - .005^(1/5) = .653 after the five runs that decided, and 1 - .005^(1/9) = .445 after all nine.
    [Test]
    public void Runs_after_the_verdict_change_neither_it_nor_its_promise()
    {
        var verdict = After(Predicted(.85), s_five, 9, run => Run(run, run < 5 ? .85 : .1)).Conclude();
        Assert.That(
            (verdict.Kind, verdict.DecidedAfterRuns, verdict.DecidedAfterSamples),
            Is.EqualTo((VerdictKind.Confirmed, 5, 5000L))
        );
        Assert.That((verdict.Runs.Count, verdict.Samples), Is.EqualTo((9, 9000L)));
        Assert.That(verdict.Promise, Does.Contain("Not excluded after 5 runs: ").And.Contain("in up to 65 % of"));
        Assert.That(verdict.Unseen, Is.EqualTo(1 - Math.Pow(.005, .2)).Within(1e-12));
    }

    [Test]
    public void Without_a_verdict_all_runs_tell_what_was_not_seen() =>
        Assert.That(
            After(Predicted(.85), s_five, .85, .85, .85).Conclude().Unseen,
            Is.EqualTo(1 - Math.Pow(.005, 1 / 3.0)).Within(1e-12)
        );

    [Test]
    public void Bets_promise_for_every_law_and_say_what_they_do_not_cover()
    {
        var options = new VerificationOptions { Guarantee = Guarantee.Any, MinimumRuns = 3 };
        Assert.That(
            After(Predicted(.8), options, 20, run => Run(run, .3)).Conclude().Promise,
            Is.EqualTo(
                "Wrong with a probability of at most 0.01, whatever law all runs follow, those that do not count "
                    + "taken at their worst, if they are independent of each other. "
                    + "Not covered: a broker whose state carries over from one run to the next."
            )
        );
    }

    [Test]
    public void Where_each_client_decides_nothing_is_promised()
    {
        var options = new VerificationOptions { Test = VerdictTest.Clients, MinimumRuns = 3 };
        var verdict = After(Predicted(1), options, 3, run => Run(run, 4400, _ => true)).Conclude();
        Assert.That((verdict.IsDecided, verdict.Promise), Is.EqualTo((true, (string?)null)));
    }
}
