using MqttCheck.Brokers.Conformance;
using MqttCheck.Brokers.Tests.Conformance;
using MqttCheck.Protocol;
using static MqttCheck.Protocol.ProtocolVersion;

namespace MqttCheck.Tests.Broker.Judged;

/// <summary>Scenarios that nobody wrote, judged by the conformance check in virtual time.</summary>
[TestFixture]
internal sealed class JudgedScenariosTests
{
    // Seed 1; the same scenarios each time, so that no right core is ever found wrong by chance.
    // Each scenario leaves a broker without sessions and retained messages behind.
    [TestCase(V311, 50)]
    [TestCase(V5, 65)]
    public void Random_scenarios_break_no_rule(ProtocolVersion version, int statements)
    {
        using var broker = new VirtualBroker();
        var report = broker.Check(version).Explore(TimeSpan.FromHours(10), 200, CancellationToken.None);
        Assert.That(report.Findings.Select(finding => $"{finding.Key} in {finding.Scenario}"), Is.Empty);
        Assert.That(report.Commands, Is.GreaterThan(2500));
        Assert.That(report.Exercised, Has.Count.GreaterThan(statements));
        Assert.That(
            (broker.Counters.Sessions, broker.Counters.Subscriptions, broker.Counters.RetainedMessages),
            Is.EqualTo((0, 0, 0))
        );
    }

    [TestCaseSource(nameof(Defects))]
    public void A_malformed_packet_ends_its_connection_and_harms_no_other(string defect, ProtocolVersion version) =>
        Assert.That(
            JudgedBroker.Broken(
                "A connect clean will=~/w:1; B connect clean; B subscribe ~/#:1; A malformed "
                    + $"{defect}; B publish ~/a qos=1; B ping",
                version
            ),
            Is.Empty
        );

    private static IEnumerable<TestCaseData> Defects() =>
        from version in (ProtocolVersion[])[V311, V5]
        from defect in MalformedPackets.Names(version)
        select new TestCaseData(defect, version);
}
