using MqttCheck.Sequential.Runs;

namespace MqttCheck.Tests.Sequential.Runs;

public sealed class RunHalvesTests
{
    // By hand: the differences .8, -.8, .4 have a mean of .1333 and a variance of (1.44 - 3 * .1333^2) / 2.
    [Test]
    public void Evidence_is_students_t_of_the_differences()
    {
        var halves = RunHalves.Of([Run(1, 9), Run(9, 1), Run(5, 9)]);
        Assert.That((halves.First, halves.Second), Is.EqualTo((.5, 1.9 / 3)).Within(1e-12));
        Assert.That(halves.Evidence, Is.EqualTo(.2773500981).Within(1e-9));
        Assert.That(halves.Runs, Is.EqualTo(3));
    }

    // By hand: the differences are all .2, and chance alone has the variance 2 (.55 * .45 + .65 * .35 + .7 * .3) / 30.
    [Test]
    public void Differences_that_are_alike_count_no_more_than_chance_lets_them()
    {
        var halves = RunHalves.Of([Run(4, 7), Run(5, 8), Run(6, 8)]);
        var chance = 2 * (.55 * .45 + .65 * .35 + .7 * .3) / 30;
        Assert.That(halves.Evidence, Is.EqualTo(.8 / 3 / Math.Sqrt(chance / 3)).Within(1e-9));
    }

    [Test]
    public void Halves_without_any_failure_do_not_differ()
    {
        var halves = RunHalves.Of([Run(10, 10), Run(10, 10), Run(10, 10)]);
        Assert.That((halves.First, halves.Second, halves.Evidence), Is.EqualTo((1.0, 1.0, 0.0)));
    }

    [Test]
    public void Short_runs_have_no_halves()
    {
        bool[] tooShort = [.. Enumerable.Repeat(true, 19)];
        var halves = RunHalves.Of([Run(1, 9), tooShort, Run(1, 9)]);
        Assert.That((halves.First, halves.Evidence, halves.Runs), Is.EqualTo((double.NaN, 0.0, 2)));
    }

    // In R: qt(.9995, 2) = 31.59905.
    [TestCase(.7, 31.7, 3, .2, true)]
    [TestCase(.3, -31.7, 3, .2, true)]
    [TestCase(.7, 31.5, 3, .2, false)]
    [TestCase(.7, 31.7, 3, .21, false)]
    [TestCase(.7, 1000, 2, .2, false)]
    public void Halves_differ_if_the_difference_is_large_and_clear(
        double second,
        double evidence,
        int runs,
        double smallest,
        bool differ
    ) => Assert.That(new RunHalves(.5, second, evidence, runs).Differ(smallest - 1e-12), Is.EqualTo(differ));

    [Test]
    public void A_difference_as_large_as_the_smallest_that_matters_counts() =>
        Assert.That(new RunHalves(.5, .75, 100, 3).Differ(.25), Is.True);

    // By hand: ten early and eleven late; the differences are all 1/11 - 5/10, and chance of each half counts ten.
    [Test]
    public void The_later_half_of_an_odd_run_has_the_outcome_in_the_middle()
    {
        bool[] run = [.. Enumerable.Range(0, 21).Select(i => i is < 5 or 20)];
        var halves = RunHalves.Of([run, run, run]);
        var pooled = (.5 + 1 / 11.0) / 2;
        Assert.That((halves.First, halves.Second), Is.EqualTo((.5, 1 / 11.0)).Within(1e-12));
        Assert.That(
            halves.Evidence,
            Is.EqualTo((1 / 11.0 - .5) / Math.Sqrt(2 * pooled * (1 - pooled) / 10 / 3)).Within(1e-9)
        );
    }

    private static bool[] Run(int early, int late) =>
        [.. Enumerable.Range(0, 10).Select(i => i < early), .. Enumerable.Range(0, 10).Select(i => i < late)];
}
