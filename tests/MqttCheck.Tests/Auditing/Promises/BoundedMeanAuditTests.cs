using MqttCheck.Auditing.Promises;
using MqttCheck.Sequential.Runs;

namespace MqttCheck.Tests.Auditing.Promises;

[TestFixture]
internal sealed class BoundedMeanAuditTests
{
    private static readonly IReadOnlyList<PromiseCell> s_cells = new BoundedMeanAudit().Cells;

    [Test]
    public void Every_cell_has_its_own_name_and_promises_something_for_independent_runs_of_every_law()
    {
        Assert.That(s_cells.Select(cell => cell.Key), Is.Unique);
        Assert.That(
            s_cells.Where(cell => cell.Guarantee == Guarantee.Any),
            Has.All.Matches<PromiseCell>(cell => cell.Promise is not null == cell.Law!.AreRunsIndependent)
        );
        Assert.That(
            s_cells.Where(cell => cell.Guarantee == Guarantee.Model),
            Has.All.Matches<PromiseCell>(cell => cell.Promise is null && cell.Subject.Contains("Student"))
        );
    }

    // Seed 73; wrong by the 99 % bounds of the rule in at most .01 of the seeds. Student's interval is broken: its
    // error of .05 would be .34 here, without the experiments in which no run differs.
    [TestCase("mean, error 0.05", "5 runs, truth 0.0036", .05, PromiseStatus.Kept)]
    [TestCase("mean, error 0.05", "20 runs, truth 0.05", .05, PromiseStatus.Kept)]
    [TestCase("mean, error 0.05", "8 runs, truth 0.92", .05, PromiseStatus.Kept)]
    [TestCase("mean, error 0.05", "3 runs, truth 0.5", .05, PromiseStatus.Kept)]
    [TestCase("mean, error 0.05", "20 runs, truth 0.98", .05, PromiseStatus.Kept)]
    [TestCase("mean, error 0.05", "20 runs, truth 0.85", .05, PromiseStatus.Kept)]
    [TestCase("ratio of two alike, error 0.05", "3 runs, truth 0.05", .05, PromiseStatus.Kept)]
    [TestCase("ratio of two alike, error 0.05", "20 runs, truth 0.05", .05, PromiseStatus.Kept)]
    [TestCase("mean, Student's interval, error 0.05", "100 runs, truth 0.05", .05, PromiseStatus.Broken)]
    public void The_audit_finds_what_is_kept_and_what_is_not(
        string subject,
        string variant,
        double promise,
        PromiseStatus expected
    )
    {
        var cell = s_cells.First(cell => cell.Subject == subject && cell.Variant == variant);
        var (count, status) = new PromiseRule(1, 2000).Decide(
            promise,
            (first, trials) => PromiseTable.Simulate(cell, 73, 0, first, trials, 2)
        );
        Assert.That(status, Is.EqualTo(expected), $"{count}");
    }

    // Student's interval over the pairs said so in .54, .58 and .43 of the comparisons. 2000 comparisons, seed 74.
    [TestCase(3)]
    [TestCase(5)]
    [TestCase(8)]
    public void A_difference_that_rare_pairs_make_is_not_said_to_be_none(int pairs)
    {
        var cell = s_cells.First(cell =>
            cell.Subject.StartsWith("difference within", StringComparison.Ordinal)
            && cell.Variant == $"{pairs} runs, truth 0.92"
            && cell.Law!.RareShare > 0
        );
        Assert.That(PromiseTable.Simulate(cell, 74, 0, 0, 2000, 2).Wrong, Is.Zero);
    }
}
