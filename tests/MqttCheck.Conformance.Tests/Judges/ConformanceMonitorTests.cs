using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Tests.Judges;

[TestFixture]
internal sealed class ConformanceMonitorTests
{
    private const int A = 0,
        B = 1;

    [Test]
    public void What_every_broker_does_right_is_no_deviation() =>
        new TraceScript()
            .Connect(A)
            .Connect(B)
            .Subscribe(A, "x/#", 1)
            .Publish(B, "x", 1, 1)
            .Deliver(A, "x", 1, 1)
            .Publish(B, "x/a", 0, 2)
            .Deliver(A, "x/a", 0, 2)
            .Publish(B, "x/a", 1, 3, retain: true)
            .Deliver(A, "x/a", 1, 3, id: 2)
            .Subscribe(A, "x/#", 1, id: 3)
            .Deliver(A, "x/a", 1, 3, id: 3, retain: true)
            .Unsubscribe(A, "x/#")
            .Publish(B, "x/a", 1, 4)
            .Disconnect(A)
            .FindsNothing()
            .OwesNothing();

    [Test]
    public void A_message_of_QoS_1_is_owed_until_it_comes() =>
        new TraceScript()
            .Connect(A)
            .Connect(B)
            .Subscribe(A, "x/a", 1)
            .Publish(B, "x/a", 1, 1)
            .Owes("delivered")
            .Deliver(A, "x/a", 1, 1)
            .OwesNothing();

    [Test]
    public void A_message_of_QoS_0_may_be_lost() =>
        new TraceScript().Connect(A).Connect(B).Subscribe(A, "x/a", 1).Publish(B, "x/a", 0, 1).OwesNothing();

    [Test]
    public void A_later_message_in_the_same_order_shows_that_one_is_lost()
    {
        var script = new TraceScript()
            .Connect(A)
            .Connect(B)
            .Subscribe(A, "x/a", 1)
            .Publish(B, "x/a", 1, 1)
            .Publish(B, "x/a", 1, 2)
            .Deliver(A, "x/a", 1, 2);
        Assert.That(
            (script.Monitor.Outstanding().Single().Overtaken, script.Deliver(A, "x/a", 1, 1, id: 2).Deviations),
            Is.EqualTo((true, (string[])["order"]))
        );
    }

    [TestCase(2, 1, 1, ExpectedResult = "")]
    [TestCase(2, 1, 2, ExpectedResult = "delivery-qos")]
    [TestCase(1, 2, 0, ExpectedResult = "delivery-qos")]
    public string Delivery_is_at_the_lower_quality_of_service(int published, int granted, int delivered) =>
        string.Join(
            ' ',
            new TraceScript()
                .Connect(A)
                .Connect(B)
                .Subscribe(A, "x/a", granted)
                .Publish(B, "x/a", published, 1)
                .Deliver(A, "x/a", delivered, 1)
                .Deviations
        );

    [Test]
    public void Overlapping_subscriptions_may_bring_one_copy_or_one_each([Values(1, 2)] int copies)
    {
        var script = new TraceScript()
            .Connect(A)
            .Connect(B)
            .Subscribe(A, "x/a", 2)
            .Subscribe(A, "x/#", 0, id: 2)
            .Publish(B, "x/a", 2, 1)
            .Deliver(A, "x/a", 2, 1);
        if (copies == 2)
            script.Deliver(A, "x/a", 0, 1);
        Assert.That(script.Deviations.Concat(script.Owed), Is.Empty);
    }

    [Test]
    public void Which_of_several_empty_messages_a_copy_is_cannot_be_told() =>
        new TraceScript()
            .Connect(A)
            .Connect(B)
            .Subscribe(A, "x/a", 1)
            .Subscribe(A, "x/+", 0, id: 2)
            .Publish(B, "x/a", 1, 1, empty: true)
            .Deliver(A, "x/a", 1, 1, empty: true)
            .Publish(B, "x/a", 0, 2, empty: true)
            .Publish(B, "x/a", 1, 3, empty: true)
            .Deliver(A, "x/a", 0, 2, empty: true)
            .Deliver(A, "x/a", 1, 3, id: 2, empty: true)
            .FindsNothing()
            .OwesNothing();

    [Test]
    public void Overlapping_subscriptions_owe_the_highest_quality_of_service() =>
        new TraceScript()
            .Connect(A)
            .Connect(B)
            .Subscribe(A, "x/a", 2)
            .Subscribe(A, "x/#", 1, id: 2)
            .Publish(B, "x/a", 2, 1)
            .Deliver(A, "x/a", 1, 1)
            .Owes("overlapping-qos");

