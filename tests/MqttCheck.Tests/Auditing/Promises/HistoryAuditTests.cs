using MqttCheck.Auditing.Promises;

namespace MqttCheck.Tests.Auditing.Promises;

[TestFixture]
public sealed class HistoryAuditTests
{
    private const ulong Seed = 73;

    private static readonly IReadOnlyList<PromiseCell> s_cells = new HistoryAudit().Cells;

    private static IEnumerable<string> Longest =>
        s_cells.Where(cell => cell.Subject == "history of 1000 results").Select(cell => cell.Key);

    // There would be about 60 if the error was spent anew after 200 results.
    [Test]
    public void Of_all_laws_together_few_histories_longer_than_a_look_show_a_change()
    {
        var cells = s_cells.Where(cell => cell.Subject == "history of 250 results").ToArray();
        Assert.That(cells, Has.Length.EqualTo(7));
        var wrong = cells.Sum(cell => PromiseTable.Simulate(cell, Seed, 0, 0, 60, threads: 2).Wrong);
        // 99.9 % of a binomial law of 420 with the stated rate are 36 or less: qbinom(.999, 420, .05).
        Assert.That(wrong, Is.AtMost(36), $"seed {Seed}");
    }

    // 'mqttcheck audit --promises' decides by thousands of histories; these show that none of the laws breaks it.
    [TestCaseSource(nameof(Longest))]
    [Category("Whole")]
    public void A_thousand_results_keep_the_promise_under_every_law(string key)
    {
        var cell = s_cells.Single(cell => cell.Key == key);
        var wrong = PromiseTable.Simulate(cell, Seed, 1, 0, 100, threads: 2).Wrong;
        // 99.99 % of a binomial law of 100 with the stated rate are 15 or less: qbinom(.9999, 100, .05).
        Assert.That(wrong, Is.AtMost(15), $"seed {Seed}");
    }
}
