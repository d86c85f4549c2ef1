using System.Reflection;
using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Tests.Model;

[TestFixture]
internal sealed class StatementsTests
{
    private static IEnumerable<Statement> All => Statements.All;

    [Test]
    public void Every_statement_that_a_judge_names_is_in_the_list_once()
    {
        var named = typeof(Statements)
            .GetFields(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic)
            .Where(field => field.FieldType == typeof(Statement))
            .Select(field => (Statement)field.GetValue(null)!);
        Assert.That(Statements.All, Is.SupersetOf(named));
        Assert.That(Statements.All.Select(statement => statement.Name), Is.Unique);
        Assert.That(Statements.All.Select(statement => statement.Text), Is.Unique);
    }

    // Names are typed at --only and --skip; numbers are those of the OASIS texts, which begin with the chapter.
    [TestCaseSource(nameof(All))]
    public void A_statement_has_a_name_a_number_and_a_sentence(Statement statement)
    {
        const string number = @"^[1-6](\.\d+)+(-\d+)?$";
        Assert.That(statement.Name, Does.Match("^[a-z0-9]+(-[a-z0-9]+)*$"));
        Assert.That(statement.In311 ?? statement.In5, Is.Not.Null);
        Assert.That(statement.In311 ?? "1.2", Does.Match(number));
        Assert.That(statement.In5 ?? "1.2", Does.Match(number));
        Assert.That(statement.Text, Does.Match(@"^[A-Z0-9][^\s.]*( [^\s]+)+\.$"), "one sentence, single spaces");
        if (statement.WhyNotExercised is not null)
            Assert.That(statement.WhyNotExercised, Does.Match(@"^[a-z]+( [^\s]+){4,}$"), "the end of a sentence");
    }

    [Test]
    public void What_scenarios_exercise_comes_first()
    {
        var exercised = Statements.All.Select(statement => statement.WhyNotExercised is null).ToList();
        Assert.That(exercised, Is.Ordered.Descending.And.Contain(false));
    }

    [TestCase("3.8.4-6", null, ProtocolVersion.V311, true, "MQTT-3.8.4-6")]
    [TestCase("3.8.4-6", null, ProtocolVersion.V5, false, "MQTT-3.8.4-6")]
    [TestCase(null, "3.9.3", ProtocolVersion.V5, true, "section 3.9.3")]
    [TestCase(null, "3.9.3", ProtocolVersion.V311, false, "section 3.9.3")]
    [TestCase("3.8.4-6", "3.9.3", ProtocolVersion.V5, true, "section 3.9.3")]
    [TestCase("3.8.4-6", "3.9.3", ProtocolVersion.V311, true, "MQTT-3.8.4-6")]
    [TestCase("3.8.4-6", "3.9.3", ProtocolVersion.V31, true, "MQTT-3.8.4-6")]
    [TestCase(null, null, ProtocolVersion.V5, false, "section ")]
    public void A_statement_is_named_by_its_number_in_the_version_or_else_in_the_other(
        string? in311,
        string? in5,
        ProtocolVersion version,
        bool applies,
        string id
    )
    {
        var statement = new Statement("a", in311, in5, StatementClass.Must, "Text.");
        Assert.That((statement.AppliesTo(version), statement.Id(version)), Is.EqualTo((applies, id)));
    }

    [TestCase("connack", "connack")]
    [TestCase("CONNACK", "connack")]
    [TestCase("3.1.4-4", "connack")]
    [TestCase("MQTT-3.1.4-5", "connack", "refused-ignored")]
    [TestCase("mqtt-3.2.0-1", "connack-first")]
    [TestCase("connack*", "connack", "connack-first")]
    [TestCase("CONNACK-*", "connack-first")]
    [TestCase("3.2.0-1", "connack-first")]
    [TestCase("authentication", "authentication")]
    public void Statements_are_found_by_name_and_by_number(string text, params string[] names) =>
        Assert.That(Statements.Find(text, "--only").Select(statement => statement.Name), Is.EqualTo(names));

    [Test]
    public void A_star_alone_means_all() => Assert.That(Statements.Find("*", "--only"), Is.EqualTo(Statements.All));

    [TestCase("conn")]
    [TestCase("")]
    [TestCase("MQTT-9*")]
    public void A_name_of_nothing_is_refused_with_what_there_is(string text) =>
        Assert.That(
            () => Statements.Find(text, "--only"),
            Throws
                .TypeOf<InputException>()
                .With.Message.StartsWith(
                    $"--only: there is no statement '{text}'; allowed are numbers such as MQTT-3.8.4-6 and names: "
                        + "available, "
                )
                .And.Message.Match(", authentication(; did you mean 'connack'\\?)?$")
        );
}