    [TestCase(0, 0, ExpectedResult = "qos0-at-most-once")]
    [TestCase(1, 1, ExpectedResult = "")]
    [TestCase(1, 0, ExpectedResult = "")]
    [TestCase(2, 2, ExpectedResult = "qos2-exactly-once")]
    public string A_repeated_message_is_wrong_where_it_is_promised_once(int published, int granted) =>
        string.Join(
            ' ',
            new TraceScript()
                .Connect(A)
                .Connect(B)
                .Subscribe(A, "x/a", granted)
                .Publish(B, "x/a", published, 1)
                .Deliver(A, "x/a", Math.Min(published, granted), 1)
                .Deliver(A, "x/a", Math.Min(published, granted), 1, id: 2)
                .Deviations
        );

    [Test]
    public void Nothing_published_after_UNSUBACK_may_come() =>
        new TraceScript()
            .Connect(A)
            .Connect(B)
            .Subscribe(A, "x/a", 1)
            .Unsubscribe(A, "x/a")
            .Publish(B, "x/a", 1, 1)
            .Deliver(A, "x/a", 1, 1)
            .Finds("unsubscribed");

    [Test]
    public void A_message_under_way_while_unsubscribing_may_come_or_not() =>
        new TraceScript()
            .Connect(A)
            .Connect(B)
            .Subscribe(A, "x/a", 1)
            .Publish(B, "x/a", 1, 1)
            .Unsubscribe(A, "x/a")
            .OwesNothing()
            .Deliver(A, "x/a", 1, 1)
            .FindsNothing();

    [Test]
    public void An_offline_session_is_owed_its_messages_when_it_is_resumed() =>
        new TraceScript()
            .Connect(A, clean: false)
            .Subscribe(A, "x/a", 1)
            .Disconnect(A)
            .Connect(B)
            .Publish(B, "x/a", 1, 1)
            .OwesNothing()
            .Connect(A, clean: false, sessionPresent: true)
            .Owes("offline-queue")
            .Deliver(A, "x/a", 1, 1)
            .FindsNothing();

    [Test]
    public void A_clean_start_drops_subscriptions_and_messages() =>
        new TraceScript()
            .Connect(A, clean: false)
            .Subscribe(A, "x/a", 1)
            .Disconnect(A)
            .Connect(B)
            .Publish(B, "x/a", 1, 1)
            .Connect(A)
            .OwesNothing()
            .Deliver(A, "x/a", 1, 1)
            .Finds("clean-start");

    [TestCase(true, false, ExpectedResult = "session-present")]
    [TestCase(false, true, ExpectedResult = "session-not-present")]
    public string CONNACK_says_whether_there_is_a_session(bool stored, bool said) =>
        string.Join(
            ' ',
            new TraceScript()
                .Connect(A, clean: !stored)
                .Disconnect(A)
                .Connect(A, clean: false, sessionPresent: said)
                .Deviations
        );

    [Test]
    public void What_was_not_acknowledged_is_owed_again_with_its_identifier() =>
        new TraceScript()
            .Connect(A, clean: false)
            .Connect(B)
            .Subscribe(A, "x/a", 1)
            .Publish(B, "x/a", 1, 1)
            .Deliver(A, "x/a", 1, 1, id: 7, acknowledge: false)
            .Drop(A)
            .Connect(A, clean: false, sessionPresent: true)
            .Owes("resend")
            .Deliver(A, "x/a", 1, 1, id: 8, dup: true)
            .Finds("resend");

    [Test]
    public void What_a_replaced_connection_brings_late_was_sent_before_it_was_sent_again() =>
        new TraceScript()
            .Connect(A, clean: false)
            .Subscribe(A, "x/a", 1)
            .Connect(B)
            .Publish(B, "x/a", 1, 1)
            .Connect(A, clean: false, sessionPresent: true)
            .Deliver(A, "x/a", 1, 1, dup: true, acknowledge: false)
            .DeliverOnEarlier(A, "x/a", 1, 1)
            .FindsNothing();

