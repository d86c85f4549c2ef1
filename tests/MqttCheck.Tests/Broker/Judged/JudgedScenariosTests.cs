using MqttCheck.Broker.Faults;
using MqttCheck.Conformance.Checking;
using MqttCheck.Conformance.Tests.Checking;
using MqttCheck.Protocol;
using static MqttCheck.Broker.Faults.BrokerMutant;
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

    // Just beside what each of them does wrong.
    [TestCase(FirstIdentifierOnly, "A connect clean; A subscribe ~/a:1 id=1; A subscribe ~/#:1; A publish ~/a qos=1")]
    [TestCase(LastIdentifierOnly, "A connect clean; A subscribe ~/a:1 id=1; A subscribe ~/#:1; A publish ~/a qos=1")]
    [TestCase(SharedToTwo, "A connect clean; A subscribe $share/~g/~/a:1; A publish ~/a qos=1")]
    [TestCase(ShareNameIgnored, "A connect clean; A subscribe $share/~g/~/a:1; A publish ~/a qos=1")]
    [TestCase(QueueLost, "A connect resume expiry=1000; A subscribe ~/a:1; A connect resume; A publish ~/a qos=1")]
    [TestCase(FifthSubscriptionLost, "A connect clean; A subscribe ~/1:1 ~/2:1 ~/3:1 ~/4:1; A publish ~/4 qos=1")]
    [TestCase(
        WillDelayAtMostTwo,
        "B connect clean; B subscribe ~/w:1; A connect clean will=~/w:1 expiry=9 "
            + "will-delay=1; A drop; B wait 3000ms"
    )]
    [TestCase(ShortSessionEndsAtOnce, "A connect clean expiry=10; A connect resume")]
    [TestCase(NoEndAsZero, "A connect clean expiry=1000; A connect resume")]
    [TestCase(
        DisconnectZeroIgnored,
        "A connect resume expiry=1000; A disconnect expiry=1; A wait 3500ms; A connect " + "resume"
    )]
    [TestCase(HashWithoutRetained, "A connect clean; A publish ~/a qos=1 retain; A subscribe ~/#:1")]
    [TestCase(ParentWithoutRetained, "A connect clean; A publish ~/a qos=1 retain; A subscribe ~/#:1")]
    [TestCase(
        Qos0NotRetained,
        "A connect clean; A publish ~/a qos=1 retain; A publish ~/a qos=1 retain; A subscribe " + "~/a:1"
    )]
    [TestCase(
        Qos0DoesNotDelete,
        "A connect clean; A publish ~/a qos=1 retain; A publish ~/a qos=1 retain empty; A " + "subscribe ~/a:1"
    )]
    [TestCase(UnsubscribeFirstOnly, "A connect clean; A subscribe ~/a:1; A unsubscribe ~/a; A publish ~/a qos=1")]
    [TestCase(UnsubscribeCovered, "A connect clean; A subscribe ~/#:1 ~/a:1; A unsubscribe ~/a; A publish ~/a qos=1")]
    [TestCase(OverlapReplaces, "A connect clean; A subscribe ~/a:1 ~/b:1; A publish ~/a qos=1")]
    [TestCase(DollarMatched, "A connect clean; A subscribe $~/a:1; A publish $~/a qos=1")]
    [TestCase(
        HashOfSixteenLevels,
        "A connect clean; A subscribe ~/#:1; A publish ~/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d qos=1"
    )]
    [TestCase(SendIfNewAlways, "A connect clean; A publish ~/a qos=1 retain; A subscribe ~/a:1:handling=2")]
    [TestCase(SendIfNewNever, "A connect clean; A publish ~/a qos=1 retain; A subscribe ~/a:1")]
    public void A_core_that_breaks_one_rule_keeps_those_beside_it(BrokerMutant mutant, string steps) =>
        Assert.That(JudgedBroker.Broken(steps, V5, mutant), Is.Empty);

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
