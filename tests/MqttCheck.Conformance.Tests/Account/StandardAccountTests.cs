using System.Globalization;
using MqttCheck.Broker.Core;
using MqttCheck.Conformance.Account;
using MqttCheck.Conformance.Checking;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Conformance.Tests.Checking;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Defects;

namespace MqttCheck.Conformance.Tests.Account;

[TestFixture]
internal sealed class StandardAccountTests
{
    // The sections of appendix B with the last number of each, and the first where that is not 1.
    private const string Sections311 =
        "1.5.3:3 2.2.2:2 2.3.1:7 3.1.0:2 3.1.2:24 3.1.3:11 3.1.4:5 3.2.0:1 3.2.2:6 3.3.1:12 3.3.2:3 3.3.4:1 3.3.5:2 "
        + "3.6.1:1 3.8.1:1 3.8.3:4 3.8.4:6 3.9.3:2 3.10.1:1 3.10.3:2 3.10.4:6 3.12.4:1 3.14.1:1 3.14.4:3 4.1.0:2 "
        + "4.3.1:1 4.3.2:2 4.3.3:2 4.4.0:1 4.5.0:2 4.6.0:6 4.7.1:3 4.7.2:1 4.7.3:4 4.8.0:2 6.0.0:4 7.0.0:2 7.1.1:1 "
        + "7.1.2:1";
    private const string Sections5 =
        "1.5.4:3 1.5.5:1 1.5.7:1 2.1.3:1 2.2.1:6:2 2.2.2:1 3.1.0:2 3.1.2:30 3.1.3:12 3.1.4:6 3.2.0:2 3.2.2:22 "
        + "3.3.1:13 3.3.2:20 3.3.4:10 3.4.2:3 3.5.2:3 3.6.1:1 3.6.2:3 3.7.2:3 3.8.1:1 3.8.3:5 3.8.4:8 3.9.2:2 "
        + "3.9.3:2 3.10.1:1 3.10.3:2 3.10.4:6 3.11.2:2 3.11.3:2 3.12.4:1 3.14.0:1 3.14.1:1 3.14.2:4 3.14.4:3 "
        + "3.15.1:1 3.15.2:3 4.1.0:2 4.2.0:1 4.3.1:1 4.3.2:5 4.3.3:13 4.4.0:2 4.5.0:2 4.6.0:6 4.7.0:1 4.7.1:2 "
        + "4.7.2:1 4.7.3:4 4.8.2:6 4.9.0:3 4.12.0:7 4.12.1:2 4.13.1:1 4.13.2:1 6.0.0:4";

    // The embedded broker has these limits where a statement is about a broker that has them. What only a carrier of
    // its own shows, and what a frame of WebSocket carries, is judged over that alone.
    private static readonly string[] s_limited = ["will-within-limits", "any-qos-subscribed", "refused-ignored"];
    private static readonly string[] s_elsewhere = ["websocket"];

    // The duties of servers that clients can see and that no scenario exercises. The number may only fall.
    private const int NotExercised = 0;

    private static IEnumerable<TestCaseData> Judges() =>
        from statement in StandardAccount.All
        where statement.Standing != Standing.Open
        from judge in statement.JudgedBy
        where !s_elsewhere.Contains(judge.Statement.Name)
        group judge by (statement.Version, Name: judge.ToString()) into judges
        select new TestCaseData(judges.Key.Version, judges.Key.Name);

    [TestCase(ProtocolVersion.V311, Sections311, 141)]
    [TestCase(ProtocolVersion.V5, Sections5, 251)]
    public void Every_statement_of_a_version_has_one_line(ProtocolVersion version, string sections, int count)
    {
        var numbers = sections.Split(' ').Select(section => section.Split(':')).SelectMany(Numbers).ToList();
        Assert.That(numbers, Has.Count.EqualTo(count));
        Assert.That(
            StandardAccount.All.Where(statement => statement.Version == version).Select(statement => statement.Number),
            Is.EqualTo(numbers)
        );
    }

    [Test]
    public void A_statement_is_exercised_or_has_a_reason() =>
        Assert.That(
            StandardAccount.All.Where(statement =>
                statement.Standing switch
                {
                    Standing.Exercised => statement.JudgedBy.Count == 0 || statement.WhyNot.Length > 0,
                    Standing.OfClients => statement.Owner != Duty.Client || statement.WhyNot.Length > 0,
                    _ => statement.WhyNot.Split(' ').Length < 4 || statement.Owner == Duty.Client,
                }
            ),
            Is.Empty
        );

