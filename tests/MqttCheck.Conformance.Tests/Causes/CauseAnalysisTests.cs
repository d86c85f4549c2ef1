using MqttCheck.Conformance.Causes;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Conformance.Tests.Judges;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Tests.Causes;

/// <summary>Findings from traces written by hand: which of them one fault of the broker explains.</summary>
[TestFixture]
internal sealed class CauseAnalysisTests
{
    private const int A = 0,
        B = 1;

    // "... Application Messages MUST NOT be forwarded to a connection with a ClientID equal to the ClientID of the
    // publishing connection" (MQTT-3.8.3-3).
    private static TraceScript OwnMessage =>
        Script()
            .Connect(A)
            .Sends(A, NoLocal("x/a", 0))
            .Gets(A, Granted(0))
            .Publish(A, "x/a", 0, 1)
            .Deliver(A, "x/a", 0, 1);

    // The higher quality of service is that of the subscription with No Local.
    private static TraceScript OwnMessageAtHigherQos =>
        Script()
            .Connect(A)
            .Sends(A, NoLocal("x/+", 2))
            .Gets(A, Granted(2))
            .Subscribe(A, "x/a", 0, id: 2)
            .Publish(A, "x/a", 2, 1)
            .Deliver(A, "x/a", 2, 1);

    private static TraceScript WrongQos =>
        Script().Connect(A).Subscribe(A, "x/a", 0).Publish(A, "x/a", 2, 1).Deliver(A, "x/a", 2, 1);

    // The second copy may be the stored message, if these come with RETAIN 0.
    private static TraceScript StoredWithoutRetain =>
        Script().Connect(A).Publish(A, "x/a", 1, 1, retain: true).Subscribe(A, "x/a", 0).Deliver(A, "x/a", 0, 1);

    private static TraceScript SecondCopy =>
        Script()
            .Connect(A)
            .Subscribe(A, "x/a", 2)
            .Publish(A, "x/a", 2, 1, retain: true)
            .Deliver(A, "x/a", 2, 1, id: 5)
            .Subscribe(A, "x/a", 2)
            .Deliver(A, "x/a", 2, 1, id: 6);

    private static TraceScript SecondCopyOfPlain =>
        Script()
            .Connect(A)
            .Subscribe(A, "x/a", 2)
            .Publish(A, "x/a", 2, 1)
            .Deliver(A, "x/a", 2, 1, id: 5)
            .Deliver(A, "x/a", 2, 1, id: 6);

    private static TraceScript SessionKept =>
        Script().Connect(A, clean: false).Disconnect(A).Connect(A, clean: false, sessionPresent: true);

    private static TraceScript SubscriptionOfEndedSession =>
        Script()
            .Connect(A)
            .Connect(B, clean: false)
            .Subscribe(B, "x/a", 0)
            .Drop(B)
            .Connect(B, clean: false)
            .Publish(A, "x/a", 0, 1)
            .Deliver(B, "x/a", 0, 1);

    private static TraceScript MessageLost =>
        Script().Connect(A).Subscribe(A, "x/a", 1).Publish(A, "x/a", 1, 1).GiveUp();

    private static TraceScript QueuedMessageLost => LostAfter(100);

    // A broker that has not seen the end of the connection sends the message on it.
    private static TraceScript OpenMessageLost =>
        Script()
            .Connect(A)
            .Connect(B, clean: false, expiry: 100)
            .Subscribe(B, "x/a", 1)
            .Publish(A, "x/a", 1, 1)
            .Deliver(B, "x/a", 1, 1, acknowledge: false)
            .Drop(B)
            .Connect(B, clean: false, expiry: 100, sessionPresent: true)
            .GiveUp();

    private static TraceScript LostAfter(int milliseconds) =>
        Script()
            .Connect(A)
            .Connect(B, clean: false, expiry: 100)
            .Subscribe(B, "x/a", 1)
            .Drop(B)
            .Pass(milliseconds)
            .Publish(A, "x/a", 1, 1)
            .Connect(B, clean: false, expiry: 100, sessionPresent: true)
            .GiveUp();

