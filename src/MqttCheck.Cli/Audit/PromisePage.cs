using System.Globalization;
using System.Text;
using MqttCheck.Auditing.Promises;
using MqttCheck.Sequential.Runs;

namespace MqttCheck.Cli.Audit;

/// <summary>The table of promises as a page: what the version before kept, what is kept now, and what is allowed.</summary>
internal static class PromisePage
{
    /// <summary>The version of the column "before".</summary>
    public const string VersionBefore = "88a3e8f of 23 November 2026";

    private const string BeforeResource = "promises-before.csv";

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
    /// <param name="cells">How many cells the whole table has; more than there are results where the command was interrupted.</param>
    public static string Write(IReadOnlyList<PromiseResult> results, string command, double seconds, int cells)
    {
        var before = Before();
        var text = new StringBuilder();
        text.AppendLine("# Promises, before and after").AppendLine();
        text.AppendLine(
                Invariant(
                    $"What simulated measurements keep of their stated errors, under laws that the tests assume and under others. Made by"
                )
            )
            .AppendLine();
        text.AppendLine("    " + command).AppendLine();
        if (results.Count < cells)
            text.AppendLine(Invariant($"**Interrupted: {results.Count} of {cells} cells.**")).AppendLine();
        text.AppendLine(
            Invariant(
                $"in {seconds / 60:0} minutes: {results.Count} cells, {results.Min(result => result.Count.Trials)} to {results.Max(result => result.Count.Trials)} simulations each. "
            )
                + Invariant(
                    $"*Before* is version {VersionBefore}: 3000 simulations of the same laws and truths, with the runs that it planned itself. It had no guarantee for any law."
                )
        );
        text.AppendLine(
            """

            A promise is *kept* where the upper bound of the error is below 1.2 times what is allowed, *broken* where the lower bound is above it, else *undecided*; the bounds are 99 % for all cells together.
            *Stated* is the error that the answer states. *Unseen* is the probability that the runs show nothing of a rare state, (1 - q)^R, which no test beats: R is the number of runs before the first look. Where the promise
            rests on a model, the sum of both is allowed. Without a *stated* error nothing is promised under that law; what the error is there is printed all the same. Each column of a truth has the share of wrong answers before,
            and now. *Power* is about answers that fail to come: its bound is 0.1, so its promise is 0.1 / 1.2.
            """
        );
        text.AppendLine().AppendLine(Summary(results)).AppendLine();
        foreach (var audit in results.GroupBy(result => result.Audit))
        {
            text.AppendLine("## " + audit.Key.Title).AppendLine().AppendLine(audit.Key.Description).AppendLine();
            foreach (var subject in audit.GroupBy(result => (result.Cell.Guarantee, result.Cell.Subject)))
                Table(text, subject.Key.Guarantee, subject.Key.Subject, [.. subject], before);
        }
        return text.ToString();
    }

    /// <summary>What is kept, in a sentence.</summary>
    public static string Summary(IReadOnlyList<PromiseResult> results)
    {
        int Count(PromiseStatus status) => results.Count(result => result.Status == status);
        return Invariant(
                $"Of {results.Count - Count(PromiseStatus.NotPromised)} promises {Count(PromiseStatus.Kept)} are kept, {Count(PromiseStatus.Broken)} broken, {Count(PromiseStatus.Undecided)} undecided; "
            ) + Invariant($"{Count(PromiseStatus.NotPromised)} cells lie outside of what is promised.");
    }

    private static void Table(
        StringBuilder text,
        Guarantee guarantee,
        string subject,
        IReadOnlyList<PromiseResult> results,
        IReadOnlyDictionary<string, double> before
    )
    {
        var situations = results.Select(result => result.Cell.Situation).Distinct().ToArray();
        var hasVariant = results.Any(result => result.Cell.Variant.Length > 0);
        var variant = hasVariant ? "| | " : "| ";
        text.AppendLine(
                Invariant(
                    $"### {char.ToUpperInvariant(subject[0])}{subject[1..]}; guarantee: {(guarantee == Guarantee.Any ? "any law" : "model")}"
                )
            )
            .AppendLine();
        text.AppendLine(
            $"{variant}law | runs x sequences | stated | unseen | {string.Join(" | ", situations.Select(situation => $"{situation}: before | now"))} | withheld, at most | simulations | promise |"
        );
        text.AppendLine(
            $"{(hasVariant ? "|---" : "")}|---|---|---|---|{string.Concat(situations.Select(_ => "---|---|"))}---|---|---|"
        );
        foreach (var row in results.GroupBy(result => (result.Cell.Variant, result.Cell.Law, result.Cell.Detail)))
        {
            var cells = row.ToDictionary(result => result.Cell.Situation);
            var worst = row.Max(result => Rank(result.Status));
            text.Append(hasVariant ? $"| {row.Key.Variant} " : "")
                .Append(
                    Invariant(
                        $"| {row.Key.Law.Name} | {row.Key.Detail} | {Share(row.First().Cell.Promise)} | {(row.First().Cell.Law.RareShare > 0 ? Share(row.Max(result => result.Cell.Floor)) : "")} | "
                    )
                );
            foreach (var situation in situations)
            {
                var cell = cells.GetValueOrDefault(situation);
                text.Append(
                    Invariant(
                        $"{(cell is not null && before.TryGetValue(cell.Cell.Key, out var share) ? Share(share) : "")} | {Share(cell?.Count.WrongShare)} | "
                    )
                );
            }
            text.AppendLine(
                Invariant(
                    $"{Share(row.Max(result => result.Count.WithheldShare))} | {row.Max(result => result.Count.Trials)} | {Word(row.First(result => Rank(result.Status) == worst).Status)} |"
                )
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

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
