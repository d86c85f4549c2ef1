using System.Text;
using MqttCheck.App.Audit;
using static System.FormattableString;

namespace MqttCheck.Cli.Audit;

/// <summary>The tables of the page of promises: one line for many cells, with the worst of them.</summary>
internal static class PromiseTables
{
    /// <summary>A line for each audit, in their order.</summary>
    public static void All(StringBuilder text, IReadOnlyList<PromiseGroup> audits) =>
        Table(text, "audit", audits, hasDetail: false);

    /// <summary>A line for each subject of an audit, and one for each law; the worst comes first.</summary>
    public static void OfAudit(StringBuilder text, PromiseGroup audit)
    {
        Table(text, "subject", audit.By(result => result.Cell.Subject));
        if (audit.By(result => result.Cell.LawName) is { Count: > 1 } laws)
            Table(text, "law", laws);
    }

    private static void Table(
        StringBuilder text,
        string what,
        IReadOnlyList<PromiseGroup> groups,
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
            var (tally, worst) = (group.Tally, group.Worst);
            var cell = worst.Cell;
            var promised = worst.Ratio is { } ratio
                ? Invariant($"{cell.Promise:0.0000} | {(cell.Floor > 0 ? Invariant($"{cell.Floor:0.0000}") : "")} ")
                    + Invariant($"| {ratio:0.00} |")
                : "outside | | |";
            text.AppendLine(
                Invariant($"| {group.Name} | {tally.Kept} | {tally.WithException} | {tally.Broken} ")
                    + Invariant($"| {tally.Undecided} | {tally.Outside} | {Worst(group, hasDetail)} ")
                    + Invariant($"| {worst.Count.WrongShare:0.0000} | {promised}")
            );
        }
        text.AppendLine();
    }

    // The name of a cell leaves out the part that the line says already.
    private static string Worst(PromiseGroup group, bool hasDetail)
    {
        var cell = group.Worst.Cell;
        return string.Join(
            "; ",
            new[] { cell.Subject, cell.Variant, cell.Situation, cell.LawName, hasDetail ? cell.Detail : "" }.Where(
                part => part.Length > 0 && part != group.Name
            )
        );
    }
}
