using MqttCheck.Protocol;

namespace MqttCheck.Tests.Conformance.Judges;

/// <summary>
/// What a broker may do when it sees a client's next connection before the end of the last one, judged on traces
/// written by hand.
/// </summary>
[TestFixture]
internal sealed class TakenOverTests
{
    private const int A = 0,
        B = 1;

    // "The DUP flag MUST be set to 1 ... when it attempts to re-deliver a PUBLISH Packet" (MQTT-3.3.1-1): a new session
    // has nothing to deliver again.
    [TestCase(true, 1000u, ExpectedResult = "")]
    [TestCase(false, 0u, ExpectedResult = "")]
    [TestCase(false, 1000u, ExpectedResult = "dup-on-resend")]
    public string What_comes_late_on_a_replaced_connection_is_new_to_a_new_session(bool clean, uint expiry)
    {
        var isPresent = !clean && expiry > 0;
        var script = new TraceScript(ProtocolVersion.V5)
            .Connect(B)
            .Publish(B, "x/a", 2, 1, retain: true)
            .Connect(A, expiry: expiry)
            .Subscribe(A, "x/#", 2)
            .Connect(A, clean: clean, sessionPresent: isPresent, expiry: expiry)
            .DeliverOnEarlier(A, "x/a", 2, 1, retain: true)
            .ClosedEarlier(A);
        if (!isPresent)
            script.Subscribe(A, "x/#", 2, id: 3);
        script.Deliver(A, "x/a", 2, 1, retain: true, acknowledge: false);
        return string.Join(' ', script.Deviations.Where(name => name != "take-over-told"));
    }

    // The end of one connection and the begin of the next one have no order of their own: a broker may take over the
    // first before it reads DISCONNECT, and publish its will. Then the message that was retained before is gone.
    [TestCase(true, ExpectedResult = "")]
    [TestCase(false, ExpectedResult = "will-discarded retained-kept")]
    public string A_will_may_be_retained_where_DISCONNECT_comes_behind_the_next_connection(bool connectsAgain)
    {
        var script = new TraceScript(ProtocolVersion.V5)
            .Connect(A, will: "x/a", willRetain: true)
            .Publish(A, "x/a", 1, 1, retain: true)
            .Disconnect(A);
        if (connectsAgain)
            script.Connect(A);
        script.Connect(B).Subscribe(B, "x/a", 1).Deliver(B, "x/a", 1, 90 + A, retain: true);
        return string.Join(' ', script.Deviations.Concat(script.Owed));
    }
}