    [Test]
    public void Of_two_empty_messages_that_cannot_be_told_apart_none_is_owed_when_two_came()
    {
        var both = new SubscribePacket(
            1,
            [
                new SubscriptionRequest("x/a", QualityOfService.AtLeastOnce),
                new SubscriptionRequest("x/+", QualityOfService.ExactlyOnce),
            ]
        );
        var script = new TraceScript()
            .Connect(A)
            .Connect(B)
            .Sends(A, both)
            .Gets(A, new SubackPacket(1, [(ReasonCode)1, (ReasonCode)2]))
            .Publish(B, "x/a", 2, 1, empty: true)
            .Publish(A, "x/a", 1, 2, empty: true)
            .Deliver(A, "x/a", 1, 2, id: 2, empty: true)
            .Deliver(A, "x/a", 2, 1, id: 3, empty: true);
        Assert.That(script.Deviations.Concat(script.Owed), Is.Empty);
    }

    // The first one expires after a second, and the client is away for three: what comes is the second one.
    [TestCase(true, ExpectedResult = "")]
    [TestCase(false, ExpectedResult = "offline-queue")]
    public string An_empty_message_is_not_missing_where_the_one_that_came_may_have_expired(bool comes)
    {
        var empty = new PublishPacket
        {
            Topic = "x/a",
            Qos = QualityOfService.AtLeastOnce,
            PacketId = 1,
            Payload = Bytes.Empty,
            Properties = new PacketProperties { MessageExpiryIntervalSeconds = 1 },
        };
        var script = new TraceScript(ProtocolVersion.V5)
            .Connect(A, clean: false, expiry: 1000)
            .Connect(B)
            .Subscribe(A, "x/a", 1)
            .Drop(A)
            .Sends(B, empty)
            .Gets(B, new PubackPacket(1))
            .Publish(B, "x/a", 1, 2, id: 2, empty: true)
            .Wait(3000)
            .Connect(A, clean: false, sessionPresent: true, expiry: 1000);
        if (comes)
            script.Deliver(A, "x/a", 1, 2, empty: true);
        Assert.That(script.Deviations, Is.Empty);
        return string.Join(' ', script.Owed);
    }

    [Test]
    public void What_a_client_published_before_its_will_does_not_overtake_it()
    {
        var script = new TraceScript()
            .Connect(B)
            .Subscribe(B, "x/w", 1)
            .Connect(A, will: "x/w")
            .Publish(A, "x/w", 1, 1)
            .Deliver(B, "x/w", 1, 1)
            .Drop(A);
        Assert.That(script.Monitor.Outstanding().Single().Overtaken, Is.False);
    }

    [Test]
    public void A_resend_with_DUP_and_the_same_identifier_is_right() =>
        new TraceScript()
            .Connect(A, clean: false)
            .Connect(B)
            .Subscribe(A, "x/a", 1)
            .Publish(B, "x/a", 1, 1)
            .Deliver(A, "x/a", 1, 1, id: 7, acknowledge: false)
            .Drop(A)
            .Connect(A, clean: false, sessionPresent: true)
            .Deliver(A, "x/a", 1, 1, id: 7, dup: true)
            .FindsNothing();

    [Test]
    public void The_will_is_owed_after_a_lost_connection_and_wrong_after_DISCONNECT()
    {
        var script = new TraceScript().Connect(B).Subscribe(B, "x/w", 1).Connect(A, will: "x/w");
        Assert.That(script.Drop(A).Owed, Is.EqualTo(["will-published"]));
        var other = new TraceScript().Connect(B).Subscribe(B, "x/w", 1).Connect(A, will: "x/w").Disconnect(A);
        Assert.That(other.Owed, Is.Empty);
        Assert.That(other.Deliver(B, "x/w", 1, 90).Deviations, Is.EqualTo(["will-discarded"]));
    }

    [Test]
    public void A_retained_message_is_owed_to_a_new_subscription_and_an_old_one_is_wrong() =>
        new TraceScript()
            .Connect(A)
            .Connect(B)
            .Publish(B, "x/a", 1, 1, retain: true)
            .Publish(B, "x/a", 1, 2, retain: true)
            .Subscribe(A, "x/a", 1)
            .Owes("retained-kept")
            .Deliver(A, "x/a", 1, 1, retain: true)
            .Finds("retained-kept");

    [Test]
    public void Either_of_two_concurrent_retained_messages_may_be_the_last([Values(1, 2)] int seen)
    {
        var script = new TraceScript().Connect(A).Connect(B).Connect(2);
        var message = new PublishPacket
        {
            Topic = "x/a",
            Qos = QualityOfService.AtLeastOnce,
            Retain = true,
            PacketId = 10,
            Payload = script.Names.Payload(1),
        };
        script
            .Sends(B, message)
            .Sends(2, message with { Payload = script.Names.Payload(2) })
            .Gets(B, new PubackPacket(10))
            .Gets(2, new PubackPacket(10))
            .Subscribe(A, "x/a", 1)
            .Deliver(A, "x/a", 1, seen, retain: true);
        Assert.That(script.Deviations.Concat(script.Owed), Is.Empty);
    }

