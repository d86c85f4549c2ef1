using MqttCheck.Brokers.Conformance;
using MqttCheck.Conformance;
using MqttCheck.Protocol;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Tests.Conformance;

[TestFixture]
public sealed class ScenarioRunnerTests
{
    [Test]
    public void Random_scenarios_find_nothing_in_the_embedded_broker([Values(ProtocolVersion.V311, ProtocolVersion.V5)] ProtocolVersion version)
    {
        using var broker = new VirtualBroker();
        var generator = new ScenarioGenerator(new GeneratorOptions
        {
            Versions = [version],
            Defects311 = MalformedPackets.Names(ProtocolVersion.V311),
            Defects5 = MalformedPackets.Names(ProtocolVersion.V5),
        });
        var number = 0UL;
        var wrong = new Dictionary<string, string>();
        var commands = 0;
        broker.Runner.Run(() => number < 3000 ? generator.Generate(RandomStream.For(7, number++)) : null, 1, new CheckTiming(), _ => false, result =>
        {
            commands += result.Commands;
            foreach (var deviation in result.Deviations) wrong.TryAdd(deviation.Key, $"{deviation.Explanation} in {result.Scenario}");
        });
        TestContext.Out.WriteLine($"{commands} commands");
        Assert.That(wrong, Is.Empty, string.Join("\n", wrong.Select(entry => $"{entry.Key}: {entry.Value}")));
    }
}
