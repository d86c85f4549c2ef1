using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Tests.Judges;

/// <summary>What a broker says of subscriptions, identifiers and messages in packets seldom looked at.</summary>
[TestFixture]
internal sealed class AnswerTests
{
    private const int A = 0,
        B = 1;

    // "0x11 No subscription existed: No matching Topic Filter is being used by the Client" (MQTT 5, section 3.11.3).
    [TestCase(true, ReasonCode.Success, ExpectedResult = "")]
    [TestCase(true, ReasonCode.NoSubscriptionExisted, ExpectedResult = "unsuback-told")]
    [TestCase(false, ReasonCode.NoSubscriptionExisted, ExpectedResult = "")]
    [TestCase(false, ReasonCode.Success, ExpectedResult = "unsuback-told")]
    [TestCase(false, ReasonCode.NotAuthorized, ExpectedResult = "")]
    public string Unsuback_tells_whether_there_was_a_subscription(bool exists, ReasonCode code)
    {
        var script = Script().Connect(A);
        if (exists)
            script.Subscribe(A, "x/a", 1);
        script.Sends(A, new UnsubscribePacket(2, ["x/a"])).Gets(A, new UnsubackPacket(2, [code]));
        return string.Join(' ', script.Deviations);
    }

    // Which of the two takes effect first is the broker's choice, as long as neither is answered.
    [Test]
    public void Unsuback_may_say_either_while_a_SUBSCRIBE_waits_for_its_answer(
        [Values(ReasonCode.Success, ReasonCode.NoSubscriptionExisted)] ReasonCode code
    ) =>
        Script()
            .Connect(A)
            .Sends(A, new SubscribePacket(1, [new SubscriptionRequest("x/a", QualityOfService.AtLeastOnce)]))
            .Sends(A, new UnsubscribePacket(2, ["x/a"]))
            .Gets(A, new SubackPacket(1, [(ReasonCode)1]))
            .Gets(A, new UnsubackPacket(2, [code]))
            .FindsNothing();

    // "The message is accepted but there are no subscribers" (MQTT 5, section 3.4.2.1).
    [TestCase("x/a", ExpectedResult = "no-matching-subscribers")]
    [TestCase("x/b", ExpectedResult = "")]
    public string An_acknowledgement_says_that_nobody_subscribes_only_if_that_is_so(string filter) =>
        string.Join(
            ' ',
            Script()
                .Connect(A)
                .Connect(B)
                .Subscribe(A, filter, 1)
                .Sends(B, Message("x/a", 1, QualityOfService.AtLeastOnce, 7))
                .Gets(B, new PubackPacket(7, ReasonCode.NoMatchingSubscribers))
                .Deviations
        );

    // What breaks a rule ends the connection, and with it this session.
    [Test]
    public void Who_has_broken_a_rule_need_not_count_as_a_subscriber() =>
        Script()
            .Connect(A)
            .Connect(B)
            .Subscribe(A, "x/a", 1)
            .Misbehaves(A, MalformedCommand.SecondConnect)
            .Sends(B, Message("x/a", 1, QualityOfService.AtLeastOnce, 7))
            .Gets(B, new PubackPacket(7, ReasonCode.NoMatchingSubscribers))
            .FindsNothing();

    // "it MUST re-send them in the order in which the original PUBLISH packets were sent" (MQTT-4.6.0-1), which holds
    // for the server's messages to each subscriber as well (section 4.6).
    [TestCase(1, 2, ExpectedResult = "")]
    [TestCase(2, 1, ExpectedResult = "resend-order")]
    public string What_is_sent_again_comes_in_the_order_of_the_first_time(int first, int second)
    {
        var script = new TraceScript()
            .Connect(A, clean: false)
            .Connect(B)
            .Subscribe(A, "x/a", 1)
            .Publish(B, "x/a", 1, 1)
            .Deliver(A, "x/a", 1, 1, id: 1, acknowledge: false)
            .Publish(B, "x/a", 1, 2)
            .Deliver(A, "x/a", 1, 2, id: 2, acknowledge: false)
            .Drop(A)
            .Connect(A, clean: false, sessionPresent: true)
            .Deliver(A, "x/a", 1, first, id: (ushort)first, dup: true)
            .Deliver(A, "x/a", 1, second, id: (ushort)second, dup: true);
        return string.Join(' ', script.Deviations);
    }

