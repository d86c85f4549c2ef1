using System.Globalization;
using MqttCheck.App.Audit;
using MqttCheck.App.Progress;
using MqttCheck.Cli.Terminal;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Cli.Audit;

/// <summary>The errors of rules and of verdicts, line by line; JSON has the values that the lines round.</summary>
internal sealed class AuditText(Screen screen)
{
    // A negative width is that of a text, which begins at the left.
    private static readonly int[] s_rule = [-60, 8, 9, 7, 8],
        s_verdicts = [7, 6, 5, 9, 6, -32, 7, 9, 6, 6, 8, 6];

    private readonly List<AuditPlots.Row> _audited = [];

    /// <summary>The lines that were printed.</summary>
    public IReadOnlyList<AuditPlots.Row> Audited => _audited;

    private int Broken => _audited.Count(row => row is { IsGuarantee: true, IsKept: false });

    /// <summary>Prints the true error of every rule beside its promise.</summary>
    public Conclusion Rules(Workplace place, bool full, double epsilon, double error)
    {
        var started = screen.Time.GetTimestamp();
        var lines = AuditStage.Rules(place, full, epsilon, error);
        string[] headings = ["rule", "promised", "true", "at p", "samples"];
        var table = new TextTable([.. headings, "guarantee", "kept"]);
        table.Record(screen);
        screen.Line(Aligned(headings, s_rule));
        foreach (var line in lines)
        {
            TableCell[] cells =
            [
                line.Rule,
                Number(line.Promised, "0.#####"),
                Number(line.Worst, "0.000000"),
                Number(line.AtProbability, "0.####"),
                Number(line.LargestExpectedSamples, "0"),
            ];
            table.Add([.. cells, YesNo(line.IsGuarantee), YesNo(line.IsKept)]);
            _audited.Add(new(line.Rule, line.Promised, line.Worst, line.IsGuarantee, line.IsKept));
            screen.Line(
                Aligned(cells.Select(cell => cell.Text), s_rule)
                    + (line.IsGuarantee, line.IsKept) switch
                    {
                        (true, true) => "",
                        (true, false) => "  BROKEN",
                        (false, true) => "  no guarantee",
                        (false, false) => "  broken, no guarantee",
                    }
            );
        }
        screen.Note(Invariant($"computed in {screen.Time.GetElapsedTime(started).TotalSeconds:0.0} s"));
        screen.Line();
        screen.Line(
            Broken == 0
                ? "Every rule that is offered as a guarantee keeps its promise at every probability of the grid."
                : $"{Broken} rules that are offered as guarantees break their promise."
        );
        return Conclusions.Of(Broken == 0);
    }

    /// <summary>Prints the verdicts of simulated verifications.</summary>
    /// <param name="verifications">How many make a line.</param>
    public Conclusion Verdicts(Workplace place, double[] predictions, int verifications, ulong seed)
    {
        string[] before = ["runs", "points", "error", "predicted", "truth"],
            after = ["per run", "confirmed", "worse", "better", "withheld", "wrong"];
        var table = new TextTable([.. before, "law", .. after, "promised", "broken"]);
        table.Record(screen);
        screen.Line(Aligned([.. before, "runs", .. after], s_verdicts));
        foreach (var line in AuditStage.Verdicts(place, predictions, verifications, seed))
        {
            var (options, law, tally) = (line.Options, line.Law.Name, line.Tally);
            var runs =
                line.BudgetRuns == options.MinimumRuns
                    ? line.BudgetRuns.ToString(CultureInfo.InvariantCulture)
                    : Invariant($"{options.MinimumRuns}..{line.BudgetRuns}");
            int[] counts = [tally.Confirmed, tally.Worse, tally.Better, tally.Withheld, tally.Wrong];
            TableCell[] cells =
            [
                runs,
                options.Points,
                Number(options.PointError, "0.###"),
                Number(line.Predicted, "0.###"),
                Number(line.Truth, "0.###"),
                law,
                line.Sequences,
                .. counts.Select(count => Number((double)count / tally.Total, "0.000")),
            ];
            table.Add([.. cells, YesNo(line.IsPromised), YesNo(line.IsBroken)]);
            _audited.Add(
                new(
                    Invariant($"{runs} runs, {line.Predicted:0.###} predicted, ")
                        + Invariant($"{line.Truth:0.###} true, {law}, {line.Sequences} per run"),
                    options.PointError,
                    (double)tally.Wrong / tally.Total,
                    line.IsPromised,
                    !line.IsBroken
                )
            );
            screen.Line(
                Aligned(cells.Select(cell => cell.Text), s_verdicts)
                    + (
                        line.IsBroken ? "  BROKEN"
                        : line.IsPromised ? ""
                        : "  not promised"
                    )
            );
        }
        screen.Line();
        screen.Line(
            Invariant($"{verifications} verifications a line. ")
                + (Broken == 0 ? "No rate" : Invariant($"In {Broken} lines the rate"))
                + " of wrong verdicts exceeds the stated error by its 99 % lower bound."
        );
        return Conclusions.Of(Broken == 0);
    }

    private static TableCell Number(double value, string format) =>
        TableCell.Of(value, value.ToString(format, CultureInfo.InvariantCulture));

    private static string Aligned(IEnumerable<string> cells, int[] widths) =>
        string.Join(' ', cells.Zip(widths, (cell, width) => width < 0 ? cell.PadRight(-width) : cell.PadLeft(width)));

    private static string YesNo(bool isSo) => isSo ? "yes" : "no";
}