    [Test]
    public void A_deleted_retained_message_is_not_owed_and_wrong() =>
        new TraceScript()
            .Connect(A)
            .Connect(B)
            .Publish(B, "x/a", 1, 1, retain: true)
            .Publish(B, "x/a", 1, 2, retain: true, empty: true)
            .Subscribe(A, "x/a", 1)
            .OwesNothing()
            .Deliver(A, "x/a", 1, 1, retain: true)
            .Finds("retained-deleted");

    [Test]
    public void A_live_message_has_RETAIN_0() =>
        new TraceScript()
            .Connect(A)
            .Connect(B)
            .Subscribe(A, "x/a", 1)
            .Publish(B, "x/a", 1, 1, retain: true)
            .Deliver(A, "x/a", 1, 1, retain: true)
            .Finds("retain-flag-live");

    [Test]
    public void A_wildcard_does_not_match_a_topic_with_dollar() =>
        new TraceScript()
            .Connect(A)
            .Connect(B)
            .Subscribe(A, "#", 0)
            .Publish(B, "$x/a", 0, 1)
            .Deliver(A, "$x/a", 0, 1)
            .Finds("dollar-topics");

    [Test]
    public void QoS_2_answered_by_PUBACK_is_a_deviation() =>
        new TraceScript()
            .Connect(A)
            .Sends(
                A,
                new PublishPacket
                {
                    Topic = "x/a",
                    Qos = QualityOfService.ExactlyOnce,
                    PacketId = 3,
                    Payload = new ScenarioNames("x").Payload(1),
                }
            )
            .Gets(A, new PubackPacket(3))
            .Finds("pubrec");

    [Test]
    public void Messages_of_others_are_nobodys_business() =>
        new TraceScript()
            .Connect(A)
            .Subscribe(A, "#", 0)
            .Gets(A, new PublishPacket { Topic = "other", Payload = Bytes.FromText("y:1") })
            .FindsNothing();

    [Test]
    public void What_a_subscription_under_way_may_make_QoS_0_is_not_owed_after_the_connection([Values] bool isDropped)
    {
        var script = new TraceScript()
            .Connect(A)
            .Connect(B, clean: false)
            .Subscribe(B, "x/a", 1)
            .Sends(
                A,
                new PublishPacket
                {
                    Topic = "x/a",
                    Qos = QualityOfService.AtLeastOnce,
                    PacketId = 3,
                    Payload = new ScenarioNames("x").Payload(1),
                }
            );
        Assert.That(script.Owed, Does.Contain("delivered"));
        script.Sends(B, new SubscribePacket(2, [new SubscriptionRequest("x/a", QualityOfService.AtMostOnce)]));
        script = isDropped ? script.Drop(B) : script.Disconnect(B);
        script.Gets(A, new PubackPacket(3)).Connect(B, clean: false, sessionPresent: true);
        Assert.That(script.Deviations.Concat(script.Owed), Is.Empty);
    }

    [Test]
    public void What_is_too_large_for_a_connection_that_is_being_replaced_is_not_owed()
    {
        var script = new TraceScript(ProtocolVersion.V5)
            .Connect(A, expiry: 1000, maximum: 60)
            .Connect(B)
            .Subscribe(A, "x/a", 1)
            .AsksToConnect(A, clean: false, expiry: 1000)
            .Publish(B, "x/a", 1, 1)
            .Gets(A, new ConnackPacket(true, ReasonCode.Success));
        Assert.That(script.Owed, Does.Not.Contain("delivered").And.Not.Contain("offline-queue"));
    }

    [Test]
    public void What_came_on_a_connection_that_a_clean_start_replaced_is_not_sent_again()
    {
        var script = new TraceScript(ProtocolVersion.V5)
            .Connect(A)
            .Connect(B)
            .Subscribe(B, "x/a", 1)
            .Publish(A, "x/a", 1, 1)
            .AsksToConnect(B, expiry: 1000)
            .DeliverOnEarlier(B, "x/a", 1, 1)
            .Disconnect(B)
            .Connect(B, clean: false, sessionPresent: true, expiry: 1000);
        Assert.That(script.Owed, Does.Not.Contain(Statements.Resend.Name));
    }

