using MqttCheck.Clients;
using MqttCheck.Sequential.Runs;

namespace MqttCheck.Tests.Sequential.Runs;

public sealed class RunEvidenceTests
{
    private static readonly RunCount[] s_runs =
    [
        .. Enumerable
            .Repeat<RunCount[]>([new(43, 50), new(46, 50), new(44, 50), new(47, 50), new(45, 50)], 6)
            .SelectMany(runs => runs),
    ];

    [Test]
    public void Under_a_model_it_is_the_signed_deviance() =>
        Assert.That(
            RunEvidence.Of(s_runs, .75, Guarantee.Model),
            Is.EqualTo(RunLikelihood.SignedDeviance(s_runs, .75)).And.Positive
        );

    // What speaks for a share above the threshold speaks against the opposite share and threshold.
    [TestCase(.5, 1)]
    [TestCase(.75, 1)]
    [TestCase(.98, -1)]
    public void Under_any_law_it_is_opposite_for_opposite_outcomes(double threshold, int sign)
    {
        RunCount[] opposite = [.. s_runs.Select(run => new RunCount(run.Samples - run.Successes, run.Samples))];
        var evidence = RunEvidence.Of(s_runs, threshold, Guarantee.Any);
        Assert.That(Math.Sign(evidence), Is.EqualTo(sign));
        Assert.That(RunEvidence.Of(opposite, 1 - threshold, Guarantee.Any), Is.EqualTo(-evidence).Within(1e-9));
    }

    [Test]
    public void The_ends_of_an_interval_have_the_bound_as_their_evidence([Values] Guarantee guarantee)
    {
        const double error = .1;
        var interval = RunEvidence.Interval(s_runs, error, guarantee);
        var above = RunEvidence.Bound(s_runs.Length, error, interval.Lower, areAbove: true, guarantee);
        var below = RunEvidence.Bound(s_runs.Length, error, interval.Upper, areAbove: false, guarantee);
        Assert.That(interval.Contains(.9), Is.True);
        Assert.That(RunEvidence.Of(s_runs, interval.Lower - .002, guarantee), Is.GreaterThanOrEqualTo(above));
        Assert.That(RunEvidence.Of(s_runs, interval.Lower + .002, guarantee), Is.LessThan(above));
        Assert.That(RunEvidence.Of(s_runs, interval.Upper + .002, guarantee), Is.LessThanOrEqualTo(-below));
        Assert.That(RunEvidence.Of(s_runs, interval.Upper - .002, guarantee), Is.GreaterThan(-below));
    }

    // By hand: the bets add up to .7677 of the stake, and a run at an end doubles them at .5. What was won stays won.
    [Test]
    public void Under_any_law_the_best_moment_counts()
    {
        RunCount hits = new(50, 50),
            misses = new(0, 50);
        var won = Math.Log(1.7677);
        Assert.That(
            (RunEvidence.Of([hits], .5, Guarantee.Any), RunEvidence.Of([misses], .5, Guarantee.Any)),
            Is.EqualTo((won, -won)).Within(1e-12)
        );
        Assert.That(RunEvidence.Of([hits, misses], .5, Guarantee.Any), Is.EqualTo(won).Within(1e-12));
        Assert.That(RunEvidence.Of([misses, hits], .5, Guarantee.Any), Is.EqualTo(-won).Within(1e-12));
    }

    // One run multiplies the stake by 10^4 at most where the threshold is a ten-thousandth, and e^20 is more.
    [Test]
    public void One_run_rejects_no_threshold_for_a_small_error()
    {
        var interval = RunEvidence.Interval([new(25, 50)], Math.Exp(-20), Guarantee.Any);
        Assert.That((interval.Lower, interval.Upper), Is.EqualTo((0.0, 1.0)));
    }
}
