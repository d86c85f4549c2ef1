using MqttCheck.Conformance.Generation;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Tests.Generation;

[TestFixture]
internal sealed class WaitingScenarioTests
{
    private const int Scenarios = 2000;

    // Seed 43, 2000 scenarios, both versions. Of the five subjects only keep alive is one of 3.1.1 too.
    private static readonly List<Scenario> s_scenarios = [.. Generate()];

    // What depends on the waits is counted where a check judges statements about time.
    [Test]
    public void Every_scenario_waits_a_few_seconds_at_most() =>
        Assert.That(
            s_scenarios.Select(scenario =>
                scenario.Steps.Sum(step => step.Command is WaitCommand wait ? wait.Milliseconds : 0)
            ),
            Has.All.InRange(1000, 6000)
        );

    [Test]
    public void Hardly_two_of_them_do_the_same_in_the_same_order() =>
        Assert.That(
            s_scenarios
                .Select(scenario =>
                    string.Join(' ', scenario.Steps.Select(step => $"{step.Client}{step.Command.GetType().Name}"))
                )
                .Distinct()
                .Count(),
            Is.GreaterThan(Scenarios * 9 / 10)
        );

    private static IEnumerable<Scenario> Generate()
    {
        var generator = new ScenarioGenerator(
            new GeneratorOptions { Versions = [ProtocolVersion.V311, ProtocolVersion.V5] }
        );
        return Enumerable.Range(0, Scenarios).Select(i => generator.GenerateWaiting(43, (ulong)i));
    }
}
