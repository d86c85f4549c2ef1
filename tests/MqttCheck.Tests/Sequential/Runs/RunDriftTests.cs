using MqttCheck.Sequential.Runs;

namespace MqttCheck.Tests.Sequential.Runs;

public sealed class RunDriftTests
{
    // By hand: about their means the runs are -1, 0, 1 and the shares -.1333, -.0333, .1667; products .3, squares 2 and
    // .046667.
    [Test]
    public void Change_and_correlation_are_those_of_a_line_through_the_shares()
    {
        var drift = RunDrift.Of([new(5, 10), new(6, 10), new(8, 10)]);
        using var _ = Assert.EnterMultipleScope();
        Assert.That(drift.Change, Is.EqualTo(.3).Within(1e-12));
        Assert.That(drift.Correlation, Is.EqualTo(.3 / Math.Sqrt(2 * .14 / 3)).Within(1e-12));
        Assert.That(drift.Runs, Is.EqualTo(3));
    }

    [Test]
    public void The_change_is_from_the_first_run_to_the_last()
    {
        var drift = RunDrift.Of([new(70, 100), new(60, 100), new(50, 100), new(40, 100), new(30, 100)]);
        using var _ = Assert.EnterMultipleScope();
        Assert.That(drift.Change, Is.EqualTo(-.4).Within(1e-12));
        Assert.That(drift.Correlation, Is.EqualTo(-1).Within(1e-12));
        Assert.That(drift.IsClear, Is.True);
    }

    [Test]
    public void Equal_runs_do_not_drift()
    {
        var drift = RunDrift.Of([new(5, 10), new(5, 10), new(5, 10), new(5, 10)]);
        Assert.That((drift.Change, drift.Correlation, drift.IsClear), Is.EqualTo((0.0, 0.0, false)));
    }

    [Test]
    public void Two_runs_have_no_drift() =>
        Assert.That(RunDrift.Of([new(1, 10), new(9, 10)]), Is.EqualTo(new RunDrift(0, 0, 2)));

    // In R: qt(.995, 8) = 3.355387; r sqrt(8 / (1 - r^2)) exceeds it from r = .764592 on.
    [TestCase(.7645, 10, false)]
    [TestCase(.7647, 10, true)]
    [TestCase(-.7647, 10, true)]
    [TestCase(.98, 3, false)]
    [TestCase(1, 2, false)]
    public void A_drift_is_clear_by_students_test(double correlation, int runs, bool isClear) =>
        Assert.That(new RunDrift(.3, correlation, runs).IsClear, Is.EqualTo(isClear));

    [TestCase(.3, 1, .3, true)]
    [TestCase(-.3, -1, .3, true)]
    [TestCase(.3, 1, .31, false)]
    [TestCase(.3, .1, .1, false)]
    public void A_drift_matters_if_it_is_clear_and_large(
        double change,
        double correlation,
        double smallest,
        bool matters
    ) => Assert.That(new RunDrift(change, correlation, 5).Matters(smallest), Is.EqualTo(matters));

    // In R: qt(.995, 1) = 63.65674; a straight line has no deviation at all.
    [Test]
    public void Three_runs_on_a_line_drift_clearly() => Assert.That(new RunDrift(.3, 1, 3).IsClear, Is.True);
}