    private static TestCaseData[] Explained =>
        [
            Case(OwnMessage, "no-local", OwnMessageAtHigherQos, "delivery-qos", true),
            Case(OwnMessage, "no-local", WrongQos, "delivery-qos", false),
            Case(OwnMessageAtHigherQos, "delivery-qos", OwnMessage, "no-local", false),
            Case(StoredWithoutRetain, "retain-flag-stored", SecondCopy, "qos2-exactly-once", true),
            Case(StoredWithoutRetain, "retain-flag-stored", SecondCopyOfPlain, "qos2-exactly-once", false),
            Case(SessionKept, "session-not-present", SubscriptionOfEndedSession, "session-ends", true),
            Case(MessageLost, "delivered", QueuedMessageLost, "offline-queue", true),
            Case(QueuedMessageLost, "offline-queue", MessageLost, "delivered", false),
            Case(OpenMessageLost, "resend", LostAfter(1), "offline-queue", true),
            Case(OpenMessageLost, "resend", LostAfter(100), "offline-queue", false),
            Case(LostAfter(1), "offline-queue", OpenMessageLost, "resend", false),
        ];

    private static TestCaseData Case(
        TraceScript cause,
        string first,
        TraceScript effect,
        string second,
        bool vanishes
    ) => new TestCaseData(Of(cause, first), Of(effect, second), vanishes).SetArgDisplayNames(first, second);

    [TestCaseSource(nameof(Explained))]
    public void A_finding_vanishes_if_the_fault_that_another_shows_explains_it(
        Finding cause,
        Finding effect,
        bool vanishes
    ) => Assert.That(CauseAnalysis.Explains(cause, effect), Is.EqualTo(vanishes));

    [Test]
    public void Findings_stand_under_their_cause_even_if_it_was_found_later()
    {
        var groups = CauseAnalysis.Group([
            Of(OwnMessageAtHigherQos, "delivery-qos"),
            Of(MessageLost, "delivered"),
            Of(OwnMessage, "no-local"),
            Of(QueuedMessageLost, "offline-queue"),
        ]);
        Assert.That(
            groups.Select(finding => (finding.Statement.Name, finding.ExplainedBy?.Split('|')[0])),
            Is.EqualTo([
                ("no-local", null),
                ("delivered", null),
                ("delivery-qos", "no-local"),
                ("offline-queue", "delivered"),
            ])
        );
    }

    // One explains the other, and its scenario is longer.
    [Test]
    public void The_plainer_scenario_names_a_fault_that_a_longer_one_explains()
    {
        var groups = CauseAnalysis.Group([
            Of(MessageLost, "delivered"),
            Of(OwnMessageAtHigherQos, "delivery-qos"),
            Longer(Of(OwnMessage, "no-local")),
        ]);
        Assert.That(
            groups.Select(finding => (finding.Statement.Name, finding.ExplainedBy?.Split('|')[0])),
            Is.EqualTo([("delivered", null), ("delivery-qos", null), ("no-local", "delivery-qos")])
        );
    }

    // Each explains the other.
    [Test]
    public void A_plainer_scenario_names_a_fault_that_was_found_in_a_longer_one()
    {
        var plain = Of(MessageLost, "delivered") with { Circumstances = "plain" };
        var groups = CauseAnalysis.Group([Longer(Of(MessageLost, "delivered")), plain]);
        Assert.That(
            groups.Select(finding => (finding.Circumstances == "plain", finding.ExplainedBy)),
            Is.EqualTo([(true, (string?)null), (false, plain.Key)])
        );
    }

    // What a run has attributed by itself stays so.
    [Test]
    public void A_finding_stays_under_the_cause_that_it_was_given()
    {
        var first = Of(OwnMessage, "no-local");
        var groups = CauseAnalysis.Group([first, Of(WrongQos, "delivery-qos") with { ExplainedBy = first.Key }]);
        Assert.That(groups[1].ExplainedBy, Is.EqualTo(first.Key));
    }

    private static TraceScript Script() => new(ProtocolVersion.V5);

    private static SubscribePacket NoLocal(string filter, int qos) =>
        new(1, [new SubscriptionRequest(filter, (QualityOfService)qos) { NoLocal = true }]);

    private static SubackPacket Granted(int qos) => new(1, [(ReasonCode)qos]);

    private static Finding Longer(Finding finding) =>
        finding with
        {
            Scenario = ScenarioText.Parse("A connect clean; B connect clean; A ping", ProtocolVersion.V5, "test"),
        };

    private static Finding Of(TraceScript script, string statement)
    {
        var deviation = script.Monitor.Deviations.First(d => d.Statement.Name == statement);
        return new Finding
        {
            Statement = deviation.Statement,
            Circumstances = deviation.Circumstances,
            Scenario = ScenarioText.Parse("A connect clean; B connect clean", ProtocolVersion.V5, "test"),
            Deviation = deviation,
            Names = script.Names,
            Trace = script.Monitor.Trace,
            Replays = 5,
            Hits = 5,
            FoundWith = 5,
        };
    }
}