    // "... it MUST send the ... Subscription Identifiers" (MQTT-3.3.4-3): a retained message answers one subscription.
    [TestCase(5u, ExpectedResult = "")]
    [TestCase(0u, ExpectedResult = "subscription-identifiers")]
    public string A_stored_message_carries_the_identifier_of_the_subscription(uint received) =>
        string.Join(
            ' ',
            Script()
                .Connect(A)
                .Publish(A, "x/a", 1, 1, retain: true)
                .Sends(A, Identified("x/a"))
                .Gets(A, new SubackPacket(3, [(ReasonCode)1]))
                .Gets(A, Message("x/a", 1, QualityOfService.AtLeastOnce, 1, received) with { Retain = true })
                .Deviations
        );

    // "having accepted ownership" of a message a receiver may wait for PUBREL before it delivers that (4.3.3). The one
    // empty message that came may be the other one, for which all is done.
    [TestCase(false, ExpectedResult = "")]
    [TestCase(true, ExpectedResult = "delivered")]
    public string An_empty_message_that_is_not_released_need_not_have_come(bool isReleased)
    {
        var script = Script().Connect(B).Subscribe(B, "x/a", 1).Connect(A);
        if (isReleased)
            script.Publish(A, "x/a", 2, 1, id: 9, empty: true);
        else
            script
                .Sends(
                    A,
                    new PublishPacket
                    {
                        Topic = "x/a",
                        Qos = QualityOfService.ExactlyOnce,
                        PacketId = 9,
                    }
                )
                .Withholds(A, 9)
                .Gets(A, new PubrecPacket(9));
        script.Publish(A, "x/a", 2, 2, empty: true).Deliver(B, "x/a", 1, 1, empty: true);
        return string.Join(' ', script.Owed);
    }

    // Nobody has told the client yet whether a SUBSCRIBE without an answer brings one stored message or two.
    [TestCase(5u, 0u)]
    [TestCase(0u, 5u)]
    public void A_stored_message_that_comes_twice_is_not_taken_for_the_live_one(uint live, uint stored)
    {
        var request = new SubscriptionRequest("x/a", QualityOfService.AtLeastOnce);
        var script = Script()
            .Connect(A, expiry: 100)
            .Sends(A, Identified(1, live, request with { RetainAsPublished = true }))
            .Gets(A, new SubackPacket(1, [ReasonCode.GrantedQos1]))
            .Publish(A, "x/a", 1, 1, retain: true)
            .Gets(A, Message("x/a", 1, QualityOfService.AtLeastOnce, 1, live) with { Retain = true })
            .Sends(A, new PubackPacket(1))
            .Sends(A, Identified(3, stored, request with { Filter = "x/#" }, request with { Filter = "x/#" }))
            .Drop(A)
            .Connect(A, clean: false, sessionPresent: true, expiry: 100);
        foreach (var id in new ushort[] { 2, 3 })
            script
                .Gets(
                    A,
                    Message("x/a", 1, QualityOfService.AtLeastOnce, id, stored) with
                    {
                        Retain = true,
                        Duplicate = true,
                    }
                )
                .Sends(A, new PubackPacket(id));
        Assert.That(script.Deviations, Is.Empty);
    }

    [TestCase(5u, ExpectedResult = "")]
    [TestCase(0u, ExpectedResult = "subscription-identifiers")]
    public string A_message_of_a_shared_subscription_carries_its_identifier(uint received) =>
        string.Join(
            ' ',
            Script()
                .Connect(A)
                .Sends(A, Identified("$share/g/x/a"))
                .Gets(A, new SubackPacket(3, [(ReasonCode)1]))
                .Publish(A, "x/a", 1, 1)
                .Gets(A, Message("x/a", 1, QualityOfService.AtLeastOnce, 1, received))
                .Deviations
        );

