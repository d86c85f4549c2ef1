using MqttCheck.Brokers.Conformance;
using MqttCheck.Conformance;
using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Tests.Conformance;

[TestFixture]
public sealed class ScenarioRunnerTests
{
    [Test]
    public void Random_scenarios_find_nothing_in_the_embedded_broker([Values(ProtocolVersion.V311, ProtocolVersion.V5)] ProtocolVersion version)
    {
        using var broker = new VirtualBroker();
        var report = broker.Check(version).Explore(TimeSpan.FromHours(1), 3000, CancellationToken.None);
        TestContext.Out.WriteLine($"{report.Commands} commands");
        Assert.That(report.Findings, Is.Empty, string.Join("\n", report.Findings.Select(finding => $"{finding.Key}: {finding.Deviation.Explanation} in {finding.Scenario}")));
    }
}
