using System.Diagnostics;
using MqttCheck.App.Clusters.Survival;
using MqttCheck.Cli.Terminal;
using MqttCheck.Sequential;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Cli.Survives;

/// <summary>The table of what survives in words.</summary>
internal static class SurvivesText
{
    private static readonly Dictionary<string, string> s_short = new()
    {
        ["qos1"] = "QoS 1",
        ["qos2"] = "QoS 2",
        ["shared-subscriptions"] = "shared",
        ["take-over"] = "take-over",
    };

    /// <summary>A cell in words.</summary>
    public static string Words(SurvivalCell cell, SurvivalPlan plan) =>
        cell.Verdict switch
        {
            SurvivalVerdict.Survives => Invariant(
                $"lost none in {Counted.Of(cell.Runs, "run")}: at most {Percent(plan, cell)}"
            ),
            SurvivalVerdict.Lost => $"No: {Loss(cell)}, in {cell.Losses} of {Counted.Of(cell.Runs, "run")}",
            SurvivalVerdict.NotPromised => $"not promised: {cell.Why}",
            SurvivalVerdict.NotTried => $"not tried: {cell.Why}",
            SurvivalVerdict.Undecided => cell.Why.Length > 0 ? $"not decided: {cell.Why}" : "not decided: no run ended",
            _ => throw new UnreachableException(),
        };

    /// <summary>A cell in the fewest words.</summary>
    public static string Short(SurvivalCell cell, SurvivalPlan plan) =>
        cell.Verdict switch
        {
            SurvivalVerdict.Survives => Invariant($"<= {Percent(plan, cell)} in {cell.Runs}"),
            SurvivalVerdict.Lost => $"No: {ShortLoss(cell)}",
            SurvivalVerdict.NotPromised => "not promised",
            SurvivalVerdict.NotTried => "not tried",
            SurvivalVerdict.Undecided => "not decided",
            _ => throw new UnreachableException(),
        };

    /// <summary>The loss in words.</summary>
    public static string Loss(SurvivalCell cell)
    {
        var first = cell.First!.Value;
        if (first.Of == 0)
            return Invariant($"broken {Counted.Of(first.Lost, "time")}");
        List<string> parts = [];
        if (first.Lost > 0)
            parts.Add(
                Invariant($"lost {first.Lost} of {first.Of}")
                    + (
                        first.Forgotten == 0 ? ""
                        : first.Forgotten == first.Lost ? ", all of sessions that the broker forgot"
                        : Invariant($", {first.Forgotten} of these of sessions that the broker forgot")
                    )
            );
        if (first.Repeated > 0)
            parts.Add(Invariant($"repeated {first.Repeated} of {first.Of}"));
        return string.Join(" and ", parts);
    }

    /// <summary>The answer in a sentence.</summary>
    public static string Answer(SurvivalAnswer answer)
    {
        var lost = answer.Lost;
        if (lost.Count > 0)
            return "No: "
                + string.Join(
                    "; ",
                    answer
                        .Table.Rows.Select(row => (Row: row, Cells: lost.Where(cell => cell.Row == row).ToList()))
                        .Where(group => group.Cells.Count > 0)
                        .GroupBy(group => Things(group.Cells), group => group.Row.Title)
                        .Select(group => $"{group.Key} are lost where {And(group)}")
                );
        return answer.Conclusion switch
        {
            Conclusion.Success => "Yes: nothing was lost in "
                + Invariant(
                    $"{Counted.Of(answer.Runs, "run")} with {Counted.Of(answer.Table.TriedRows.Count, "fault")}"
                ),
            Conclusion.Interrupted => Invariant(
                $"Interrupted: nothing was lost in {Counted.Of(answer.Runs, "run")} so far"
            ),
            Conclusion.Withheld or Conclusion.Failed or Conclusion.Refuted => Invariant(
                $"Not decided: nothing was lost in {Counted.Of(answer.Runs, "run")}, and "
            )
                + string.Join(", ", Open(answer))
                + " are open",
            _ => throw new UnreachableException(),
        };
    }

