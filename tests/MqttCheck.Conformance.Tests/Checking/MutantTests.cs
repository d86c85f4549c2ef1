using MqttCheck.Broker.Faults;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Tests.Checking;

/// <summary>
/// Scenarios that show what single mutants of the embedded broker do wrong, and that the broker itself does right.
/// </summary>
[TestFixture]
internal sealed class MutantTests
{
    // "The DUP flag MUST be set to 1 ... when it attempts to re-deliver a PUBLISH packet" (MQTT-3.3.1-1); "If the DUP
    // flag is set to 0, it indicates that this is the first occasion" (section 3.3.1.1).
    private const string Queued =
        "A connect resume expiry=1000; A subscribe ~/a:1; A disconnect; B connect clean; B publish ~/a qos=1; A "
        + "connect resume expiry=1000";

    // "If the Server sends a single copy of the message it MUST include in the PUBLISH packet the Subscription
    // Identifiers for all matching subscriptions" (MQTT-3.3.4-4).
    private const string Overlap =
        "A connect clean; A subscribe ~/a:1 id=1; A subscribe ~/#:1 id=2; A publish ~/a qos=1";

    // "... the Server MUST replace any existing retained message for this topic and store the Application Message"
    // (MQTT-3.3.1-5).
    private const string Replaced =
        "A connect clean; A publish ~/a qos=1 retain; A publish ~/a qos=0 retain; A ping; A subscribe ~/a:1";
    private const string Deleted =
        "A connect clean; A publish ~/a qos=1 retain; A publish ~/a qos=0 retain empty; A ping; A subscribe ~/a:1";

    // "If the ClientID represents a Client already connected to the Server, the Server sends a DISCONNECT packet to the
    // existing Client with Reason Code of 0x8E" (MQTT-3.1.4-3).
    private const string TakenOver = "A connect clean; A connect clean";

    // "When the Session Expiry Interval expires" (section 3.1.2.11.2): DISCONNECT may change it (3.14.2.2.2), and the
    // session "MUST" be discarded then (MQTT-4.1.0-2).
    private const string Leaving =
        "A connect resume expiry=1000; A disconnect expiry=1; A wait 3500ms; A connect resume expiry=1000";
    private const string Ending =
        "A connect resume expiry=1000; A disconnect expiry=0; B connect clean; A connect resume expiry=1000";

    // "If the Message Expiry Interval has passed and the Server has not managed to start onward delivery to a matching
    // subscriber, then it MUST delete the copy of the message for that subscriber" (MQTT-3.3.2-5).
    private const string Expiring =
        "A connect resume expiry=1000; A subscribe ~/a:1; A drop; B connect clean; B publish ~/a qos=1 expiry=1; B "
        + "publish ~/a qos=1; B wait 3500ms; A connect resume expiry=1000";

    // "... the Server does not receive an MQTT Control Packet from the Client within one and a half times the Keep
    // Alive time period, it MUST close the Network Connection" (MQTT-3.1.2-22).
    private const string Silent = "A connect clean keepalive=1; B connect clean; B wait 1600ms";

    // "Clean Start ... 1 ... the Client and Server MUST discard any existing Session and start a new Session"
    // (MQTT-3.1.2-4): identifiers of QoS 2 messages that were received are part of it (section 4.1).
    private const string BegunAnew =
        "B connect clean; B subscribe ~/a:2; A connect resume expiry=1000; A publish ~/a qos=2 cut=publish; A drop; "
        + "A connect clean; A publish ~/a qos=2";

    [TestCase(BrokerMutant.ExpiredHeadSent, Expiring, "expired")]
    [TestCase(BrokerMutant.ExpiredQueueSent, Expiring, "expired")]
    [TestCase(BrokerMutant.QueueStallsAtExpired, Expiring, "offline-queue")]
    [TestCase(BrokerMutant.KeepAliveIgnored, Silent, "keep-alive")]
    [TestCase(BrokerMutant.CleanStartKeepsReceived, BegunAnew, "delivered")]
    [TestCase(BrokerMutant.DupAfterAbsence, Queued, "dup-not-copied")]
    [TestCase(BrokerMutant.FirstIdentifierOnly, Overlap, "all-identifiers")]
    [TestCase(BrokerMutant.LastIdentifierOnly, Overlap, "all-identifiers")]
    [TestCase(BrokerMutant.Qos0NotRetained, Replaced, "retained-qos0-replaces")]
    [TestCase(BrokerMutant.Qos0DoesNotDelete, Deleted, "retained-deleted")]
    [TestCase(BrokerMutant.SilentTakeOver, TakenOver, "take-over-told")]
    [TestCase(BrokerMutant.DisconnectExpiryIgnored, Leaving, "session-expiry")]
    [TestCase(BrokerMutant.DisconnectZeroIgnored, Ending, "session-not-present")]
    public void A_mutant_is_seen_and_the_broker_is_not(BrokerMutant mutant, string steps, string statement)
    {
        var scenario = ScenarioText.Parse(steps, ProtocolVersion.V5, "test");
        using var wrong = new VirtualBroker(mutant: mutant);
        // What follows from the first may come as well: behind a queue that stalls no marker comes either.
        Assert.That(
            wrong.Run(scenario).Deviations.Select(deviation => deviation.Statement.Name).FirstOrDefault(),
            Is.EqualTo(statement)
        );
        using var right = new VirtualBroker();
        Assert.That(right.Run(scenario).Deviations, Is.Empty);
    }
}
