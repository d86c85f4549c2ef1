using MqttCheck.App.Progress;
using MqttCheck.App.Runs;
using MqttCheck.Auditing;
using MqttCheck.Auditing.Promises;
using MqttCheck.Verification;
using MqttCheck.Verification.Planning;
using static System.FormattableString;

namespace MqttCheck.App.Audit;

/// <summary>The stage from the statistical rules of this tool to what each keeps of what it promises.</summary>
internal static class AuditStage
{
    /// <summary>The smallest number of simulations of a promise, unless another is asked for.</summary>
    public const long FewestSimulations = PromiseRule.FewestTrials;

    /// <summary>The number of simulations after which an undecided promise stays undecided.</summary>
    public const int MostSimulations = (int)PromiseRule.MostTrials;

    /// <summary>Computes the true error of every rule on a grid of probabilities, one after the other.</summary>
    /// <param name="full">Whether the grid is fine, which takes long.</param>
    /// <param name="epsilon">The half width that estimation rules promise.</param>
    /// <param name="error">The error that every rule promises.</param>
    public static IEnumerable<AuditLine> Rules(Workplace place, bool full, double epsilon, double error)
    {
        var rules = RuleAudit.Rules(epsilon, error);
        var grid = full ? RuleAudit.FineGrid : RuleAudit.CoarseGrid;
        if (full)
            place.Progress.Note(
                $"{rules.Count} rules, each at {grid.Count} probabilities: about "
                    + "half a minute on two processors, a line as soon as it is computed"
            );
        return rules.Select(rule => rule.On(grid, Environment.ProcessorCount, place.Orderly));
    }

    /// <summary>Simulates verifications of right and wrong predictions, each law as soon as it is counted.</summary>
    /// <param name="verifications">How many make a line.</param>
    public static IEnumerable<VerificationAuditLine> Verdicts(
        Workplace place,
        IReadOnlyList<double> predictions,
        int verifications,
        ulong seed
    ) =>
        Plans()
            .SelectMany(plan =>
                VerificationAudit.Lines(
                    predictions,
                    plan.Options,
                    plan.BudgetRuns,
                    verifications,
                    seed,
                    Environment.ProcessorCount,
                    place.Orderly
                )
            );

    /// <summary>Simulates the cells of the table of promises; after an interruption, those until then.</summary>
    /// <param name="simulations">The smallest number of simulations of a cell.</param>
    /// <param name="only">A text that a cell must have; null for all cells.</param>
    /// <param name="found">Is told of each cell as soon as it is simulated.</param>
    /// <exception cref="InputException">No cell has the text.</exception>
    public static PromiseAnswer Promises(
        Workplace place,
        long simulations,
        string? only,
        ulong seed,
        Action<AuditedPromise> found
    )
    {
        var audits = PromiseAudits.All();
        var all = audits.Sum(audit => audit.Cells.Count);
        var cells = audits.Sum(audit => audit.Cells.Count(cell => cell.Has(only)));
        if (cells == 0)
            throw new InputException(
                $"audit --promises: --only is '{only}'; allowed: a text that one of the {all} cells has in "
                    + "its name, for example a law, a plan or a truth. Without --only each cell prints its name."
            );
        place.Progress.Note(
            Invariant($"{cells}{(cells < all ? $" of {all}" : "")} cells, {simulations} simulations of each ")
                + Invariant($"at least: {Duration(cells, all)} on two processors, a line as soon as it is computed")
        );
        var (promises, isInterrupted) = (new List<AuditedPromise>(), false);
        try
        {
            foreach (
                var result in PromiseTable.Run(
                    audits,
                    seed,
                    simulations,
                    Environment.ProcessorCount,
                    only,
                    place.Orderly
                )
            )
            {
                promises.Add(new(result, AuditedPromise.ShareBefore(result.Cell)));
                found(promises[^1]);
            }
        }
        catch (OperationCanceledException)
        {
            isInterrupted = true;
            place.Progress.Note(Invariant($"interrupted: {promises.Count} of {cells} cells are simulated"));
        }
        return new(promises, cells, isInterrupted);
    }

    // The whole table took 26 minutes on two processors.
    private static string Duration(int cells, int all) =>
        cells == all ? "about half an hour" : Invariant($"about {Math.Ceiling(30.0 * cells / all):0} min");

    // The audited plans are the smallest of 'run' and 'run --quick', with one look each, and two that
    // VerificationSchedule prefers. These two have more and shorter runs, several points, and further looks.
    private static IEnumerable<(VerificationOptions Options, int BudgetRuns)> Plans()
    {
        foreach (var plan in new[] { RunPlan.Full, RunPlan.Quick })
            yield return (
                new()
                {
                    Error = plan.Error,
                    Indifference = plan.Indifference,
                    MinimumRuns = plan.Runs,
                    PlannedRuns = plan.Runs,
                },
                plan.Runs
            );
        var full = new VerificationOptions { Error = RunPlan.Full.Error, Indifference = RunPlan.Full.Indifference };
        yield return (full with { PlannedRuns = 11 }, 11);
        yield return (
            full with
            {
                MinimumRuns = VerificationSchedule.MostRuns,
                PlannedRuns = VerificationSchedule.MostRuns,
                Points = 2,
            },
            VerificationSchedule.MostRuns + 2
        );
    }
}
