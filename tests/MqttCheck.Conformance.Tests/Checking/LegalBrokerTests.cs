using MqttCheck.Broker.Core;
using MqttCheck.Broker.Faults;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Conformance.Tests.Checking;

/// <summary>
/// Brokers that are right although they are small or unusual: nothing may be found. All of it is on the virtual clock,
/// and every choice has a seed.
/// </summary>
[TestFixture]
internal sealed class LegalBrokerTests
{
    [TestCaseSource(nameof(Variants))]
    public void A_broker_that_is_right_violates_nothing(LegalVariant variant, ProtocolVersion version)
    {
        using var broker = new VirtualBroker(variant.Faults, limits: variant.Limits, habits: variant.Habits);
        AssertNothingIsFound(broker, version);
    }

    // The will is published a second after its client has left, and the subscription comes later: an answer takes .8 s.
    [Test]
    public void A_slow_broker_may_publish_a_delayed_will_before_a_later_subscription(
        [Values("A wait 3000ms", "A connect clean", "A connect resume")] string last
    )
    {
        using var broker = new VirtualBroker(latency: TimeSpan.FromMilliseconds(400));
        var scenario = ScenarioText.Parse(
            $"""
            A connect clean will=~/a:1 expiry=1 will-delay=1
            B connect clean
            A disconnect with-will
            B ping
            B ping
            B subscribe ~/a:1
            {last}
            """,
            ProtocolVersion.V5,
            "test"
        );
        var result = broker.Run(scenario);
        var trace = result.Monitor.Trace;
        Assert.That(result.Deviations, Is.Empty, string.Join("\n", Transcript.Last(trace, result.Names, trace.Count)));
    }

    private static void AssertNothingIsFound(VirtualBroker broker, ProtocolVersion version)
    {
        var report = broker.Check(version).Explore(TimeSpan.FromHours(10), 1000, CancellationToken.None);
        var found = report.Findings.Where(finding =>
            finding.Statement.Class is StatementClass.Must or StatementClass.Should
        );
        Assert.That(
            found.Select(finding => $"{finding.Key}: {finding.Deviation.Explanation} in {finding.Scenario}"),
            Is.Empty
        );
        Assert.That(
            report
                .Suspicions.Where(suspicion => !suspicion.Deviation.MustRecur)
                .Select(suspicion => $"{suspicion.Key}: {suspicion.Deviation.Explanation} in {suspicion.Scenario}"),
            Is.Empty
        );
        Assert.That(report.Conclusion, Is.EqualTo(Conclusion.Success));
        Assert.That(report.Commands, Is.GreaterThan(8_000));
    }

    // "If a CONNECT packet is received with Clean Start set to 0 and there is a Session associated with the Client
    // Identifier, the Server MUST resume communications with the Client based on state from the existing Session"
    // (MQTT-3.1.2-5). The second CONNECT makes such a session, whether its client waits for CONNACK or not.
    [Test]
    public void A_connection_that_leaves_before_its_CONNACK_may_have_made_a_session()
    {
        using var broker = new VirtualBroker();
        Assert.That(
            Seen(
                broker,
                "A connect resume expiry=1; A disconnect; A wait 3500ms; A connect resume expiry=1; & A disconnect; A "
                    + "connect resume"
            ),
            Is.Empty
        );
    }

    // "If a Server receives a CONNECT packet containing a Will QoS that exceeds its capabilities, it MUST reject the
    // connection" (MQTT-3.2.2-12), "... Will Retain set to 1, and it does not support retained messages, the Server
    // MUST reject" (MQTT-3.2.2-13), and before CONNACK a client cannot know Maximum QoS (section 3.2.2.3.4) or any
    // other limit.
    [TestCase("Maximum QoS 1", "A connect clean will=~/w:2")]
    [TestCase("Maximum QoS 1", "B connect clean; A connect clean will=~/w:2")]
    [TestCase("Maximum QoS 1", "A connect clean; & A publish ~/a qos=2")]
    [TestCase("Maximum QoS 0", "A connect clean; & A publish ~/a qos=1")]
    [TestCase("nothing retained", "A connect clean will=~/w:0:retain")]
    [TestCase("nothing retained", "A connect clean; & A publish ~/a qos=0 retain")]
    [TestCase("small packets", "A connect clean; & A publish ~/a qos=1 size=1000")]
    [TestCase(
        "Receive Maximum 1",
        "A connect resume expiry=1000; & A publish ~/a qos=2 cut=publish; & A publish ~/a qos=2 cut=publish"
    )]
    // It had no effect behind the refused CONNECT (MQTT-3.1.4-6), and is sent again where the session is resumed
    // (MQTT-4.4.0-1).
    [TestCase(
        "Maximum QoS 1",
        "A connect clean expiry=1000; A subscribe ~/a:0; A connect clean will=~/a:2 expiry=1000; "
            + "& A publish ~/a qos=1; A connect resume"
    )]
    public void What_exceeds_a_limit_before_it_is_known_may_end_the_connection(string limit, string steps)
    {
        using var broker = new VirtualBroker(limits: LegalVariant.All.Single(variant => variant.Name == limit).Limits);
        Assert.That(Seen(broker, steps), Is.Empty);
    }

    private static IEnumerable<TestCaseData> Variants =>
        from variant in LegalVariant.All
        from version in variant.Versions
        select new TestCaseData(variant, version);

    private static IEnumerable<string> Seen(VirtualBroker broker, string steps) =>
        broker
            .Run(ScenarioText.Parse(steps, ProtocolVersion.V5, "test"))
            .Deviations.Select(deviation => $"{deviation.Key}: {deviation.Explanation}");
}
