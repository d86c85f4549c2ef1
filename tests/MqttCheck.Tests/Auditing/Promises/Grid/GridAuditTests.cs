using MqttCheck.Auditing.Promises;
using MqttCheck.Auditing.Promises.Grid;
using MqttCheck.Sequential.Runs;

namespace MqttCheck.Tests.Auditing.Promises.Grid;

[TestFixture]
public sealed class GridAuditTests
{
    private static readonly IReadOnlyList<PromiseCell> s_all = AllCells.Value;
    private static readonly IReadOnlyList<PromiseCell> s_verdicts = new VerdictGridAudit(Guarantee.Model).Cells;

    [Test]
    public void Every_cell_of_the_whole_table_has_its_own_name() =>
        Assert.That(s_all.Select(cell => cell.Key), Is.Unique);

    [TestCase("0.5 ±"), TestCase("0.98 ±"), TestCase("d 0.02"), TestCase("d 0.15"), TestCase("grid, 3 runs")]
    [TestCase("grid, 43 runs"), TestCase("grid, 20 to 23 runs"), TestCase("|L|"), TestCase("|between p and p - e|")]
    [TestCase("rho 0.4"), TestCase("0.5 in 30% of the runs")]
    public void The_draw_reaches_every_end_of_the_grid(string part) =>
        Assert.That(s_verdicts.Count(cell => cell.Has(part)), Is.GreaterThan(10));

    [TestCase("grid, 20 runs, error 0.01", "0.85 ± 0.02, d 0.1", "p + e")]
    [TestCase("grid, 14 runs, error 0.01", "0.85 ± 0.02, d 0.1", "p - e")]
    [TestCase("grid, 10 runs, error 0.01", "0.9 ± 0.02, d 0.05", "p + e")]
    [TestCase("grid, 8 runs, error 0.01", "0.98 ± 0.02, d 0.05", "p - e")]
    public void Critical_plans_are_there_with_every_promised_correlation(
        string subject,
        string variant,
        string truth
    ) =>
        Assert.That(
            s_verdicts
                .Where(cell => (cell.Subject, cell.Variant, cell.Situation) == (subject, variant, truth))
                .Select(cell => cell.LawName),
            Is.SupersetOf(GridLaws.Promised.Select(law => law.Name))
        );

    [Test]
    public void Correlations_above_the_largest_one_are_outside_of_the_model_and_inside_of_any()
    {
        var cells = s_all
            .Where(cell => cell.Law is { } law && GridLaws.Beyond.Contains(law))
            .ToLookup(cell => cell.Guarantee);
        Assert.That(cells[Guarantee.Model], Is.Not.Empty.And.All.Matches<PromiseCell>(cell => cell.Promise is null));
        Assert.That(cells[Guarantee.Any], Is.Not.Empty.And.All.Matches<PromiseCell>(cell => cell.Promise is not null));
    }
}
