using System.Diagnostics;
using System.Text;
using MqttCheck.Auditing.Promises;
using static System.FormattableString;

namespace MqttCheck.Cli.Audit;

/// <summary>The tables of the page of promises: one line for many cells, with the worst of them.</summary>
internal static class PromiseTables
{
    /// <summary>A line for each audit, in their order.</summary>
    public static void All(StringBuilder text, IReadOnlyList<PromiseResult> results) =>
        Table(text, "audit", results.GroupBy(result => result.Audit.Title), hasDetail: false);

    /// <summary>A line for each subject of an audit, and one for each law; the worst comes first.</summary>
    public static void OfAudit(StringBuilder text, IReadOnlyList<PromiseResult> results)
    {
        Table(text, "subject", WorstFirst(results.GroupBy(result => result.Cell.Subject)));
        if (results.Select(result => result.Cell.LawName).Distinct().Skip(1).Any())
            Table(text, "law", WorstFirst(results.GroupBy(result => result.Cell.LawName)));
    }

    /// <summary>
    /// The worst of some cells: broken before undecided before kept ones, then the one whose error is the most times
    /// what is allowed; where nothing is promised the largest error.
    /// </summary>
    public static PromiseResult Worst(IEnumerable<PromiseResult> results) => results.MaxBy(Badness)!;

    private static (int Rank, double Ratio) Badness(PromiseResult result) =>
        result.Status switch
        {
            PromiseStatus.Broken => (3, result.RatioToAllowed!.Value),
            PromiseStatus.Undecided => (2, result.RatioToAllowed!.Value),
            // The ratio to the stated error comes first, so promises that need their exception precede those that do
            // not.
            PromiseStatus.Kept or PromiseStatus.KeptWithException => (1, result.Ratio!.Value),
            PromiseStatus.NotPromised => (0, result.Count.WrongShare),
            _ => throw new UnreachableException(),
        };

    private static IEnumerable<IGrouping<string, PromiseResult>> WorstFirst(
        IEnumerable<IGrouping<string, PromiseResult>> groups
    ) => groups.OrderByDescending(group => Badness(Worst(group)));

    private static void Table(
        StringBuilder text,
        string what,
        IEnumerable<IGrouping<string, PromiseResult>> groups,
        bool hasDetail = true
    )
    {
        text.AppendLine(
            $"| {what} | kept | with the exception | broken | undecided | outside "
                + "| worst cell | its error | stated | exception | times stated |"
        );
        text.AppendLine("|---|---|---|---|---|---|---|---|---|---|---|");
        foreach (var group in groups)
        {
            var tally = PromiseTally.Of([.. group]);
            var worst = Worst(group);
            var cell = worst.Cell;
            var promised = worst.Ratio is { } ratio
                ? Invariant($"{cell.Promise:0.0000} | {(cell.Floor > 0 ? Invariant($"{cell.Floor:0.0000}") : "")} ")
                    + Invariant($"| {ratio:0.00} |")
                : "outside | | |";
            text.AppendLine(
                Invariant($"| {group.Key} | {tally.Kept} | {tally.WithException} | {tally.Broken} ")
                    + Invariant($"| {tally.Undecided} | {tally.Outside} | {Name(cell, group.Key, hasDetail)} ")
                    + Invariant($"| {worst.Count.WrongShare:0.0000} | {promised}")
            );
        }
        text.AppendLine();
    }

    // The name of a cell leaves out the part that the line says already.
    private static string Name(PromiseCell cell, string said, bool hasDetail) =>
        string.Join(
            "; ",
            new[] { cell.Subject, cell.Variant, cell.Situation, cell.LawName, hasDetail ? cell.Detail : "" }.Where(
                part => part.Length > 0 && part != said
            )
        );
}
