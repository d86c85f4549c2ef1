using MqttCheck.App.Audit;
using MqttCheck.Auditing.Promises;
using MqttCheck.Cli.Terminal;
using MqttCheck.Text;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Cli.Audit;

/// <summary>The table of promises, line by line, and as a page with its table.</summary>
internal sealed class PromiseText(Screen screen)
{
    private readonly TextTable _table = new(
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

    /// <summary>Simulates the promises, and prints each as soon as it is simulated.</summary>
    /// <param name="page">The page to write; null for none.</param>
    public Conclusion Run(Interruption interruption, long simulations, string? only, string? page, ulong seed)
    {
        if (page is not null)
            OutputPath.RequireWritable(page, "--output");
        var started = screen.Time.GetTimestamp();
        var answer = AuditStage.Promises(interruption.At(screen), simulations, only, seed, Print);
        if (answer.Promises.Count == 0)
            return Conclusion.Interrupted;
        var command =
            "mqttcheck audit --promises --simulations "
            + Invariant($"{simulations}{(only is null ? "" : $" --only '{only}'")} --seed {seed}");
        if (page is not null)
        {
            // The name without its folder: the page is the same wherever it is written.
            var written = command + $" --output {Path.GetFileName(page)}";
            var seconds = screen.Time.GetElapsedTime(started).TotalSeconds;
            var table = Path.ChangeExtension(page, ".csv");
            AtomicFile.Write(page, PromisePage.Write(answer, written, Path.GetFileName(table), seconds));
            AtomicFile.Write(table, PromiseCsv.Write(answer.Promises));
        }
        screen.Line();
        screen.Line($"{answer.Tally}");
        screen.Line("repeat: " + command);
        return answer.Conclude();
    }

    private void Print(AuditedPromise promise)
    {
        var ((_, cell, count, bounds, status), before) = promise;
        _table.Add(
            PromisePage.Word(status),
            $"{cell.Guarantee}",
            cell.Subject,
            cell.Variant,
            cell.LawName,
            cell.Situation,
            TableCell.Of(count.WrongShare),
            TableCell.Of(bounds),
            TableCell.Of(cell.Promise),
            TableCell.Of(cell.Promise is null ? null : cell.Floor),
            TableCell.Of(before),
            TableCell.Of(count.WithheldShare),
            count.Trials
        );
        _table.Record(screen);
        screen.Line(
            Invariant($"{PromisePage.Word(status), -9} {cell.Guarantee, -5} {cell.Subject} ")
                + Invariant($"{cell.Variant}, {cell.LawName}, {cell.Situation}: {count.WrongShare:0.0000} ")
                + Invariant($"[{bounds.Lower:0.0000}, {bounds.Upper:0.0000}]")
                + (cell.Promise is { } stated ? Invariant($" of {stated:0.0000}") : "")
                + (cell is { Promise: not null, Floor: > 0 } ? Invariant($" + {cell.Floor:0.0000}") : "")
                + (
                    status == PromiseStatus.KeptWithException && promise.Result.Ratio is { } ratio
                        ? Invariant($", {ratio:0.0} times the stated one")
                        : ""
                )
                + (before is { } share ? Invariant($", before {share:0.0000}") : "")
                + Invariant($", withheld {count.WithheldShare:0.000}, {count.Trials} simulations")
        );
    }
}
