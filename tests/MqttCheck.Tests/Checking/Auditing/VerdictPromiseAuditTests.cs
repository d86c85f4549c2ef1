using MqttCheck.Checking;
using MqttCheck.Checking.Auditing;

namespace MqttCheck.Tests.Checking.Auditing;

[TestFixture]
public sealed class VerdictPromiseAuditTests
{
    private static readonly IReadOnlyList<PromiseCell> s_cells = new VerdictPromiseAudit().Cells;

    [Test]
    public void Every_law_every_plan_and_both_guarantees_have_cells_and_every_cell_its_own_name()
    {
        Assert.Multiple(() =>
        {
            Assert.That(s_cells.Select(cell => cell.Key), Is.Unique);
            foreach (var law in RunLaw.All)
                foreach (var plan in VerdictPromiseAudit.Plans)
                    foreach (var guarantee in Enum.GetValues<Guarantee>())
                        Assert.That(s_cells.Any(cell => cell.Law == law && cell.Subject == plan.Name && cell.Guarantee == guarantee && cell.Situation == "p - d"), $"{law}, {plan.Name}, {guarantee}");
            Assert.That(s_cells.Where(cell => cell.Guarantee == Guarantee.Any), Has.All.Matches<PromiseCell>(cell => cell.Floor == 0), "what holds for any law needs no allowance");
            Assert.That(s_cells.Where(cell => !cell.Law.AreRunsIndependent), Has.All.Matches<PromiseCell>(cell => cell.Promise is null), "neither guarantee covers runs that depend on each other");
        });
    }

    // 1000 simulations of a few cells instead of 5000 of all: the command makes the table. An error of .01 at 300 times its promise would be found; so is the planted fault. Seed 72.
    [TestCase(Guarantee.Model, "run", "p - d", "beta-binomial, 8 x variance", false, PromiseStatus.Kept)]
    [TestCase(Guarantee.Model, "run", "p - d", "0.2 in 15% of the runs", false, PromiseStatus.Kept)]
    [TestCase(Guarantee.Model, "run", "p - d", "0.2 in 15% of the runs", true, PromiseStatus.Broken)]
    [TestCase(Guarantee.Any, "run", "p - d", "0.2 in 15% of the runs", false, PromiseStatus.Kept)]
    public void The_audit_finds_what_is_kept_and_what_is_not(Guarantee guarantee, string subject, string situation, string law, bool withoutFloor, PromiseStatus expected)
    {
        var cell = s_cells.Single(cell => cell.Guarantee == guarantee && cell.Subject == subject && cell.Situation == situation && cell.Law.Name == law);
        if (withoutFloor) cell = cell with { Floor = 0 };
        var (count, _) = (PromiseTable.Simulate(cell, 72, 0, 0, 2000, 2), 0);
        Assert.That(new PromiseRule(1, 2000).Judge(count, cell.Allowed), Is.EqualTo(expected), $"{count}, allowed {cell.Allowed}");
    }
}
