using MqttCheck.Auditing;
using MqttCheck.Auditing.Promises;
using MqttCheck.Cli.Terminal;
using MqttCheck.Verification;

namespace MqttCheck.Cli.Audit;

/// <summary>The lines of an audit for JSON: the values that the text prints line by line, and rounds.</summary>
internal sealed class AuditTables(Screen screen)
{
    private readonly TextTable _rules = new("rule", "promised", "true", "at p", "samples", "guarantee", "kept");
    private readonly TextTable _verdicts = new(
        "runs",
        "points",
        "error",
        "predicted",
        "truth",
        "law",
        "per run",
        "confirmed",
        "worse",
        "better",
        "withheld",
        "wrong",
        "promised",
        "broken"
    );
    private readonly TextTable _promises = new(
        "status",
        "guarantee",
        "subject",
        "variant",
        "law",
        "situation",
        "wrong",
        "interval",
        "promised",
        "exception",
        "before",
        "withheld",
        "simulations"
    );

    /// <summary>Adds a rule.</summary>
    public void Add(AuditLine line)
    {
        _rules.Add(
            line.Rule,
            TableCell.Of(line.Promised),
            TableCell.Of(line.Worst),
            TableCell.Of(line.AtProbability),
            TableCell.Of(line.LargestExpectedSamples),
            YesNo(line.IsGuarantee),
            YesNo(line.IsKept)
        );
        _rules.Record(screen);
    }

    /// <summary>Adds the verdicts on one prediction under one law.</summary>
    /// <param name="runs">How many runs a verification makes, in words.</param>
    public void Add(VerificationAuditLine line, VerificationOptions options, string runs)
    {
        var tally = line.Tally;
        TableCell Share(int count) => TableCell.Of((double)count / tally.Total);
        _verdicts.Add(
            runs,
            options.Points,
            TableCell.Of(options.PointError),
            TableCell.Of(line.Predicted),
            TableCell.Of(line.Truth),
            line.Law.Name,
            line.Sequences,
            Share(tally.Confirmed),
            Share(tally.Worse),
            Share(tally.Better),
            Share(tally.Withheld),
            Share(tally.Wrong),
            YesNo(line.IsPromised),
            YesNo(line.IsBroken)
        );
        _verdicts.Record(screen);
    }

    /// <summary>Adds a cell of the table of promises.</summary>
    /// <param name="before">The share of wrong answers in the version before; null where it had no such cell.</param>
    public void Add(PromiseResult result, double? before)
    {
        var (cell, count) = (result.Cell, result.Count);
        _promises.Add(
            PromisePage.Word(result.Status),
            $"{cell.Guarantee}",
            cell.Subject,
            cell.Variant,
            cell.LawName,
            cell.Situation,
            TableCell.Of(count.WrongShare),
            TableCell.Of(result.Bounds),
            TableCell.Of(cell.Promise),
            TableCell.Of(cell.Promise is null ? null : cell.Floor),
            TableCell.Of(before),
            TableCell.Of(count.WithheldShare),
            count.Trials
        );
        _promises.Record(screen);
    }

    private static string YesNo(bool isSo) => isSo ? "yes" : "no";
}
