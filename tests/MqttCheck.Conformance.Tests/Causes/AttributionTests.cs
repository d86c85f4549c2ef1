using MqttCheck.Conformance.Causes;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Tests.Causes;

/// <summary>A smallest scenario tells which statement a finding is about.</summary>
[TestFixture]
internal sealed class AttributionTests
{
    // "If a Server receives a SUBSCRIBE packet that contains a Topic Filter that is identical to a Non-shared
    // Subscription's Topic Filter for the current Session, then it MUST replace that existing Subscription with a new
    // Subscription" (MQTT-3.8.4-3); only one that is identical.
    [TestCase("delivered", "A connect clean; A subscribe ~/+:1 ~/#:0:no-local; A publish ~/a qos=2", "copies")]
    [TestCase("no-local", "A connect clean; A subscribe ~/a:0 ~/a:0:no-local; A publish ~/a qos=0", "copies")]
    // It was not replaced before the session was stored.
    [TestCase(
        "delivery-qos",
        "A connect resume; A subscribe ~/+:0; A subscribe ~/+:0:no-local; A connect resume; & A publish ~/a qos=2",
        "copies"
    )]
    // "The Topic Filters ... supplied in an UNSUBSCRIBE packet MUST be compared character-by-character with the current
    // set of Topic Filters held by the Server for the Client" (MQTT-3.10.4-1).
    [TestCase(
        "delivered",
        "A connect clean; A subscribe ~/a:1; A unsubscribe ~/#; A publish ~/a qos=1",
        "unsubscribed"
    )]
    // "MUST resume communications with the Client based on state from the existing Session" (MQTT-3.1.2-5).
    [TestCase(
        "delivered",
        "A connect resume expiry=9; A subscribe ~/a:1; A connect resume expiry=9; A publish ~/a qos=1",
        "session-present"
    )]
    // Also where a subscription of that session is made again later: it was there, or that would not matter.
    [TestCase(
        "retain-flag-live",
        "A connect resume; A subscribe ~/a:0; A connect resume; A publish ~/a qos=0 retain; A subscribe ~/a:0",
        "session-present"
    )]
    // "The Client and Server MUST store the Session State after the Network Connection is closed if the Session Expiry
    // Interval is greater than 0" (MQTT-3.1.2-23): the interval begins when the connection is closed.
    [TestCase(
        "delivered",
        "A connect resume expiry=1; A subscribe ~/a:1; A wait 1600ms; A publish ~/a qos=2",
        "session-expiry"
    )]
    [TestCase(
        "delivered",
        "A connect resume expiry=1; B connect clean; A subscribe ~/a:1; A wait 1ms; A wait 999ms; B publish ~/a qos=1",
        "session-expiry"
    )]
    [TestCase(
        "delivered",
        "A connect resume expiry=2; A subscribe ~/a:1; A wait 1600ms; A publish ~/a qos=2",
        "delivered"
    )]
    [TestCase(
        "delivered",
        "A connect resume expiry=1 keepalive=1; A subscribe ~/a:1; A wait 1600ms; A publish ~/a qos=2",
        "delivered"
    )]
    [TestCase(
        "delivered",
        "A connect clean; B connect clean expiry=1; A subscribe ~/a:1; B wait 1600ms; B publish ~/a qos=2",
        "delivered"
    )]
    [TestCase(
        "delivered",
        "A connect resume expiry=1; A subscribe ~/a:1; B connect clean; A wait 1600ms; B drop; A publish ~/a qos=2",
        "delivered"
    )]
    // "If the RETAIN flag is set to 0 in a PUBLISH packet sent by a Client to a Server, the Server MUST NOT store the
    // message as a retained message and MUST NOT remove or replace any existing retained message" (MQTT-3.3.1-8).
    [TestCase(
        "retained-kept",
        "A connect clean; A publish ~/a qos=1 retain; A publish ~/a qos=0 empty; A subscribe ~/a:1",
        "retained-untouched"
    )]
    // "If Retain Handling is set to 1 then if the subscription did not already exist, the Server MUST send all retained
    // message matching the Topic Filter of the subscription to the Client" (MQTT-3.3.1-10).
    [TestCase(
        "retained-kept",
        "A connect clean; A publish ~/a qos=1 retain; A subscribe ~/a:1:handling=1",
        "retain-handling"
    )]
    // Nothing in these says more than the statement itself.
    [TestCase("delivered", "A connect clean; A subscribe ~/a:1; A publish ~/a qos=1", "delivered")]
    [TestCase("delivered", "A connect clean; A subscribe ~/a:1; A publish ~/a qos=1; A unsubscribe ~/a", "delivered")]
    [TestCase("retained-kept", "A connect clean; A publish ~/a qos=1 retain; A subscribe ~/a:1", "retained-kept")]
    [TestCase("order", "A connect clean; A subscribe ~/+:1 ~/#:0; A publish ~/a qos=1", "order")]
    public void The_commands_that_are_needed_tell_the_statement(string seen, string steps, string statement) =>
        Assert.That(Attribution.Refine(Of(seen, steps)).Statement.Name, Is.EqualTo(statement));

    // A message that is lost under a load, or now and then, is lost whatever the filters are (MQTT-4.5.0-1).
    [Test]
    public void What_needs_more_than_its_commands_is_not_put_down_to_filters_that_overlap()
    {
        var lost = Of("delivered", "A connect clean; A subscribe ~/+:1 ~/#:0:no-local; A publish ~/a qos=2");
        Finding[] findings =
        [
            lost with
            {
                Load = "2k",
            },
            lost with
            {
                Beside = [lost.Scenario],
            },
            lost with
            {
                Hits = 3,
            },
        ];
        Assert.That(findings.Select(f => Attribution.Refine(f).Statement.Name), Has.All.EqualTo("delivered"));
    }

    // A later message has come by the same subscription, so that the session has it (MQTT-3.1.2-5).
    [Test]
    public void A_message_that_another_one_has_overtaken_is_lost_and_its_subscription_is_not()
    {
        var lost = Of("delivered", "A connect resume; A subscribe ~/a:1; A connect resume; A publish ~/a qos=1");
        Assert.That(Attribution.Refine(lost).Statement.Name, Is.EqualTo("session-present"));
        var overtaken = lost with { Deviation = lost.Deviation with { IsOvertaken = true } };
        Assert.That(Attribution.Refine(overtaken).Statement.Name, Is.EqualTo("delivered"));
    }

    [Test]
    public void What_is_listed_under_a_finding_follows_it_to_its_statement()
    {
        var lost = Of("delivered", "A connect clean; A subscribe ~/a:1; A unsubscribe ~/#; A publish ~/a qos=1");
        var late = Of("order", "A connect clean; A publish ~/a qos=1") with { ExplainedBy = lost.Key };
        var groups = CauseAnalysis.Group([lost, late]);
        Assert.That((groups[0].Statement.Name, groups[1].ExplainedBy), Is.EqualTo(("unsubscribed", groups[0].Key)));
    }

    private static Finding Of(string name, string steps)
    {
        var statement = Statements.All.Single(s => s.Name == name);
        return new Finding
        {
            Statement = statement,
            Circumstances = "test",
            Scenario = ScenarioText.Parse(steps, ProtocolVersion.V5, "test"),
            Deviation = new Deviation(statement, "test", "", 0) { IsAbsence = name is not ("no-local" or "order") },
            Names = new ScenarioNames("x"),
            Trace = [],
            Replays = 5,
            Hits = 5,
            FoundWith = 5,
        };
    }
}
