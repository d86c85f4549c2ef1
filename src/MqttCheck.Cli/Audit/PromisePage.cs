using System.Diagnostics;
using System.Text;
using MqttCheck.App.Audit;
using MqttCheck.Auditing.Promises;
using MqttCheck.Verification;
using static System.FormattableString;

namespace MqttCheck.Cli.Audit;

/// <summary>
/// The table of promises as a page: what is kept, and the worst cell of each subject and each law.
/// </summary>
internal static class PromisePage
{
    private const int Columns = 100;

    private static readonly string[] s_meaning =
    [
        "A promise is *kept at the stated error* where the upper bound of the error is below 1.2 times the stated one. "
            + "It is kept *with the exception* where that holds only for the sum of the stated error and the printed "
            + "exception. It is *broken* where the lower bound is above that sum, else *undecided*. "
            + "The bounds are 99 % for all cells together.",
        "The printed exception of the guarantee `model` is a state of the broker that no run shows. "
            + "R runs miss a state in a share q of them with probability (1 - q)^R. "
            + "R is the number of runs before the first look. No test does better.",
        "Laws under which nothing is promised lie *outside*; their error is printed all the same. *Power* is the share "
            + "of right answers that did not come; its upper bound must be below 0.1.",
    ];

    /// <summary>Writes the page.</summary>
    /// <param name="command">The command that makes the page again.</param>
    /// <param name="table">The name of the file with the whole table.</param>
    public static string Write(PromiseAnswer answer, string command, string table, double seconds)
    {
        var (text, promises) = (new StringBuilder(), answer.Promises);
        text.AppendLine("# What stated errors are worth").AppendLine();
        Paragraph(
            text,
            "The page compares stated errors with the errors of simulated measurements. Some laws "
                + "of the runs are those that the tests assume, others are not. This command made it:"
        );
        text.AppendLine("    " + command).AppendLine();
        if (answer.IsInterrupted)
            text.AppendLine(Invariant($"**Interrupted: {promises.Count} of {answer.Cells} cells.**")).AppendLine();
        Paragraph(
            text,
            Invariant($"It took {seconds / 60:0} minutes: {promises.Count} cells, ")
                + Invariant($"{promises.Min(promise => promise.Result.Count.Trials)} to ")
                + Invariant($"{promises.Max(promise => promise.Result.Count.Trials)} simulations each. ")
                + Invariant($"[The whole table]({table}) has a line for each cell. Its last column is version ")
                + AuditedPromise.VersionBefore
                + ", with 3000 simulations and no guarantee for any law."
        );
        Paragraph(text, "The guarantee `model` promises its error under one condition:");
        Paragraph(text, VerdictPromise.ModelLaw, indent: "    ");
        foreach (var paragraph in s_meaning)
            Paragraph(text, paragraph);
        Paragraph(text, $"{answer.Tally}");
        PromiseTables.All(text, answer.Audits);
        foreach (var audit in answer.Audits)
        {
            text.AppendLine("## " + audit.Name).AppendLine();
            Paragraph(text, audit.Worst.Audit.Description);
            PromiseTables.OfAudit(text, audit);
        }
        return text.ToString();
    }

    // A paragraph in lines of at most 100 columns.
    private static void Paragraph(StringBuilder text, string paragraph, string indent = "")
    {
        var column = 0;
        foreach (var word in paragraph.Split(' '))
        {
            if (column > 0 && column + 1 + word.Length > Columns)
            {
                text.AppendLine();
                column = 0;
            }
            var before = column == 0 ? indent : " ";
            text.Append(before).Append(word);
            column += before.Length + word.Length;
        }
        text.AppendLine().AppendLine();
    }

    /// <summary>A status in a word.</summary>
    public static string Word(PromiseStatus status) =>
        status switch
        {
            PromiseStatus.Kept => "kept",
            PromiseStatus.KeptWithException => "exception",
            PromiseStatus.Broken => "BROKEN",
            PromiseStatus.Undecided => "undecided",
            PromiseStatus.NotPromised => "outside",
            _ => throw new UnreachableException(),
        };
}
