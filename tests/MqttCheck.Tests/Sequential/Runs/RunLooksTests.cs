using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Sequential.Runs;

namespace MqttCheck.Tests.Sequential.Runs;

public sealed class RunLooksTests
{
    // By hand: half as many more each time, rounded down.
    [TestCase(8, null, new[] { 8, 12, 18, 27, 40, 60 })]
    [TestCase(3, null, new[] { 3, 4, 6, 9, 13, 19 })]
    [TestCase(8, 8, new[] { 8, 12, 18 })]
    [TestCase(8, 9, new[] { 9, 13, 19 })]
    [TestCase(8, 10, new[] { 8, 10, 15 })]
    [TestCase(8, 20, new[] { 8, 12, 20, 30 })]
    [TestCase(20, 20, new[] { 20, 30, 45 })]
    public void Looks_come_after_half_as_many_more_runs_and_at_the_planned_number(int first, int? planned, int[] looks)
    {
        var when = new RunLooks(first, planned);
        Assert.That(Enumerable.Range(1, looks[^1]).Where(runs => when.ErrorShare(runs) > 0), Is.EqualTo(looks));
        Assert.That(Enumerable.Range(1, looks[^1]).Select(when.NextLook).Distinct(), Is.EqualTo(looks));
    }

    // By hand: 8, 12, 18, 27 and 40 have square roots that sum to 22.0559; 60 has half of what .97 leaves.
    [TestCase(8, .97 * 2.828427 / 22.055877)]
    [TestCase(40, .97 * 6.324555 / 22.055877)]
    [TestCase(60, .015)]
    [TestCase(90, .0075)]
    public void Planned_looks_share_most_of_the_error(int runs, double share) =>
        Assert.That(new RunLooks(8).ErrorShare(runs), Is.EqualTo(share).Within(1e-6));

    [Test]
    public void The_shares_sum_to_1() =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(500).WithReplay(3, 5),
            Prop.ForAll(
                Gen.Choose(2, 60).SelectMany(first => Gen.Choose(0, 200).Select(more => (first, more))).ToArbitrary(),
                given =>
                {
                    var looks = new RunLooks(given.first, given.more == 0 ? null : given.first + given.more);
                    var sum = 0.0;
                    for (int look = looks.NextLook(0), made = 0; made < 40; made++, look = looks.NextLook(look + 1))
                        sum += looks.ErrorShare(look);
                    return Math.Abs(sum - 1) < 1e-6;
                }
            )
        );

    [TestCase(1, null)]
    [TestCase(8, 7)]
    public void Looks_that_cannot_be_are_refused(int first, int? planned) =>
        Assert.That(() => new RunLooks(first, planned), Throws.InstanceOf<ArgumentOutOfRangeException>());
}
