using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Account;

/// <summary>
/// The account of the standard: every numbered statement of MQTT 3.1.1 and 5, and how it is judged or why not.
/// </summary>
/// <remarks>
/// The table is <c>statements.csv</c>. <c>plain-scenarios.csv</c> has a scenario for each statement of ours that judges
/// one of the standard.
/// </remarks>
internal static class StandardAccount
{
    // In the table: a packet with this defect, whatever the statement is called in the version.
    private const string Defect = "defect/";

    private static readonly Dictionary<string, Statement> s_byName = Statements.All.ToDictionary(
        statement => statement.Name,
        StringComparer.Ordinal
    );
    private static readonly Dictionary<(bool IsV5, string Name), string> s_scenarios = Scenarios();

    /// <summary>All, version by version, in the order of their numbers.</summary>
    public static IReadOnlyList<StandardStatement> All { get; } =
    [
        .. Rows("statements.csv")
            .SelectMany(row => new[] { Read(row, ProtocolVersion.V311, row[0]), Read(row, ProtocolVersion.V5, row[1]) })
            .OfType<StandardStatement>()
            .OrderBy(statement => statement.Version)
            .ThenBy(statement => statement.Number, Comparer<string>.Create(CompareNumbers)),
    ];

    /// <summary>A scenario in which a statement is judged, as short as can be.</summary>
    /// <returns>Its commands; null if there is none.</returns>
    public static string? PlainScenario(ProtocolVersion version, JudgedBy by) =>
        by.Statement == Statements.Malformed || by.Statement == Statements.Detected
            ? Malformed(version, by.Situation.Length == 0 ? "qos-3" : by.Situation)
            : s_scenarios.GetValueOrDefault((version == ProtocolVersion.V5, by.ToString()));

    private static string Malformed(ProtocolVersion version, string defect) =>
        MalformedCommand.IsOfConnect(defect, version)
            ? $"A malformed {defect}"
            : $"A connect clean; A malformed {defect}";

    private static StandardStatement? Read(string[] row, ProtocolVersion version, string number)
    {
        if (number.Length == 0)
            return null;
        var owner = Enum.Parse<Duty>(row[2], ignoreCase: true);
        var why = row[4].Split(": ", 2);
        var standing = why[0] switch
        {
            "set-up" => Standing.NeedsSetUp,
            "hidden" => Standing.Hidden,
            "open" => Standing.Open,
            _ => owner == Duty.Client ? Standing.OfClients : Standing.Exercised,
        };
        return new(version, number, owner, [.. JudgesOf(row[3], version)], standing, why[^1], row[5]);
    }

    // A statement of ours that the version does not have judges nothing there.
    private static IEnumerable<JudgedBy> JudgesOf(string names, ProtocolVersion version)
    {
        foreach (var name in names.Split(' ', StringSplitOptions.RemoveEmptyEntries))
        {
            var parts = name.StartsWith(Defect, StringComparison.Ordinal)
                ?
                [
                    (version == ProtocolVersion.V5 ? Statements.Detected : Statements.Malformed).Name,
                    name[Defect.Length..],
                ]
                : name.Split('/', 2);
            var statement = s_byName[parts[0]];
            if (statement.AppliesTo(version))
                yield return new(statement, parts.Length > 1 ? parts[1] : "");
        }
    }

    private static Dictionary<(bool IsV5, string Name), string> Scenarios() =>
        Rows("plain-scenarios.csv")
            .SelectMany(row => new[] { (IsV5: false, Row: row), (IsV5: true, Row: row) })
            .Where(entry => entry.Row[1].Length == 0 || entry.Row[1] == (entry.IsV5 ? "5" : "3.1.1"))
            .ToDictionary(
                entry => (entry.IsV5, entry.Row[0]),
                entry => entry.Row[2].Replace(", ", "; ", StringComparison.Ordinal)
            );

    // Numbers of chapters, sections and statements, not texts: 3.10.4-1 comes behind 3.9.3-2.
    private static int CompareNumbers(string? one, string? other)
    {
        var (left, right) = (Parts(one), Parts(other));
        for (var place = 0; place < Math.Min(left.Length, right.Length); place++)
            if (left[place] != right[place])
                return left[place].CompareTo(right[place]);
        return left.Length.CompareTo(right.Length);

        static int[] Parts(string? number) =>
            [
                .. number!
                    .Split('.', '-')
                    .Select(part => int.Parse(part, System.Globalization.CultureInfo.InvariantCulture)),
            ];
    }

    private static IEnumerable<string[]> Rows(string name)
    {
        using var stream = typeof(StandardAccount).Assembly.GetManifestResourceStream($"account/{name}")!;
        using var reader = new StreamReader(stream);
        return
        [
            .. reader
                .ReadToEnd()
                .Split('\n', StringSplitOptions.RemoveEmptyEntries)
                .Skip(1)
                .Select(line => line.Split(';')),
        ];
    }
}
