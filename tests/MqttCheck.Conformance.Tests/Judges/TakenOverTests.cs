using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Tests.Judges;

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

    // Such a will comes live where somebody has subscribed meanwhile, and then without RETAIN.
    [Test]
    public void A_will_that_comes_live_behind_the_next_connection_answers_no_subscription() =>
        new TraceScript(ProtocolVersion.V311)
            .Connect(B)
            .Connect(A, will: "x/a", willRetain: true)
            .Disconnect(A)
            .AsksToConnect(A)
            .Subscribe(B, "x/a", 1)
            .Deliver(B, "x/a", 1, 90 + A)
            .FindsNothing();

    // The session that had accepted the message is gone with the clean start, and PUBREL came to nobody.
    [TestCase(true, ExpectedResult = "")]
    [TestCase(false, ExpectedResult = "delivered")]
    public string A_message_that_is_released_on_a_replaced_connection_may_be_lost(bool isReplaced)
    {
        var script = new TraceScript(ProtocolVersion.V5)
            .Connect(A)
            .Subscribe(A, "x/a", 1)
            .Connect(B)
            .Sends(
                B,
                new PublishPacket
                {
                    Topic = "x/a",
                    Qos = QualityOfService.ExactlyOnce,
                    PacketId = 9,
                    Payload = new ScenarioNames("x").Payload(1),
                }
            );
        if (isReplaced)
            script.AsksToConnect(B).GetsOnEarlier(B, new PubrecPacket(9)).SendsOnEarlier(B, new PubrelPacket(9));
        else
            script.Gets(B, new PubrecPacket(9)).Sends(B, new PubrelPacket(9)).Gets(B, new PubcompPacket(9));
        if (isReplaced)
            script.Gets(B, new ConnackPacket(false, ReasonCode.Success)).ClosedEarlier(B);
        return string.Join(' ', script.Owed);
    }
}
