using MqttCheck.Conformance;
using MqttCheck.Protocol;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Conformance;

[TestFixture]
internal sealed class ScenarioGeneratorTests
{
    private static readonly ScenarioGenerator s_generator = new(new GeneratorOptions { Versions = [ProtocolVersion.V311, ProtocolVersion.V5], Defects311 = ["qos-3"], Defects5 = ["qos-3"] });

    [Test]
    public void The_same_seed_gives_the_same_scenario()
    {
        var first = s_generator.Generate(RandomStream.For(5));
        Assert.That(s_generator.Generate(RandomStream.For(5)), Is.EqualTo(first));
    }

    [Test]
    public void Scenarios_have_every_kind_of_command_and_keep_to_their_bounds()
    {
        var scenarios = Enumerable.Range(0, 500).Select(i => s_generator.Generate(RandomStream.For(1, (ulong)i))).ToList();
        Assert.That(scenarios.Exists(scenario => scenario.Waits), Is.False);
        Assert.That(scenarios.Max(scenario => scenario.Clients), Is.EqualTo(4));
        Assert.That(scenarios.Max(scenario => scenario.Steps.Count), Is.LessThanOrEqualTo(26));
        scenarios.AddRange(Enumerable.Range(0, 50).Select(i => s_generator.GenerateWaiting(RandomStream.For(1, (ulong)i))));
        var kinds = scenarios.SelectMany(scenario => scenario.Steps).Select(step => step.Command.GetType().Name).ToHashSet();
        Assert.That(kinds, Is.EquivalentTo(typeof(Command).Assembly.GetTypes().Where(type => type.IsSubclassOf(typeof(Command))).Select(type => type.Name)));
        Assert.That(scenarios.SelectMany(scenario => scenario.Steps).Count(step => step.Concurrent), Is.GreaterThan(500));
    }

    [Test]
    public void What_only_MQTT_5_has_is_left_out_of_3_1_1()
    {
        var generator = new ScenarioGenerator(new GeneratorOptions());
        var text = string.Join('\n', Enumerable.Range(0, 300).Select(i => generator.Generate(RandomStream.For(2, (ulong)i))));
        text += string.Join('\n', Enumerable.Range(0, 50).Select(i => generator.GenerateWaiting(RandomStream.For(2, (ulong)i))));
        foreach (var word in (string[])["$share", "no-local", "max=", "will-delay", "as-published", "handling", "expiry", "window", "alias", "properties", "id="]) Assert.That(text, Does.Not.Contain(word));
    }
}
