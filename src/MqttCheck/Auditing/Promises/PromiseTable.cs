using MqttCheck.Statistics;

namespace MqttCheck.Auditing.Promises;

/// <summary>Simulates the cells of audits, and judges all of them together by <see cref="PromiseRule"/>.</summary>
internal static class PromiseTable
{
    private const int Block = 250;

    /// <summary>Simulates every cell.</summary>
    /// <param name="audits">The audits, with at least one cell.</param>
    /// <param name="seed">The seed: measurement i of cell c draws from the stream (seed, c, i).</param>
    /// <param name="fewestTrials">The smallest number of simulations of a cell.</param>
    /// <param name="threads">How many threads share the work, 1 or more; the result is the same for any number.</param>
    /// <param name="only">
    /// A text that <see cref="PromiseCell.Key"/> must have; null for all cells. A cell has the same numbers either way:
    /// its streams and its bounds are those of the whole table.
    /// </param>
    /// <param name="cancellation">Stops between two blocks of simulations.</param>
    /// <returns>One line as soon as it is computed.</returns>
    public static IEnumerable<PromiseResult> Run(
        IReadOnlyList<IPromiseAudit> audits,
        ulong seed,
        long fewestTrials = PromiseRule.FewestTrials,
        int threads = 1,
        string? only = null,
        CancellationToken cancellation = default
    )
    {
        var cells = audits.SelectMany(audit => audit.Cells.Select(cell => (audit, cell))).ToArray();
        var rule = new PromiseRule(cells.Length, fewestTrials);
        return cells
            .Select((pair, number) => (pair.audit, pair.cell, Number: (ulong)number))
            .Where(one => one.cell.Has(only))
            .Select(one =>
            {
                var (count, status) = rule.Decide(
                    one.cell.Promise,
                    (first, trials) => Simulate(one.cell, seed, one.Number, first, trials, threads, cancellation),
                    one.cell.Floor
                );
                return new PromiseResult(one.audit, one.cell, count, rule.Bounds(count), status);
            });
    }

    /// <summary>Simulates measurements of one cell.</summary>
    /// <param name="cell">The cell.</param>
    /// <param name="seed">The seed.</param>
    /// <param name="number">The number of the cell.</param>
    /// <param name="first">The number of the first measurement.</param>
    /// <param name="trials">How many.</param>
    /// <param name="threads">How many threads share the work.</param>
    /// <param name="cancellation">Stops between two blocks of simulations.</param>
    public static PromiseCount Simulate(
        PromiseCell cell,
        ulong seed,
        ulong number,
        long first,
        long trials,
        int threads = 1,
        CancellationToken cancellation = default
    )
    {
        var counts = new PromiseCount[(int)((trials + Block - 1) / Block)];
        Parallel.For(
            0,
            counts.Length,
            new() { MaxDegreeOfParallelism = threads, CancellationToken = cancellation },
            block =>
            {
                long wrong = 0,
                    withheld = 0,
                    from = (long)block * Block,
                    to = Math.Min(trials, from + Block);
                for (var trial = from; trial < to; trial++)
                {
                    var outcome = cell.Trial(RandomStream.For(seed, number, (ulong)(first + trial)));
                    if (outcome == TrialOutcome.Wrong)
                        wrong++;
                    else if (outcome == TrialOutcome.Withheld)
                        withheld++;
                }
                counts[block] = new(wrong, withheld, to - from);
            }
        );
        return counts.Aggregate(default(PromiseCount), (sum, count) => sum + count);
    }
}
