using MqttCheck.Conformance.Generation;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Tests.Generation;

[TestFixture]
internal sealed class WaitingScenarioTests
{
    private const int Scenarios = 2000;

    // Seed 43, 2000 scenarios, both versions. Of the five subjects only keep alive is one of 3.1.1 too.
    private static readonly List<WaitingScenario> s_scenarios =
    [
        .. Generate().Select(scenario => new WaitingScenario(scenario)),
    ];

    [Test]
    public void Every_scenario_waits_a_few_seconds_at_most_while_something_depends_on_it()
    {
        Assert.That(s_scenarios.TrueForAll(scenario => scenario.Waited is >= 1000 and <= 6000));
        Assert.That(
            s_scenarios.TrueForAll(scenario => scenario.HasInterval),
            string.Join(
                '\n',
                s_scenarios.Where(scenario => !scenario.HasInterval).Take(3).Select(scenario => scenario.Scenario)
            )
        );
    }

    [Test]
    public void Hardly_two_of_them_do_the_same_in_the_same_order() =>
        Assert.That(
            s_scenarios
                .Select(scenario =>
                    string.Join(
                        ' ',
                        scenario.Scenario.Steps.Select(step => $"{step.Client}{step.Command.GetType().Name}")
                    )
                )
                .Distinct()
                .Count(),
            Is.GreaterThan(Scenarios * 9 / 10)
        );

    [TestCase(Situations.Silence, ProtocolVersion.V311, 100)]
    [TestCase(Situations.Silence, ProtocolVersion.V5, 300)]
    [TestCase(Situations.KeptAlive, ProtocolVersion.V311, 30)]
    [TestCase(Situations.KeptAlive, ProtocolVersion.V5, 20)]
    [TestCase(Situations.QueuedMessage, ProtocolVersion.V5, 30)]
    [TestCase(Situations.RetainedMessage, ProtocolVersion.V5, 30)]
    [TestCase(Situations.SessionExpiry, ProtocolVersion.V5, 30)]
    [TestCase(Situations.DelayedWill, ProtocolVersion.V5, 30)]
    public void Every_situation_comes_often(Situations situation, ProtocolVersion version, int least) =>
        Assert.That(
            s_scenarios.Count(scenario =>
                scenario.Scenario.Version == version && scenario.Situations.HasFlag(situation)
            ),
            Is.GreaterThanOrEqualTo(least)
        );

    private static IEnumerable<Scenario> Generate()
    {
        var generator = new ScenarioGenerator(
            new GeneratorOptions { Versions = [ProtocolVersion.V311, ProtocolVersion.V5] }
        );
        return Enumerable.Range(0, Scenarios).Select(i => generator.GenerateWaiting(43, (ulong)i));
    }
}
