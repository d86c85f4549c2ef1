using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Generation;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Conformance.Tests.Scenarios;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Tests.Generation;

[TestFixture]
internal sealed class ScenarioShrinkerTests
{
    [Test]
    public void Shrinking_ends_at_the_commands_that_matter()
    {
        var scenario = ScenarioText.Parse(
            "C connect clean; A connect resume will=~/w:1; & B connect clean; A subscribe ~/x/b:2 ~/c:1; C ping; B "
                + "publish ~/x/b qos=2 retain dup; C drop; A hold; A publish ~/c qos=0",
            ProtocolVersion.V311,
            "text"
        );
        Assert.That(
            Smallest(scenario, IsDeliveredAtQos2).ToString(),
            Is.EqualTo("A connect clean; A subscribe ~/a:2; A publish ~/a qos=2")
        );

        static bool IsDeliveredAtQos2(Scenario candidate)
        {
            var connected = new HashSet<int>();
            var filters = new HashSet<string>();
            foreach (var step in candidate.Steps)
            {
                if (step.Command is ConnectCommand)
                    connected.Add(step.Client);
                if (!connected.Contains(step.Client))
                    continue;
                if (step.Command is SubscribeCommand subscribe)
                    filters.UnionWith(
                        subscribe.Requests.Where(r => r.Qos == QualityOfService.ExactlyOnce).Select(r => r.Filter)
                    );
                if (
                    step.Command is PublishCommand { Qos: QualityOfService.ExactlyOnce } publish
                    && filters.Contains(publish.Topic)
                )
                    return true;
            }
            return false;
        }
    }

    // Whatever words a command has: where none of them matters, all of them go.
    [Test]
    public void Words_that_do_not_matter_go() =>
        Check.One(
            Config.QuickThrowOnFailure.WithReplay(41, 43).WithMaxTest(300),
            Prop.ForAll(
                Arb.From(CommandDraws.Any),
                command =>
                {
                    var type = command.GetType();
                    var smallest = Smallest(
                        new Scenario(ProtocolVersion.V5, [new Step(0, command)]),
                        candidate => candidate.Steps[0].Command.GetType() == type
                    );
                    return smallest.ToString()
                        is "A connect clean"
                            or "A disconnect"
                            or "A subscribe ~/a:0"
                            or "A unsubscribe ~/a"
                            or "A publish ~/a qos=0"
                            or "A answer"
                            or "A drop"
                            or "A ping"
                            or "A wait 1500ms"
                            or "A hold"
                            or "A release"
                            or "A malformed qos-3";
                }
            )
        );

    [Test]
    public void Bolder_changes_make_shorter_what_no_single_removal_makes_shorter()
    {
        var scenario = ScenarioText.Parse(
            "A connect clean; A subscribe ~/a:0; A subscribe ~/b:1; B connect clean; B publish ~/a qos=1; A ping; A "
                + "drop",
            ProtocolVersion.V311,
            "text"
        );
        Assert.That(
            ScenarioShrinker.BolderEdits(scenario).Select(edit => ScenarioShrinker.Apply(scenario, [edit]).ToString()),
            Is.SupersetOf(
                (string[])
                    [
                        // B's work on A's connection.
                        "A connect clean; A subscribe ~/a:0; A subscribe ~/b:1; A publish ~/a qos=1; A ping; A drop",
                        // Two commands at once.
                        "A connect clean; A subscribe ~/a:0; B connect clean; B publish ~/a qos=1; A drop",
                        // Two SUBSCRIBE packets as one.
                        "A connect clean; A subscribe ~/a:0 ~/b:1; B "
                            + "connect clean; B publish ~/a qos=1; A ping; A drop",
                    ]
            )
        );
    }

    [Test]
    public void Shrinking_always_comes_to_an_end()
    {
        var generator = new ScenarioGenerator(new GeneratorOptions { Versions = [ProtocolVersion.V5] });
        Check.One(
            Config.QuickThrowOnFailure.WithReplay(3, 5).WithMaxTest(30),
            Prop.ForAll(
                Arb.From(generator.ToArbitrary().Generator),
                scenario => Smallest(scenario, _ => true).Steps.Count == 1
            )
        );
    }

    [Test]
    public void Changes_that_each_leave_something_in_place_can_be_made_together()
    {
        var scenario = ScenarioText.Parse(
            "A connect clean will=~/w:2; B connect clean; A ping; A subscribe ~/a:2 ~/b:0; B ping; B publish ~/a "
                + "qos=2 retain",
            ProtocolVersion.V311,
            "text"
        );
        var edits = ScenarioShrinker
            .Edits(scenario)
            .Where(edit =>
                edit.At < 0 && (edit.Removes(2) ^ edit.Removes(4)) && Enumerable.Range(0, 6).Count(edit.Removes) == 1
            )
            .Append(ScenarioShrinker.Edits(scenario).First(edit => edit.At == 5))
            .ToList();
        Assert.That(
            ScenarioShrinker.Apply(scenario, edits).ToString(),
            Is.EqualTo("A connect clean will=~/w:2; B connect clean; A subscribe ~/a:2 ~/b:0; B publish ~/a qos=2")
        );
    }

