using MqttCheck.Sequential.Runs;

namespace MqttCheck.Tests.Sequential.Runs;

public sealed class UnseenShareTests
{
    // In R: 1 - .005^(1/8), 1 - .005^(1/20) and 1 - .005.
    [TestCase(8, .48433073113937708)]
    [TestCase(20, .23272950098907452)]
    [TestCase(1, .995)]
    public void So_large_a_share_is_missed_with_the_probability_of_the_error(int runs, double share) =>
        Assert.That(UnseenShare.After(runs, .005), Is.EqualTo(share).Within(1e-12));

    [TestCase(0, .5)]
    [TestCase(1, 0)]
    [TestCase(1, 1)]
    [TestCase(1, double.NaN)]
    public void No_runs_and_impossible_errors_are_refused(int runs, double error) =>
        Assert.That(() => UnseenShare.After(runs, error), Throws.InstanceOf<ArgumentOutOfRangeException>());
}
