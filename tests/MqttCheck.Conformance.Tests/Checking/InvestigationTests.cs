using MqttCheck.Broker.Faults;
using MqttCheck.Conformance.Causes;
using MqttCheck.Conformance.Checking;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Conformance.Tests.Spoiled;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Tests.Checking;

/// <summary>A deviation that was seen becomes a finding, a suspicion or nothing.</summary>
// In virtual time, so that several may share the machine.
[Parallelizable(ParallelScope.All)]
internal sealed class InvestigationTests
{
    private const string Deep = "~/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d";

    // "MUST deliver the published Application Message to ... Clients that have matching subscriptions" (MQTT-4.5.0-1).
    // One filter alone fails, so that no other one replaces it (MQTT-3.8.4-3).
    [TestCase(BrokerMutant.HashOfSixteenLevels, $"A subscribe ~/#:1 ~/d/#:2; A publish {Deep} qos=1", "delivered")]
    [TestCase(BrokerMutant.HashOfSixteenLevels, $"A subscribe ~/#:1 ~/+/#:0; A publish {Deep} qos=2", "delivered")]
    // It is forgotten behind any two others, whether they overlap or not.
    [TestCase("ThirdFilterForgotten", "A subscribe ~/b:0 ~/+:0 ~/a:1; A publish ~/a qos=1", "delivered")]
    // These are about two filters.
    [TestCase(
        BrokerMutant.OverlapReplaces,
        "A subscribe ~/a:1; A subscribe ~/+:0:no-local; A publish ~/a qos=1",
        "copies"
    )]
    public void A_cause_is_named_by_the_plainest_scenario_that_shows_it(object fault, string steps, string statement)
    {
        using var broker = Of(fault);
        var ledger = Investigate(broker, "A connect clean; " + steps);
        Assert.That(
            CauseAnalysis
                .Group(ledger.Findings)
                .Where(finding => finding.ExplainedBy is null)
                .Select(finding => finding.Statement.Name),
            Is.EqualTo([statement]),
            string.Join(
                "\n",
                ledger.Findings.Select(f => $"{f.Key} in {f.Scenario} ({f.Repeated}), of {f.ExplainedBy}")
            )
        );
    }

    // Each packet has other words, and one of three statements: what ends the connection is the topic.
    [TestCase(
        "EmptyLevelCloses",
        "A publish ~//a qos=0",
        "A publish ~/ qos=1 retain",
        "A subscribe ~/a/:1",
        "A publish ~/a/ qos=2",
        "A subscribe $share/~g/~/a/:1"
    )]
    [TestCase(
        "PropertiesClose",
        "A publish ~/a qos=0 properties",
        "A publish ~/b qos=1 properties",
        "A publish ~/a qos=2 retain properties"
    )]
    public void Connections_that_end_for_one_packet_are_one_finding(string fault, params string[] packets)
    {
        using var broker = Of(fault);
        var ledger = Investigate(broker, [.. packets.Select(packet => "A connect clean; " + packet)]);
        Assert.That(ledger.Findings, Has.Count.EqualTo(1), string.Join("; ", ledger.Findings.Select(f => f.Key)));
        Assert.That(ledger.Findings[0].AlsoAs, Is.Not.Empty);
    }