    [TestCase(
        "A connect clean; A subscribe ~/+:0:no-local; A subscribe ~/+:1; A publish ~/a qos=2",
        "A connect clean; A subscribe ~/#:0:no-local ~/#:1; B connect clean; B publish ~/b qos=1",
        "delivered",
        ExpectedResult = true
    )]
    [TestCase(
        "A connect clean; A subscribe ~/a:0 ~/#:1; A publish ~/a qos=1",
        "A connect clean; A subscribe ~/+:1; A subscribe ~/#:2; A publish ~/a qos=2",
        "overlapping-qos",
        ExpectedResult = true
    )]
    [TestCase(
        "A connect clean; A subscribe ~/a:0 ~/a:1; A publish ~/a qos=1",
        "A connect clean; A subscribe ~/a:1 ~/a:0; A publish ~/a qos=1",
        "delivery-qos",
        ExpectedResult = false
    )]
    [TestCase(
        "A connect clean; A publish ~/a qos=0",
        "A connect clean; A publish ~/a%20b qos=0",
        "qos0-taken",
        ExpectedResult = false
    )]
    public bool Findings_of_one_shape_have_one_cause(string one, string other, string statement) =>
        ScenarioPattern.Shape(ScenarioText.Parse(one, ProtocolVersion.V5, "one"), Statements.Find(statement, "test")[0])
        == ScenarioPattern.Shape(
            ScenarioText.Parse(other, ProtocolVersion.V5, "other"),
            Statements.Find(statement, "test")[0]
        );

    [TestCase("#", ExpectedResult = true)]
    [TestCase("+/a", ExpectedResult = true)]
    [TestCase("/#", ExpectedResult = true)]
    [TestCase("$share/~g/#", ExpectedResult = true)]
    [TestCase("~/#", ExpectedResult = false)]
    [TestCase("/~/+", ExpectedResult = false)]
    [TestCase("$~/#", ExpectedResult = false)]
    public bool Filters_that_take_messages_of_other_runs_are_known(string filter) =>
        ScenarioText.Parse($"A connect clean; A subscribe {filter}:0", ProtocolVersion.V5, "text").MeetsOthers;

    [Test]
    public void Parts_of_a_scenario_that_waits_have_a_wait_and_clients_that_connect_first()
    {
        var scenario = ScenarioText.Parse(
            "A connect resume expiry=1000; A subscribe ~/a:1; B connect clean; B ping; A drop; B publish ~/a qos=1; "
                + "A wait 3000ms; A connect resume",
            ProtocolVersion.V5,
            "text"
        );
        var parts = ScenarioShrinker.Parts(scenario, 6, 160);
        Assert.That(parts, Has.Count.LessThanOrEqualTo(160));
        Assert.That(
            parts.Select(part => part.ToString()),
            Does.Contain("A connect resume expiry=1000; A drop; A wait 3000ms; A connect resume")
        );
        Assert.That(parts.Select(part => part.Steps.Count), Is.Ordered.And.All.InRange(2, 6));
        foreach (var part in parts)
        {
            Assert.That(part.Waits, $"{part}");
            foreach (
                var client in part.Steps.Where(step => step.Command is not WaitCommand).GroupBy(step => step.Client)
            )
                Assert.That(client.First().Command, Is.TypeOf<ConnectCommand>(), $"{part}");
        }
        Assert.That(ScenarioShrinker.Parts(scenario, 6, 10), Has.Count.EqualTo(10));
    }

    private static Scenario Smallest(Scenario scenario, Predicate<Scenario> shows)
    {
        for (var steps = 0; steps < 1000; steps++)
        {
            if (
                ScenarioShrinker
                    .Shrink(scenario)
                    .FirstOrDefault(candidate => candidate != ScenarioShrinker.Normalise(scenario) && shows(candidate))
                is not { } smaller
            )
                return scenario;
            scenario = smaller;
        }
        throw new InvalidOperationException("shrinking does not end");
    }

    // Filters that do not stay can replace nothing if they match nothing that is published.
    [TestCase(
        "A connect clean; A subscribe ~/+:0 ~/b:1; A subscribe ~/a:1; A publish ~/a qos=1",
        "A connect clean; A subscribe ~/+:0 ~o0:1; A subscribe ~o1:1; A publish ~/a qos=1",
        "A connect clean; A subscribe ~o0:0 ~/b:1; A subscribe ~/a:1; A publish ~/a qos=1",
        "A connect clean; A subscribe ~o0:0 ~/b:1; A subscribe ~/a:1; A publish ~/a qos=1"
    )]
    [TestCase(
        "A connect clean; A subscribe ~/a:0 ~/a:1; A publish ~/a qos=1",
        "A connect clean; A subscribe ~/a:0 ~o0:1; A publish ~/a qos=1",
        "A connect clean; A subscribe ~o0:0 ~/a:1; A publish ~/a qos=1"
    )]
    [TestCase("A connect clean; B connect clean; A subscribe ~/a:1; B subscribe ~/+:1; A publish ~/a qos=1")]
    public void Filters_that_overlap_are_set_apart(string steps, params string[] variants) =>
        Assert.That(
            ScenarioShrinker
                .WithoutOverlap(ScenarioText.Parse(steps, ProtocolVersion.V5, "test"))
                .Select(variant => variant.ToString()),
            Is.EqualTo(variants)
        );
}