    // "The PUBLISH packet sent to a Client by the Server MUST contain a Message Expiry Interval set to the received
    // value minus the time that the Application Message has been waiting in the Server" (MQTT-3.3.2-6).
    [TestCase(7u, ExpectedResult = "")]
    [TestCase(10u, ExpectedResult = "message-expiry")]
    public string The_interval_of_a_stored_message_runs_down(uint left)
    {
        var stored = Message("x/a", 1, QualityOfService.AtLeastOnce, 7) with { Retain = true };
        var script = Script()
            .Connect(A)
            .Sends(A, stored with { Properties = new PacketProperties { MessageExpiryIntervalSeconds = 10 } })
            .Gets(A, new PubackPacket(7))
            .Wait(3500)
            .Subscribe(A, "x/a", 1)
            .Gets(A, stored with { Properties = new PacketProperties { MessageExpiryIntervalSeconds = left } });
        return string.Join(' ', script.Deviations);
    }

    // A DISCONNECT packet is "the final Control Packet sent from the Client to the Server" (MQTT 3.1.1, section 3.14).
    [Test]
    public void DISCONNECT_from_the_server_is_not_part_of_MQTT_311() =>
        new TraceScript().Connect(A).Gets(A, new DisconnectPacket(ReasonCode.ServerBusy)).Finds("server-disconnect");

    // "The Will Message MUST be published after the Network Connection is subsequently closed" (MQTT-3.1.2-8), also
    // when "the Server closes the Network Connection because of a protocol error" (section 3.1.2.5).
    [Test]
    public void A_will_is_due_when_the_broker_ends_a_connection_for_an_error() =>
        new TraceScript()
            .Connect(B)
            .Subscribe(B, "x/w", 1)
            .Connect(A, will: "x/w")
            .Misbehaves(A, MalformedCommand.SecondConnect)
            .Closed(A)
            .Owes("will-published");

    // Who subscribes meanwhile may have been too late for it.
    [Test]
    public void A_will_is_not_due_to_a_subscription_made_while_the_connection_may_have_ended() =>
        new TraceScript()
            .Connect(B)
            .Connect(A, will: "x/w")
            .Misbehaves(A, MalformedCommand.SecondConnect)
            .Subscribe(B, "x/w", 1)
            .Closed(A)
            .OwesNothing();

    [Test]
    public void A_will_is_due_when_the_broker_ends_a_silent_connection() =>
        new TraceScript()
            .Connect(B)
            .Subscribe(B, "x/w", 1)
            .Connect(A, will: "x/w", keepAlive: 1)
            .Pass(1600)
            .Closed(A)
            .Owes("will-published");

    // "The Will Message MUST be removed from the stored Session State in the Server once it has been published or the
    // Server has received a DISCONNECT packet with a Reason Code of 0x00" (MQTT-3.1.2-10).
    [Test]
    public void A_will_that_DISCONNECT_discarded_does_not_come_when_a_later_connection_is_lost() =>
        new TraceScript()
            .Connect(B)
            .Subscribe(B, "x/w", 0)
            .Connect(A, will: "x/w")
            .Disconnect(A)
            .Connect(A)
            .Drop(A)
            .Deliver(B, "x/w", 0, 90)
            .Finds("will-discarded");

    private static TraceScript Script() => new(ProtocolVersion.V5);

    private static SubscribePacket Identified(string filter) =>
        Identified(3, 5, new SubscriptionRequest(filter, QualityOfService.AtLeastOnce));

    private static SubscribePacket Identified(ushort id, uint identifier, params SubscriptionRequest[] requests) =>
        new(id, [.. requests])
        {
            Properties = new PacketProperties { SubscriptionIdentifiers = identifier > 0 ? [identifier] : [] },
        };

    private static PublishPacket Message(
        string topic,
        int number,
        QualityOfService qos,
        ushort id,
        uint identifier = 0
    ) =>
        new()
        {
            Topic = topic,
            Qos = qos,
            PacketId = id,
            Payload = new ScenarioNames("x").Payload(number),
            Properties = new PacketProperties { SubscriptionIdentifiers = identifier > 0 ? [identifier] : [] },
        };
}
