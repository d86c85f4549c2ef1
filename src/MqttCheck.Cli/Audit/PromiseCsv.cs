using System.Globalization;
using System.Text;
using MqttCheck.App.Audit;

namespace MqttCheck.Cli.Audit;

/// <summary>The whole table of promises for a program: a line for each cell.</summary>
internal static class PromiseCsv
{
    private const string Header =
        "audit,guarantee,subject,variant,situation,law,runs,stated,exception,wrong,lower,upper,times_stated,withheld,"
        + "simulations,status,before";

    /// <summary>Writes the table.</summary>
    public static string Write(IEnumerable<AuditedPromise> promises)
    {
        var text = new StringBuilder();
        text.AppendLine(Header);
        foreach (var ((audit, cell, count, bounds, status), before) in promises)
            text.AppendJoin(
                    ',',
                    Quoted(audit.Title),
                    cell.Guarantee,
                    Quoted(cell.Subject),
                    Quoted(cell.Variant),
                    Quoted(cell.Situation),
                    Quoted(cell.LawName),
                    Quoted(cell.Detail),
                    Number(cell.Promise),
                    Number(cell.Promise is null ? null : cell.Floor),
                    Number(count.WrongShare),
                    Number(bounds.Lower),
                    Number(bounds.Upper),
                    Number(count.WrongShare / cell.Promise),
                    Number(count.WithheldShare),
                    count.Trials,
                    PromisePage.Word(status),
                    Number(before)
                )
                .AppendLine();
        return text.ToString();
    }

    private static string Quoted(string text) =>
        text.AsSpan().IndexOfAny(',', '"') < 0
            ? text
            : '"' + text.Replace("\"", "\"\"", StringComparison.Ordinal) + '"';

    private static string Number(double? value) =>
        value is { } given ? given.ToString("0.#####", CultureInfo.InvariantCulture) : "";
}