    [Test]
    public void A_session_that_an_unanswered_clean_start_may_have_begun_owes_nothing_of_the_one_before() =>
        new TraceScript(ProtocolVersion.V5)
            .Connect(A, expiry: 1000)
            .Connect(B)
            .Subscribe(A, "x/a", 2)
            .Publish(B, "x/a", 2, 1)
            .Deliver(A, "x/a", 2, 1, id: 7, acknowledge: false)
            .Drop(A)
            .AsksToConnect(A, expiry: 1000)
            .Drop(A)
            .Connect(A, clean: false, sessionPresent: true, expiry: 1000)
            .OwesNothing()
            .Deliver(A, "x/a", 2, 1, id: 7, dup: true)
            .FindsNothing();

    [Test]
    public void A_live_copy_with_RETAIN_on_a_connection_being_replaced_answers_no_subscription_of_the_new_one() =>
        new TraceScript(ProtocolVersion.V5)
            .Connect(A)
            .Sends(
                A,
                new SubscribePacket(
                    1,
                    [new SubscriptionRequest("x/a", QualityOfService.AtMostOnce, RetainAsPublished: true)]
                )
            )
            .Gets(A, new SubackPacket(1, [ReasonCode.Success]))
            .Publish(A, "x/a", 0, 1, retain: true)
            .AsksToConnect(A)
            .Sends(A, new SubscribePacket(2, [new SubscriptionRequest("x/a", QualityOfService.AtMostOnce)]))
            .Gets(A, new ConnackPacket(false, ReasonCode.Success))
            .Gets(A, new SubackPacket(2, [ReasonCode.Success]))
            .DeliverOnEarlier(A, "x/a", 0, 1, retain: true)
            .Deliver(A, "x/a", 0, 1, retain: true)
            .FindsNothing();

    // The first connection's session ends with that connection, which the second takes over: before it is accepted or
    // after.
    [Test]
    public void A_session_that_is_taken_over_before_it_is_accepted_may_be_present_or_not([Values] bool isPresent) =>
        new TraceScript(ProtocolVersion.V5)
            .AsksToConnect(A)
            .AsksToConnect(A, clean: false)
            .GetsOnEarlier(A, new ConnackPacket(false, ReasonCode.Success))
            .Gets(A, new ConnackPacket(isPresent, ReasonCode.Success))
            .FindsNothing();

    // Whether the message is routed by the old subscription or by the new one is open until it is acknowledged.
    [TestCase(0, ExpectedResult = false)]
    [TestCase(1, ExpectedResult = true)]
    public bool A_message_under_way_while_its_subscription_is_made_again_is_owed_unless_that_is_of_QoS_0(int qos)
    {
        var script = new TraceScript().Connect(A).Connect(B).Subscribe(A, "x/#", 0).Subscribe(A, "x/a", 1, id: 2);
        script.Sends(
            B,
            new PublishPacket
            {
                Topic = "x/a",
                Qos = QualityOfService.AtLeastOnce,
                PacketId = 10,
                Payload = script.Names.Payload(1),
            }
        );
        script.Subscribe(A, "x/a", qos, id: 3).Gets(B, new PubackPacket(10));
        return script.Owed.Contains("delivered");
    }

    // One that outlives it is there.
    [Test]
    public void A_lasting_session_that_is_taken_over_is_present() =>
        new TraceScript(ProtocolVersion.V5)
            .AsksToConnect(A, expiry: 1000)
            .AsksToConnect(A, clean: false, expiry: 1000)
            .GetsOnEarlier(A, new ConnackPacket(false, ReasonCode.Success))
            .Gets(A, new ConnackPacket(false, ReasonCode.Success))
            .Finds("session-present");

    // A broker that accepts a malformed CONNECT violates one statement; nothing that follows from it is another.
    [Test]
    public void A_malformed_CONNECT_that_is_accepted_is_one_deviation([Values] bool isLate)
    {
        var script = new TraceScript().ConnectMalformed(A, "will-qos-3");
        if (isLate)
            script.GiveUp();
        script
            .Gets(A, new ConnackPacket(false, ReasonCode.Success))
            .Sends(A, new PingreqPacket())
            .Gets(A, new PingrespPacket());
        Assert.That(script.Deviations.Distinct(), Is.EqualTo(["malformed"]));
        Assert.That(script.Connect(A).Owed, Does.Not.Contain("take-over"));
        Assert.That(script.Deviations.Distinct(), Is.EqualTo(["malformed"]));
    }
}
