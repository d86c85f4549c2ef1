using MqttCheck.Auditing.Promises;
using MqttCheck.Sequential.Runs;

namespace MqttCheck.Tests.Auditing.Promises;

[TestFixture]
public sealed class PromiseTallyTests
{
    // Five planted cells: errors of .002 and .1 at a stated one of .01, with and without an exception of .15, and
    // without any promise. Seed 81; the bounds of the rule are wrong in at most .01 of the seeds.
    [Test]
    public void What_is_kept_what_needs_the_exception_and_what_is_outside_are_counted_apart()
    {
        var planted = PlantedAudit.Of(
            ("kept", .002, .01, 0),
            ("kept beside an exception", .002, .01, .15),
            ("excused", .1, .01, .15),
            ("broken", .1, .01, 0),
            ("outside", .1, null, 0)
        );
        var results = PromiseTable.Run([planted], 81, threads: 2).ToArray();
        var tally = PromiseTally.Of(results);
        Assert.That(
            results.Select(result => result.Status),
            Is.EqualTo([
                PromiseStatus.Kept,
                PromiseStatus.Kept,
                PromiseStatus.KeptWithException,
                PromiseStatus.Broken,
                PromiseStatus.NotPromised,
            ])
        );
        Assert.That(
            (tally.Promises, tally.Kept, tally.WithException, tally.Broken, tally.Undecided, tally.Outside),
            Is.EqualTo((4, 2, 1, 1, 0, 1))
        );
        Assert.That(tally.LargestRatio, Is.EqualTo(results[2].Count.WrongShare / .01));
        Assert.That(
            (tally with { LargestRatio = 9.96 }).ToString(),
            Is.EqualTo(
                "2 of 4 promises are kept at the stated error. 1 are kept with the printed exception only: their error "
                    + "is up to 10 times the stated one. 1 are broken, 0 undecided. 1 more cells lie outside of what "
                    + "is promised."
            )
        );
    }

    [Test]
    public void Without_exceptions_no_ratio_is_told() =>
        Assert.That(new PromiseTally(3, 0, 0, 0, 2, 0).ToString(), Does.Not.Contain("times"));
}
