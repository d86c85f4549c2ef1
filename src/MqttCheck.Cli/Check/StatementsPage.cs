using System.Globalization;
using System.Text;
using MqttCheck.App.Check;
using MqttCheck.Brokers.Loads;
using MqttCheck.Conformance.Account;
using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;

namespace MqttCheck.Cli.Check;

/// <summary>The account of the standard, as Markdown and as CSV.</summary>
internal static class StatementsPage
{
    private static readonly (Standing Standing, string Name)[] s_standings =
    [
        (Standing.Exercised, "exercised"),
        (Standing.OfClients, "clients' duties"),
        (Standing.NeedsSetUp, "need a broker set up for it"),
        (Standing.Hidden, "not seen from outside"),
        (Standing.Open, "not yet exercised"),
    ];

    /// <summary>The text for a file: CSV if its name ends so, Markdown otherwise.</summary>
    public static string Of(string file, CheckAnswer answer)
    {
        var lines = AccountLine.Of(answer.Report);
        var judged = lines.ToDictionary(line => line.Statement, line => line.Judged);
        return file.EndsWith(".csv", StringComparison.OrdinalIgnoreCase)
            ? Csv(lines)
            : Markdown(Run(answer.Document), statement => judged[statement]);
    }

    /// <summary>The page.</summary>
    /// <param name="run">The paragraph that names the run.</param>
    /// <param name="judged">How often each statement was judged.</param>
    public static string Markdown(string run, Func<StandardStatement, long> judged)
    {
        var text = new StringBuilder(
            """
            # The statements of the standard

            The standard numbers its statements: 141 in MQTT 3.1.1 and 251 in MQTT 5 (appendix B). This page
            has all of them, in our words. It says who owes what, and which judge of `mqttcheck check` judges
            it. A judge's name is one for `--only`. A slash stands before the situation or the type of packet
            that counts. `--statements FILE` writes this page, or a CSV, for any broker.

            A duty of clients is the check's own. The judge there judges what the broker does about a client
            that fails in it. A statement with several judges counts as often as the one that judged least.
            A broker that never refuses anybody, or never uses an alias, gives some judges no occasion.


            """.ReplaceLineEndings("\n")
        );
        text.Append(run).Append("\n\n");
        AppendTotals(text);
        foreach (var version in Versions)
        {
            text.Append(CultureInfo.InvariantCulture, $"\n## MQTT {BrokerVersions.Name(version)}\n\n");
            text.Append("| statement | owed by | demand | judged by, or why not | judged |\n|---|---|---|---|---|\n");
            foreach (var statement in StandardAccount.All.Where(statement => statement.Version == version))
                text.Append(
                    CultureInfo.InvariantCulture,
                    $"| {statement.Number} | {Owner(statement.Owner)} | {statement.Demand} "
                        + $"| {How(statement)} | {(statement.JudgedBy.Count == 0 ? "" : judged(statement))} |\n"
                );
        }
        AppendScenarios(text);
        return text.ToString();
    }

    /// <summary>The paragraph that names a run.</summary>
    public static string Run(CheckDocument document) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"The last column is from one run ({document.Broker} {document.BrokerVersion}, "
                + $"{document.Started.UtcDateTime:yyyy-MM-dd}, {document.Scenarios} scenarios):\n\n"
                + $"    {document.Command}"
        );

    private static IEnumerable<ProtocolVersion> Versions => [ProtocolVersion.V311, ProtocolVersion.V5];

    private static string Csv(IReadOnlyList<AccountLine> lines)
    {
        var text = new StringBuilder("mqtt,statement,owner,standing,judged,result\n");
        foreach (var (statement, judged, violated, isSeen) in lines)
            text.Append(
                CultureInfo.InvariantCulture,
                $"{BrokerVersions.Name(statement.Version)},{statement.Number},{Owner(statement.Owner)},"
                    + $"{NameOf(statement.Standing)},{judged},{Result(judged, violated, isSeen)}\n"
            );
        return text.ToString();
    }

    private static string Result(long judged, StatementClass? violated, bool isSeen) =>
        violated switch
        {
            StatementClass.Must => "violated",
            not null => "not as recommended",
            _ when isSeen => "seen",
            _ => judged > 0 ? "kept" : "not judged",
        };

    private static void AppendTotals(StringBuilder text)
    {
        text.Append("| statements | 3.1.1 | 5 |\n|---|---|---|\n");
        foreach (var (standing, name) in s_standings)
        {
            var counts = Versions.Select(version =>
                StandardAccount.All.Count(statement => statement.Version == version && statement.Standing == standing)
            );
            text.Append(CultureInfo.InvariantCulture, $"| {name} | {string.Join(" | ", counts)} |\n");
        }
    }

    private static void AppendScenarios(StringBuilder text)
    {
        text.Append(
            """

            ## Plain scenarios

            Each of these makes its judge judge. The check itself generates longer ones.

            | judge | MQTT | scenario |
            |---|---|---|

            """.ReplaceLineEndings("\n")
        );
        var plain =
            from statement in StandardAccount.All
            from judge in statement.JudgedBy
            let scenario = StandardAccount.PlainScenario(statement.Version, judge)
            where scenario is not null
            group statement.Version by (Name: judge.ToString(), Scenario: scenario);
        foreach (var versions in plain.OrderBy(group => group.Key.Name, StringComparer.Ordinal))
            text.Append(
                CultureInfo.InvariantCulture,
                $"| {versions.Key.Name} | {string.Join(", ", versions.Distinct().Order().Select(BrokerVersions.Name))} "
                    + $"| `{Visible(versions.Key.Scenario)}` |\n"
            );
    }

    // A character that nobody sees is named.
    private static string Visible(string scenario) => scenario.Replace("\uFEFF", "<U+FEFF>", StringComparison.Ordinal);

    private static string NameOf(Standing standing) => s_standings.First(entry => entry.Standing == standing).Name;

    private static string Owner(Duty owner) => owner.ToString().ToLowerInvariant();

    private static string How(StandardStatement statement) =>
        statement.WhyNot.Length > 0 ? statement.WhyNot
        : statement.JudgedBy.Count == 0 ? "a duty of clients"
        : string.Join(", ", statement.JudgedBy);
}
