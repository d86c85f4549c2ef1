using System.Globalization;
using System.Text;
using MqttCheck.Auditing.Promises;
using MqttCheck.Sequential;
using MqttCheck.Sequential.Runs;
using static System.FormattableString;

namespace MqttCheck.Cli.Audit;

/// <summary>
/// The table of promises as a page: what the version before kept, what is kept now, and what is allowed.
/// </summary>
internal static class PromisePage
{
    /// <summary>The version of the column "before".</summary>
    public const string VersionBefore = "88a3e8f of 23 November 2026";

    private const string BeforeResource = "promises-before.csv";

    private const int Columns = 100;

    private static readonly string[] s_meaning =
    [
        "A promise is *kept* where the upper bound of the error is below 1.2 times "
            + "what is allowed. It is *broken* where the lower bound is above what is "
            + "allowed, else *undecided*. The bounds are 99 % for all cells together.",
        "*Stated* is the error that the answer states. *Unseen* is the probability (1 - q)^R that R "
            + "runs show nothing of a state in a share q of them. R is the number of runs before the "
            + "first look. No test does better. A promise that rests on a model may reach the sum of both.",
        "Nothing is promised under a law without a *stated* error; the error is printed all the "
            + "same. Each truth has two columns: the share of wrong answers before, and now. *Power* "
            + "is the share of right answers that did not come; its upper bound must be below 0.1.",
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
    /// <param name="cells">
    /// How many cells the whole table has; more than there are results where the command was interrupted.
    /// </param>
    public static string Write(IReadOnlyList<PromiseResult> results, string command, double seconds, int cells)
    {
        var before = Before();
        var text = new StringBuilder();
        text.AppendLine("# Promises, before and after").AppendLine();
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
                + Invariant($"*Before* is version {VersionBefore}: 3000 simulations of the same laws and ")
                + "truths, with the runs that it planned itself. It had no guarantee for any law."
        );
        foreach (var paragraph in s_meaning)
            Paragraph(text, paragraph);
        Paragraph(text, Summary(results));
        foreach (var audit in results.GroupBy(result => result.Audit))
        {
            text.AppendLine("## " + audit.Key.Title).AppendLine();
            Paragraph(text, audit.Key.Description);
            foreach (var subject in audit.GroupBy(result => (result.Cell.Guarantee, result.Cell.Subject)))
                Table(text, subject.Key.Guarantee, subject.Key.Subject, [.. subject], before);
        }
        return text.ToString();
    }

    // A paragraph in lines of at most 100 columns.
    private static void Paragraph(StringBuilder text, string paragraph)
    {
        var column = 0;
        foreach (var word in paragraph.Split(' '))
        {
            if (column > 0 && column + 1 + word.Length > Columns)
            {
                text.AppendLine();
                column = 0;
            }
            else if (column > 0)
            {
                text.Append(' ');
                column++;
            }
            text.Append(word);
            column += word.Length;
        }
        text.AppendLine().AppendLine();
    }

    /// <summary>What is kept, in two sentences.</summary>
    public static string Summary(IReadOnlyList<PromiseResult> results)
    {
        int Count(PromiseStatus status) => results.Count(result => result.Status == status);
        return Invariant($"{Count(PromiseStatus.Kept)} of {results.Count - Count(PromiseStatus.NotPromised)} promises ")
            + Invariant($"are kept, {Count(PromiseStatus.Broken)} broken, {Count(PromiseStatus.Undecided)} undecided. ")
            + Invariant($"{Counted.Of(Count(PromiseStatus.NotPromised), "cell")} ")
            + Invariant($"{(Count(PromiseStatus.NotPromised) == 1 ? "lies" : "lie")} outside of what is promised.");
    }

    private static void Table(
        StringBuilder text,
        Guarantee? guarantee,
        string subject,
        IReadOnlyList<PromiseResult> results,
        IReadOnlyDictionary<string, double> before
    )
    {
        var situations = results.Select(result => result.Cell.Situation).Distinct().ToArray();
        var hasVariant = results.Any(result => result.Cell.Variant.Length > 0);
        var variant = hasVariant ? "| | " : "| ";
        text.AppendLine(
                Invariant($"### {char.ToUpperInvariant(subject[0])}{subject[1..]}; ")
                    + Invariant($"guarantee: {(guarantee == Guarantee.Any ? "any law" : "model")}")
            )
            .AppendLine();
        text.AppendLine(
            $"{variant}law | runs x sequences | stated | unseen | "
                + $"{string.Join(" | ", situations.Select(situation => $"{situation}: before | now"))} "
                + "| withheld, at most | simulations | promise |"
        );
        text.AppendLine(
            (hasVariant ? "|---" : "")
                + $"|---|---|---|---|{string.Concat(situations.Select(_ => "---|---|"))}---|---|---|"
        );
        foreach (var row in results.GroupBy(result => (result.Cell.Variant, result.Cell.LawName, result.Cell.Detail)))
        {
            var cells = row.ToDictionary(result => result.Cell.Situation);
            var worst = row.Max(result => Rank(result.Status));
            text.Append(hasVariant ? $"| {row.Key.Variant} " : "")
                .Append(
                    Invariant($"| {row.Key.LawName} | {row.Key.Detail} | {Share(row.First().Cell.Promise)} | ")
                        + (row.Any(result => result.Cell.Floor > 0) ? Share(row.Max(result => result.Cell.Floor)) : "")
                        + " | "
                );
            foreach (var situation in situations)
            {
                var cell = cells.GetValueOrDefault(situation);
                text.Append(
                    Invariant(
                        $"{(cell is not null && before.TryGetValue(cell.Cell.Key, out var share) ? Share(share) : "")} "
                    ) + Invariant($"| {Share(cell?.Count.WrongShare)} | ")
                );
            }
            text.AppendLine(
                Invariant($"{Share(row.Max(result => result.Count.WithheldShare))} | ")
                    + Invariant($"{row.Max(result => result.Count.Trials)} | ")
                    + Invariant($"{Word(row.First(result => Rank(result.Status) == worst).Status)} |")
            );
        }
        text.AppendLine();
    }

    /// <summary>A status in a word.</summary>
    public static string Word(PromiseStatus status) =>
        status switch
        {
            PromiseStatus.Kept => "kept",
            PromiseStatus.Broken => "BROKEN",
            PromiseStatus.Undecided => "undecided",
            _ => "none",
        };

    private static int Rank(PromiseStatus status) =>
        status switch
        {
            PromiseStatus.Broken => 3,
            PromiseStatus.Undecided => 2,
            PromiseStatus.Kept => 1,
            _ => 0,
        };

    private static string Share(double? share) =>
        share is { } given ? given.ToString("0.0000", CultureInfo.InvariantCulture) : "";
}
