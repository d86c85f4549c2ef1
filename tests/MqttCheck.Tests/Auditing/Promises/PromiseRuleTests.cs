using MqttCheck.Auditing.Promises;
using MqttCheck.Sequential.Runs;

namespace MqttCheck.Tests.Auditing.Promises;

[TestFixture]
internal sealed class PromiseRuleTests
{
    // Clopper and Pearson at .01 / 10 cells / 3 looks / 2 sides: 0 of 5000 gives an upper bound of 1 -
    // (1.667e-4)^(1/5000) = .00174.
    [Test]
    public void Bounds_hold_for_the_whole_table() =>
        Assert.That(
            new PromiseRule(10).Bounds(new(0, 0, 5000)).Upper,
            Is.EqualTo(1 - Math.Pow(.01 / 60, 1.0 / 5000)).Within(1e-12)
        );

    // Exactly at the promise it is undecided, until it is known well.
    [TestCase(0, 5000, .01, PromiseStatus.Kept)]
    [TestCase(25, 5000, .01, PromiseStatus.Kept)]
    [TestCase(50, 5000, .01, PromiseStatus.Undecided)]
    [TestCase(1000, 100_000, .01, PromiseStatus.Kept)]
    [TestCase(1150, 100_000, .01, PromiseStatus.Broken)]
    [TestCase(150, 5000, .01, PromiseStatus.Broken)]
    [TestCase(150, 5000, null, PromiseStatus.NotPromised)]
    public void A_promise_is_kept_broken_or_undecided_by_bounds_for_the_whole_table(
        long wrong,
        long trials,
        double? promised,
        PromiseStatus status
    ) => Assert.That(new PromiseRule(10).Judge(new(wrong, 0, trials), promised), Is.EqualTo(status));

    // Three counts apart: what needs its exception is not kept at the stated error, and 20 needs none.
    [TestCase(20, .01, .27, PromiseStatus.Kept)]
    [TestCase(1300, .01, .27, PromiseStatus.KeptWithException)]
    [TestCase(1300, .01, 0, PromiseStatus.Broken)]
    [TestCase(1700, .01, .27, PromiseStatus.Broken)]
    [TestCase(5000, .01, .99, PromiseStatus.KeptWithException)]
    [TestCase(5000, null, .99, PromiseStatus.NotPromised)]
    public void What_is_kept_by_its_exception_alone_is_counted_apart(
        long wrong,
        double? promised,
        double exception,
        PromiseStatus status
    ) => Assert.That(new PromiseRule(10).Judge(new(wrong, 0, 5000), promised, exception), Is.EqualTo(status));

    // 5000 simulations leave it open whether an error of .01 needs its exception; 100 000 do not, but of .011 they do.
    [TestCase(10, PromiseStatus.Kept, 100_000)]
    [TestCase(20, PromiseStatus.KeptWithException, 5000)]
    [TestCase(11, PromiseStatus.KeptWithException, 100_000)]
    [TestCase(200, PromiseStatus.Broken, 5000)]
    public void More_is_simulated_where_that_may_show_that_no_exception_is_needed(
        int perThousand,
        PromiseStatus expected,
        long trials
    )
    {
        var (count, status) = new PromiseRule(100).Decide(
            .01,
            (_, further) => new(further * perThousand / 1000, 0, further),
            exception: .05
        );
        Assert.That((status, count.Trials), Is.EqualTo((expected, trials)));
    }

    // A planted fault: a test whose error is three times its promise passed the rule that looks at the lower bound of
    // 150 simulations only. Seed 64.
    [TestCase(.008, PromiseStatus.Kept)]
    [TestCase(.01, PromiseStatus.Kept)]
    [TestCase(.014, PromiseStatus.Broken)]
    [TestCase(.03, PromiseStatus.Broken)]
    public void Simulations_go_on_until_the_promise_is_found_kept_or_broken(double error, PromiseStatus expected)
    {
        var result = PromiseTable.Run([PlantedAudit.Of(error)], 64, threads: 2).Single();
        Assert.That(result.Status, Is.EqualTo(expected), result.Count.ToString());
        Assert.That(result.Count.Trials, Is.AtMost(PromiseRule.MostTrials));
    }

    [Test]
    public void What_stays_undecided_has_the_most_simulations()
    {
        var (count, status) = new PromiseRule(100).Decide(.01, (_, trials) => new(trials * 11 / 1000, 0, trials));
        Assert.That((status, count.Trials), Is.EqualTo((PromiseStatus.Undecided, PromiseRule.MostTrials)));
    }

    [Test]
    public void The_table_is_the_same_with_any_number_of_threads() =>
        Assert.That(
            PromiseTable.Run([PlantedAudit.Of(.05)], 65, 700, 2).Single().Count,
            Is.EqualTo(PromiseTable.Run([PlantedAudit.Of(.05)], 65, 700, 1).Single().Count)
        );

    // Streams and bounds of a cell are those of the whole table, so a part can be looked at again.
    [Test]
    public void A_part_of_the_table_has_the_numbers_of_the_whole()
    {
        IPromiseAudit[] audits = [new VerdictPromiseAudit(), new TwoSampleAudit(Guarantee.Model)];
        const string Part = "0.01 of 2 comparisons, d 0.1, power|the second slower";
        var part = PromiseTable.Run(audits, 1, fewestTrials: 300, threads: 2, only: Part.ToUpperInvariant()).Single();
        var number = audits.SelectMany(audit => audit.Cells).TakeWhile(cell => cell.Key != part.Cell.Key).Count();
        Assert.That(number, Is.GreaterThan(500));
        Assert.That(
            part.Count,
            Is.EqualTo(PromiseTable.Simulate(part.Cell, 1, (ulong)number, 0, part.Count.Trials, threads: 2))
        );
        Assert.That(
            part.Bounds,
            Is.EqualTo(new PromiseRule(audits.Sum(audit => audit.Cells.Count), 300).Bounds(part.Count))
        );
    }

    // Seed 64: an error of .2 with a stated one of .01; .19 of exception excuse it, .05 do not.
    [TestCase(.19, PromiseStatus.KeptWithException)]
    [TestCase(.05, PromiseStatus.Broken)]
    [TestCase(0, PromiseStatus.Broken)]
    public void The_table_counts_the_exception_of_a_cell(double exception, PromiseStatus expected)
    {
        var result = PromiseTable.Run([PlantedAudit.Of(.2, exception)], 64, threads: 2).Single();
        Assert.That(result.Status, Is.EqualTo(expected), result.Count.ToString());
        Assert.That((result.Ratio, result.RatioToAllowed), Is.EqualTo((20, .2 / (.01 + exception))).Within(1.5));
    }
}
