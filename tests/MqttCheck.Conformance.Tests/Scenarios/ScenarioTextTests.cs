using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Conformance.Generation;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Tests.Scenarios;

[TestFixture]
internal sealed class ScenarioTextTests
{
    [Test]
    public void A_scenario_reads_back_as_it_was_written(
        [Values(ProtocolVersion.V311, ProtocolVersion.V5)] ProtocolVersion version
    )
    {
        var generator = new ScenarioGenerator(
            new GeneratorOptions
            {
                Versions = [version],
                Defects311 = ["qos-3"],
                Defects5 = ["qos-3"],
            }
        );
        Check.One(
            Config.QuickThrowOnFailure.WithReplay(11, 13),
            Prop.ForAll(
                generator.ToArbitrary(),
                scenario => ScenarioText.Parse(scenario.ToString(), version, "text") == scenario
            )
        );
    }

    [Test]
    public void Every_word_of_a_command_reads_back_as_it_was_written() =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(1000).WithReplay(11, 13),
            Prop.ForAll(
                Arb.From(CommandDraws.Any),
                command =>
                    ScenarioText.Parse($"A {command}", ProtocolVersion.V5, "text").Steps.Single()
                    == new Step(0, command)
            )
        );

    [Test]
    public void Lines_and_semicolons_separate_commands_and_remarks_are_skipped()
    {
        var scenario = ScenarioText.Parse(
            "// two clients\nA connect clean\n& B connect resume expiry=10; A publish ~/a%20b qos=1 retain",
            ProtocolVersion.V5,
            "text"
        );
        Assert.That(
            scenario.Steps,
            Is.EqualTo(
                new Step[]
                {
                    new(0, new ConnectCommand(true)),
                    new(1, new ConnectCommand(false) { SessionExpirySeconds = 10 }, Concurrent: true),
                    new(0, new PublishCommand("~/a b", QualityOfService.AtLeastOnce) { Retain = true }),
                }
            )
        );
    }

    [TestCase("A fly", "there is no command 'fly'")]
    [TestCase("connect clean", "is not understood; a line is")]
    [TestCase("A connect sometimes", "'sometimes' is neither 'clean' nor 'resume'")]
    [TestCase("A publish ~/a qos=3", "QoS 3 is not allowed; allowed is 0 .. 2")]
    [TestCase("A connect clean version=6", "version=6 is not allowed; allowed are 3.1, 3.1.1, 5")]
    [TestCase("A connect clean problem=2", "problem=2 is not allowed; allowed are 0, 1")]
    [TestCase("A answer reason=16", "reason=16 is not allowed; allowed are 128, 131, 135, 144, 145, 151, 153")]
    [TestCase("A disconnect with-will reason=128", "'with-will' is a reason itself")]
    [TestCase("A publish ~/a loud", "'loud' is not understood")]
    [TestCase("A subscribe ~/a", "not of the form FILTER:QOS")]
    [TestCase("A connect clean window=70000", "window=70000 is not allowed; allowed is 0 .. 65535")]
    [TestCase("A wait 2", "'2' is not allowed; allowed is 1ms .. 60000ms")]
    [TestCase("", "there is no command")]
    public void A_line_that_is_wrong_is_told_with_what_is_allowed(string text, string message) =>
        Assert.That(
            () => ScenarioText.Parse(text, ProtocolVersion.V311, "file.txt"),
            Throws.TypeOf<InputException>().With.Message.StartsWith("file.txt: ").And.Message.Contains(message)
        );
}
