using MqttCheck.Brokers.Loads;
using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using static System.FormattableString;

namespace MqttCheck.Conformance.Account;

/// <summary>
/// Statements that scenarios exercise and a check judged once or a few times only, which is as good as never.
/// </summary>
/// <param name="tally">How often each statement was judged in each version and situation.</param>
/// <param name="exercised">How often each was judged in all.</param>
/// <param name="versions">The versions that were checked.</param>
/// <param name="counts">Whether a statement counts.</param>
/// <param name="withMalformed">Whether malformed packets were sent.</param>
internal sealed class SeldomJudged(
    JudgementTally tally,
    IReadOnlyDictionary<Statement, long> exercised,
    IReadOnlyList<ProtocolVersion> versions,
    Predicate<Statement> counts,
    bool withMalformed
)
{
    /// <summary>A statement that was judged less often counts as seldom judged.</summary>
    public const int Enough = 5;

    /// <summary>
    /// The names of the statements and situations, each with the version unless it is so in all of them. There are
    /// dozens of malformed packets, so of these only the number is said.
    /// </summary>
    public IReadOnlyList<string> Names()
    {
        var judges = StandardAccount
            .All.Where(statement => statement.Standing == Standing.Exercised && versions.Contains(statement.Version))
            .SelectMany(statement => statement.JudgedBy.Select(judge => (statement.Version, Judge: judge)))
            .Where(pair => counts(pair.Judge.Statement) && pair.Judge.Statement.WhyNotExercised is null)
            .Where(pair => withMalformed || !IsOfMalformed(pair.Judge.Statement))
            .Distinct()
            .ToLookup(pair => IsDefect(pair.Judge));
        var named = judges[false]
            .GroupBy(pair => pair.Judge)
            .SelectMany(judge => NamesOf(judge.Key, [.. judge.Select(pair => pair.Version)]))
            .ToList();
        var numbered = judges[false].Select(pair => pair.Judge.Statement).ToHashSet();
        var others = Statements
            .All.Where(statement =>
                statement.Class is StatementClass.Must or StatementClass.Should
                && statement.WhyNotExercised is null
                && versions.Any(statement.AppliesTo)
                && counts(statement)
                && !numbered.Contains(statement)
                && !IsJudgedAllTheTime(statement)
                && (withMalformed || !IsOfMalformed(statement))
                && exercised.GetValueOrDefault(statement) < Enough
            )
            .Select(statement => statement.Name);
        var defects = judges[true]
            .GroupBy(pair => pair.Judge.Statement)
            .Select(group => (group.Key.Name, All: group.Count(), Seldom: group.Count(IsSeldom)))
            .Where(group => group.Seldom > 0)
            .Select(group => Invariant($"{group.Seldom} of {group.All} defects of {group.Name}"));
        return [.. named, .. others, .. defects];
    }

    private IEnumerable<string> NamesOf(JudgedBy judge, ProtocolVersion[] all)
    {
        if (IsJudgedAllTheTime(judge.Statement))
            return [];
        ProtocolVersion[] seldom = [.. all.Where(version => IsSeldom((version, judge)))];
        return seldom.Length == all.Length && all.Length == versions.Count
            ? [judge.ToString()]
            : seldom.Select(version => $"{judge} (MQTT {BrokerVersions.Name(version)})");
    }

    private bool IsSeldom((ProtocolVersion Version, JudgedBy Judge) pair) =>
        tally.Times(pair.Version, pair.Judge) < Enough;

    private static bool IsJudgedAllTheTime(Statement statement) =>
        statement == Statements.Available || statement == Statements.NoFlood;

    private static bool IsDefect(JudgedBy judge) => judge.Situation.Length > 0 && IsOfMalformed(judge.Statement);

    private static bool IsOfMalformed(Statement statement) =>
        statement == Statements.Malformed || statement == Statements.Detected;
}
