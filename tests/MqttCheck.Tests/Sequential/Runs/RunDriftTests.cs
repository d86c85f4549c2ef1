using MqttCheck.Clients;
using MqttCheck.Sequential.Runs;

namespace MqttCheck.Tests.Sequential.Runs;

public sealed class RunDriftTests
{
    // By hand: about their means the runs are -1, 0, 1 and the shares -.1333, -.0333, .1667; products .3, squares 2 and
    // .046667. Equal runs do not drift, and two runs have no drift.
    [TestCase(new[] { 5, 6, 8 }, .3, .98198050606196574)]
    [TestCase(new[] { 7, 6, 5, 4, 3 }, -.4, -1)]
    [TestCase(new[] { 5, 5, 5, 5 }, 0, 0)]
    [TestCase(new[] { 1, 9 }, 0, 0)]
    public void Change_and_correlation_are_those_of_a_line_through_the_shares(
        int[] hits,
        double change,
        double correlation
    )
    {
        var drift = RunDrift.Of(Array.ConvertAll(hits, hit => new RunCount(hit, 10)));
        Assert.That((drift.Change, drift.Correlation), Is.EqualTo((change, correlation)).Within(1e-12));
        Assert.That(drift.Runs, Is.EqualTo(hits.Length));
    }

    // In R: qt(.995, 8) = 3.355387; r sqrt(8 / (1 - r^2)) exceeds it from r = .764592 on. A straight line has no
    // deviation at all.
    [TestCase(1, 3, true)]
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
}