    // Each shows something else, and one fault is behind all.
    [TestCase(
        "HandlingOneAlways",
        "A connect clean; A publish ~/a qos=1 retain; A subscribe ~/a:0:handling=2",
        "A connect clean; A subscribe ~/a:0; A publish ~/a qos=1 retain; A subscribe ~/a:1"
    )]
    [TestCase(
        "ShareIgnored",
        "A connect clean; A publish ~/2 qos=0 retain; A subscribe $share/~h/~/2:0",
        "A connect clean; A subscribe ~/+:0; A unsubscribe $share/~g/~/+",
        "A connect clean; A subscribe $share/~g/~/#:0; B connect clean; B subscribe $share/~g/~/#:0; "
            + "A publish ~/a qos=0"
    )]
    [TestCase(
        "SubackSaysNothing",
        "A connect clean; A subscribe ~/a:1; A publish ~/a qos=1",
        "A connect clean; A publish ~/a qos=1 retain; A subscribe $share/~g/~/#:0; A subscribe ~/a:1"
    )]
    [TestCase(
        "SubackOfOther",
        "A connect clean; A subscribe ~/a:0",
        "A connect clean; A subscribe ~/a:0 with-next; A subscribe ~o0:0 ~o1:0"
    )]
    [TestCase("SessionPresentAlways", "A connect resume", "A malformed unknown-method")]
    [TestCase(
        "SessionExpiryDropped",
        "A connect resume expiry=1000; A connect resume",
        "A connect clean; B connect clean will=~/a:0 expiry=1; A subscribe ~/a:0; B disconnect expiry=1",
        "A connect clean will=~/a:1 expiry=1 will-delay=5; B connect clean; A disconnect with-will; "
            + "B subscribe ~/a:1; A wait 1500ms"
    )]
    [TestCase(
        "RetainedWillCloses",
        "A connect resume will=~/a:0:retain",
        "A connect clean will=~/a:0:retain client-id=case; & B connect clean client-id=case"
    )]
    public void What_follows_from_one_fault_is_one_finding(string fault, params string[] scenarios)
    {
        using var broker = Of(fault);
        var ledger = Investigate(broker, scenarios);
        var causes = CauseAnalysis.Group(ledger.Findings).Where(finding => finding.ExplainedBy is null).ToList();
        Assert.That(causes, Has.Count.EqualTo(1), string.Join("\n", causes.Select(f => $"{f.Key} in {f.Scenario}")));
    }

    [Test]
    public void Connections_that_end_for_two_packets_are_two_findings()
    {
        using var broker = Of("EmptyLevelCloses");
        using var other = Of("UnsubscribeOfTwoCloses");
        var ledger = Investigate(broker, "A connect clean; A publish ~//a qos=0");
        Investigate(other, ledger, ["A connect clean; A unsubscribe ~/a ~/b"]);
        Assert.That(ledger.Findings, Has.Count.EqualTo(2));
    }

    // Nothing that came every time is called "in no repetition" for want of time.
    [TestCase(BrokerMutant.SubackReversed, "A subscribe ~/a:0 ~/b:1", true)]
    [TestCase(
        BrokerMutant.OverlapReplaces,
        "A subscribe ~/a:1; A subscribe ~/+:0:no-local; A publish ~/a qos=1",
        false
    )]
    public void What_comes_every_time_is_told_though_no_time_is_left(BrokerMutant mutant, string steps, bool isFinding)
    {
        using var broker = Of(mutant);
        var ledger = Investigate(broker, NewLedger(), ["A connect clean; " + steps], isLate: true);
        if (isFinding)
            Assert.That(ledger.Findings[0].Repeated, Is.EqualTo("5 of 5 times"));
        else
            Assert.That(
                ledger.Suspicions.Single(suspicion => suspicion.Deviation.IsAbsence).Repeated,
                Is.EqualTo("in 5 of 5 repetitions, and not confirmed")
            );
    }

    private static VirtualBroker Of(object fault) =>
        fault is BrokerMutant mutant
            ? new VirtualBroker(mutant: mutant)
            : new VirtualBroker(through: Spoilings.All.Single(spoiling => spoiling.Name == (string)fault).Through);

    private static FindingLedger NewLedger() => new(new CheckOptions(), _ => { });

    private static FindingLedger Investigate(VirtualBroker broker, params string[] scenarios) =>
        Investigate(broker, NewLedger(), scenarios);

    private static FindingLedger Investigate(
        VirtualBroker broker,
        FindingLedger ledger,
        string[] scenarios,
        bool isLate = false
    )
    {
        var options = new CheckOptions();
        var replayer = new Replayer(broker.Wire, broker.Runner, options, ledger.IsKnown, () => false);
        var investigation = new Investigation(broker.Wire, broker.Runner, replayer, options, ledger, () => null);
        foreach (var steps in scenarios)
        {
            var found = broker.Run(ScenarioText.Parse(steps, ProtocolVersion.V5, "test"));
            Assert.That(found.Deviations, Is.Not.Empty, steps);
            foreach (var deviation in found.Deviations.Where(ledger.IsNew))
            {
                if (isLate)
                    replayer.End = broker.Wire.NowNanoseconds + 1;
                investigation.Investigate(deviation, found);
            }
        }
        return ledger;
    }
}