    /// <summary>The faults that lost nothing, in a sentence; empty without one.</summary>
    public static string Survivors(SurvivalAnswer answer)
    {
        var whole = answer
            .Table.TriedRows.Where(row =>
                answer.Table.Cells[row].All(cell => !cell.IsTried || cell.Verdict == SurvivalVerdict.Survives)
            )
            .Select(row => row.Title)
            .ToList();
        return whole.Count == 0 ? "" : $"Nothing was lost where {And(whole)}.";
    }

    /// <summary>The meaning of the numbers, a sentence each.</summary>
    public static IEnumerable<string> Meaning(SurvivalAnswer answer)
    {
        var plan = answer.Plan;
        if (answer.Surviving.Count > 0)
            yield return Invariant(
                $"'at most X %': of runs with this fault at most so many lose something. All {plan.Cells} "
            )
                + Invariant(
                    $"cells together say too little with a probability of at most {plan.Error:0.####}, so that each "
                )
                + Invariant($"has an error of {plan.CellError:0.######}: X = 1 - {plan.CellError:0.######}^(1/runs).");
        foreach (var (column, why) in answer.Table.Unpromised)
            yield return $"Not promised: {column.Title}: {why}.";
        foreach (
            var cell in answer
                .Table.Rows.Select(row => answer.Table.Cells[row].FirstOrDefault(IsOpen))
                .OfType<SurvivalCell>()
        )
            yield return $"{cell.Row.Title}: {Words(cell, plan)}";
    }

    /// <summary>Planned and taken time.</summary>
    public static string Time(SurvivalAnswer answer) =>
        $"time: planned about {Minutes(answer.Planned)}, taken {Minutes(answer.Taken)}";

    /// <summary>Prints the answer.</summary>
    public static void Print(Screen screen, SurvivalAnswer answer, Func<SurvivalCell, string> repeat)
    {
        var (table, plan) = (answer.Table, answer.Plan);
        var text = new TextTable([
            "fault",
            .. table.Columns.Select(column => s_short.GetValueOrDefault(column.Name, column.Name)),
        ]);
        foreach (var row in table.Rows)
            text.Add([row.Title, .. table.Columns.Select(column => (TableCell)Short(table[row, column], plan))]);
        text.Print(screen);
        screen.Line();
        screen.Line(Answer(answer));
        foreach (var cell in answer.Lost)
        {
            screen.Line(Invariant($"lost: {cell.Row.Title}: {cell.Column.Title}: {Words(cell, plan)}"));
            if (cell.First!.Value.Example is { Length: > 0 } example)
                screen.Line($"      {example}");
            screen.Line($"      repeat: {repeat(cell)}");
        }
        screen.Lines(Meaning(answer));
        screen.Line(Time(answer));
    }

    private static string Things(IEnumerable<SurvivalCell> cells) => And(cells.Select(cell => cell.Column.Title));

    private static string And(IEnumerable<string> words)
    {
        var all = words.ToList();
        return all.Count < 2 ? string.Concat(all) : $"{string.Join(", ", all.SkipLast(1))} and {all[^1]}";
    }

    private static IEnumerable<string> Open(SurvivalAnswer answer) =>
        answer.Table.All.Where(IsOpen).Select(cell => cell.Row.Title).Distinct();

    private static bool IsOpen(SurvivalCell cell) =>
        cell.Verdict is SurvivalVerdict.NotTried or SurvivalVerdict.Undecided;

    private static string ShortLoss(SurvivalCell cell)
    {
        var first = cell.First!.Value;
        return first.Of == 0 ? Invariant($"{first.Lost} times")
            : first.Lost > 0 ? Invariant($"{first.Lost} of {first.Of}")
            : Invariant($"{first.Repeated} twice");
    }

    private static string Percent(SurvivalPlan plan, SurvivalCell cell) =>
        Invariant($"{Math.Ceiling(plan.AtMost(cell.Runs) * 1000) / 10:0.#} %");

    private static string Minutes(TimeSpan time) =>
        time.TotalMinutes < 2 ? Invariant($"{time.TotalSeconds:0} s") : Invariant($"{time.TotalMinutes:0.0} min");
}