    [Test]
    public void Demands_are_sentences_of_our_own() =>
        Assert.That(
            StandardAccount.All.Select(statement => statement.Demand),
            Has.All.Match(@"^[A-Z][^\s.]*( [^\s]+)+\.$").And.None.Contain("MUST")
        );

    // A number that a judge or a decoder cites is one of the standard, and its line names the judge.
    [Test]
    public void Every_number_that_the_code_cites_is_in_the_account()
    {
        var numbers = StandardAccount.All.Select(statement => (statement.Version, statement.Number)).ToHashSet();
        var cited =
            from version in new[] { ProtocolVersion.V311, ProtocolVersion.V5 }
            from id in Statements
                .All.Where(statement => statement.AppliesTo(version))
                .Select(statement => statement.Id(version))
                .Concat(
                    PacketDefects
                        .All.Where(defect => Enum.GetValues<PacketType>().Any(type => defect.AppliesTo(type, version)))
                        .Select(defect => defect.Statement(version))
                )
            where id.StartsWith("MQTT-", StringComparison.Ordinal)
            select (version, id[5..]);
        Assert.That(cited.Where(number => !numbers.Contains(number)), Is.Empty);
        var lines = StandardAccount.All.ToDictionary(statement => (statement.Version, statement.Id));
        Assert.That(
            from version in new[] { ProtocolVersion.V311, ProtocolVersion.V5 }
            from statement in Statements.All
            where statement.WhyNotExercised is null && statement.AppliesTo(version)
            where
                lines.TryGetValue((version, statement.Id(version)), out var line)
                && line.JudgedBy.All(judge => judge.Statement != statement)
            select $"{statement.Name} in {version}",
            Is.Empty
        );
    }

    [Test]
    public void Every_defect_that_a_statement_names_is_sent_in_its_version() =>
        Assert.That(
            from statement in StandardAccount.All
            from judge in statement.JudgedBy
            where judge.Statement == Statements.Malformed || judge.Statement == Statements.Detected
            where judge.Situation.Length > 0 && !MalformedPackets.Names(statement.Version).Contains(judge.Situation)
            select $"{statement.Id}: {judge}",
            Is.Empty
        );

    // The broker is right, so the statement is judged and nothing deviates.
    [TestCaseSource(nameof(Judges))]
    public void A_plain_scenario_makes_a_judge_judge_a_right_broker(ProtocolVersion version, string name)
    {
        var judge = StandardAccount
            .All.SelectMany(statement => statement.JudgedBy)
            .First(one => one.ToString() == name);
        var text = StandardAccount.PlainScenario(version, judge);
        Assert.That(text, Is.Not.Null);
        using var broker = new VirtualBroker(
            limits: s_limited.Contains(name)
                ? new BrokerLimits { MaximumQos = QualityOfService.AtLeastOnce }
                : new BrokerLimits()
        );
        var result = broker.Run(ScenarioText.Parse(text!, version, name));
        var tally = new JudgementTally();
        tally.Add(version, result.Monitor);
        Assert.That(result.Deviations, Is.Empty);
        Assert.That(tally.Times(version, judge), Is.Positive, text);
    }

    [Test]
    public void What_no_scenario_exercises_is_listed_and_gets_less()
    {
        var listed = File.ReadAllLines(
            RepositoryFiles.At("tests/MqttCheck.Conformance.Tests/Account/not-exercised.txt")
        );
        Assert.That(listed, Has.Length.LessThanOrEqualTo(NotExercised));
        Assert.That(
            StandardAccount
                .All.Where(statement => statement.Standing == Standing.Open)
                .Select(statement =>
                    $"MQTT {(statement.Version == ProtocolVersion.V5 ? "5" : "3.1.1")} {statement.Id}"
                ),
            Is.EqualTo(listed)
        );
    }

    private static IEnumerable<string> Numbers(string[] section)
    {
        var first = section.Length > 2 ? int.Parse(section[2], CultureInfo.InvariantCulture) : 1;
        var last = int.Parse(section[1], CultureInfo.InvariantCulture);
        return Enumerable.Range(first, last - first + 1).Select(number => $"{section[0]}-{number}");
    }
}
