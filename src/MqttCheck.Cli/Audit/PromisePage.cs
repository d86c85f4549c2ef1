using System.Diagnostics;
using System.Globalization;
using System.Text;
using MqttCheck.Auditing.Promises;
using MqttCheck.Sequential.Runs;
using static System.FormattableString;

namespace MqttCheck.Cli.Audit;

/// <summary>
/// The table of promises as a page: what is kept, and the worst cell of each subject and each law.
/// </summary>
internal static class PromisePage
{
    /// <summary>The version of the column "before".</summary>
    public const string VersionBefore = "88a3e8f of 23 November 2026";

    private const string BeforeResource = "promises-before.csv";

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

    /// <summary>The shares of the version before, by <see cref="PromiseCell.Key"/>.</summary>
    public static IReadOnlyDictionary<string, double> Before()
    {
        using var reader = new StreamReader(typeof(PromisePage).Assembly.GetManifestResourceStream(BeforeResource)!);
        var shares = new Dictionary<string, double>();
        while (reader.ReadLine() is { } line)
        {
            var comma = line.LastIndexOf(';');
            if (comma > 0)
                shares[line[..comma]] = double.Parse(line.AsSpan(comma + 1), CultureInfo.InvariantCulture);
        }
        return shares;
    }

    /// <summary>Writes the page.</summary>
    /// <param name="command">The command that makes the page again.</param>
    /// <param name="table">The name of the file with the whole table.</param>
    /// <param name="cells">
    /// How many cells the whole table has; more than there are results where the command was interrupted.
    /// </param>
    public static string Write(
        IReadOnlyList<PromiseResult> results,
        string command,
        string table,
        double seconds,
        int cells
    )
    {
        var text = new StringBuilder();
        text.AppendLine("# What stated errors are worth").AppendLine();
        Paragraph(
            text,
            "The page compares stated errors with the errors of simulated measurements. Some laws "
                + "of the runs are those that the tests assume, others are not. This command made it:"
        );
        text.AppendLine("    " + command).AppendLine();
        if (results.Count < cells)
            text.AppendLine(Invariant($"**Interrupted: {results.Count} of {cells} cells.**")).AppendLine();
        Paragraph(
            text,
            Invariant($"It took {seconds / 60:0} minutes: {results.Count} cells, ")
                + Invariant($"{results.Min(result => result.Count.Trials)} to ")
                + Invariant($"{results.Max(result => result.Count.Trials)} simulations each. ")
                + Invariant($"[The whole table]({table}) has a line for each cell. Its last column is version ")
                + VersionBefore
                + ", with 3000 simulations and no guarantee for any law."
        );
        Paragraph(text, "The guarantee `model` promises its error under one condition:");
        Paragraph(text, ModelAssumption.Text, indent: "    ");
        foreach (var paragraph in s_meaning)
            Paragraph(text, paragraph);
        Paragraph(text, PromiseTally.Of(results).ToString());
        PromiseTables.All(text, results);
        foreach (var audit in results.GroupBy(result => result.Audit))
        {
            text.AppendLine("## " + audit.Key.Title).AppendLine();
            Paragraph(text, audit.Key.Description);
            PromiseTables.OfAudit(text, [.. audit]);
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
