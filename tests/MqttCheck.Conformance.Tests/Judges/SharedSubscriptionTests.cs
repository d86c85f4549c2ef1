using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Tests.Judges;

/// <summary>A message that matches a shared subscription goes to one member: A and B share, C publishes.</summary>
[TestFixture]
internal sealed class SharedSubscriptionTests
{
    private const int A = 0,
        B = 1,
        C = 2;
    private const string Group = "$share/g/x/a";

    private static readonly PublishPacket Message = new()
    {
        Topic = "x/a",
        Qos = QualityOfService.AtLeastOnce,
        PacketId = 10,
        Payload = new ScenarioNames("x").Payload(1),
    };

    [Test]
    public void Some_member_is_owed_a_message_until_one_gets_it([Values(1, 2)] int qos, [Values(A, B)] int chosen) =>
        TwoMembers()
            .Publish(C, "x/a", qos, 1)
            .Owes("shared-delivered")
            .Deliver(chosen, "x/a", qos, 1)
            .OwesNothing()
            .FindsNothing();

    [Test]
    public void A_message_that_no_member_gets_is_lost() =>
        TwoMembers().Publish(C, "x/a", 1, 1).GiveUp().Finds("shared-delivered").OwesNothing();

    [Test]
    public void The_order_of_other_messages_decides_nothing_about_a_shared_one()
    {
        var script = TwoMembers().Publish(C, "x/a", 1, 1).Publish(C, "x/a", 1, 2, id: 11).Deliver(B, "x/a", 1, 2);
        Assert.That(script.Monitor.Outstanding().Single().Overtaken, Is.False);
        Assert.That(script.Monitor.Markers(script.Monitor.Outstanding()), Is.Empty);
        Assert.That(script.Deliver(A, "x/a", 1, 1).Deviations, Is.Empty);
    }

    [Test]
    public void Each_group_is_owed_a_copy() =>
        new TraceScript(ProtocolVersion.V5)
            .Connect(A)
            .Connect(B)
            .Connect(C)
            .Subscribe(A, Group, 1)
            .Subscribe(B, "$share/h/x/a", 1)
            .Publish(C, "x/a", 1, 1)
            .Deliver(A, "x/a", 1, 1)
            .Owes("shared-delivered")
            .Deliver(B, "x/a", 1, 1)
            .OwesNothing()
            .FindsNothing();

    [TestCase(0, 1, 1)]
    [TestCase(1, 0, 1)]
    [TestCase(1, 1, 0)]
    public void QoS_0_may_be_lost_where_it_is_published_or_granted_to_some_member(
        int published,
        int granted,
        int other
    ) =>
        new TraceScript(ProtocolVersion.V5)
            .Connect(A)
            .Connect(B)
            .Connect(C)
            .Subscribe(A, Group, granted)
            .Subscribe(B, Group, other)
            .Publish(C, "x/a", published, 1)
            .OwesNothing();

    [Test]
    public void Nothing_is_owed_when_a_member_leaves_that_may_have_been_chosen([Values] bool inOrder)
    {
        var script = TwoMembers().Publish(C, "x/a", 1, 1);
        Assert.That((inOrder ? script.Disconnect(A) : script.Drop(A)).Owed, Is.Empty);
        // Until the broker has seen that it is gone, the next message may go to it too.
        Assert.That(script.Publish(C, "x/a", 1, 2, id: 11).Owed, Is.Empty);
        Assert.That(script.Connect(A).Publish(C, "x/a", 1, 3, id: 12).Owed, Is.EqualTo(["shared-delivered"]));
    }

    [Test]
    public void Nothing_is_owed_while_a_member_is_away() =>
        TwoMembers(expiry: 1000)
            .Drop(A)
            .Publish(C, "x/a", 1, 1)
            .OwesNothing()
            .Connect(A, clean: false, sessionPresent: true, expiry: 1000)
            .OwesNothing()
            .Publish(C, "x/a", 1, 2, id: 11)
            .Owes("shared-delivered");

    [Test]
    public void Nothing_is_owed_when_a_member_unsubscribes_and_all_is_owed_to_the_rest_afterwards()
    {
        var script = TwoMembers().Publish(C, "x/a", 1, 1).Unsubscribe(A, Group);
        Assert.That(script.Owed, Is.Empty);
        Assert.That(script.Publish(C, "x/a", 1, 2, id: 11).Owed, Is.EqualTo(["shared-delivered"]));
        Assert.That(script.Monitor.Outstanding().Single().Explanation, Does.Contain("(B)"));
    }

    [Test]
    public void Nothing_is_owed_when_somebody_joins_while_the_message_is_under_way() =>
        new TraceScript(ProtocolVersion.V5)
            .Connect(A)
            .Connect(B)
            .Connect(C)
            .Subscribe(A, Group, 1)
            .Sends(C, Message)
            .Subscribe(B, Group, 0)
            .Gets(C, new PubackPacket(10))
            .OwesNothing();

    [Test]
    public void Nothing_is_owed_while_a_member_withholds_acknowledgements() =>
        TwoMembers()
            .Publish(C, "x/a", 1, 1)
            .Deliver(A, "x/a", 1, 1, acknowledge: false)
            .Publish(C, "x/a", 1, 2, id: 11)
            .OwesNothing()
            .Sends(A, new PubackPacket(1))
            .Owes("shared-delivered");

    [Test]
    public void A_message_that_the_broker_rejects_or_that_is_too_large_for_some_member_is_not_owed()
    {
        Assert.That(
            TwoMembers().Sends(C, Message).Gets(C, new PubackPacket(10, ReasonCode.QuotaExceeded)).Owed,
            Is.Empty
        );
        Assert.That(
            new TraceScript(ProtocolVersion.V5)
                .Connect(A, maximum: 60)
                .Connect(C)
                .Subscribe(A, Group, 1)
                .Publish(C, "x/a", 1, 1)
                .Owed,
            Is.Empty
        );
    }

    [Test]
    public void The_will_of_a_client_is_owed_to_some_member() =>
        new TraceScript(ProtocolVersion.V5)
            .Connect(A)
            .Subscribe(A, Group, 1)
            .Connect(C, will: "x/a")
            .Drop(C)
            .Owes("will-published")
            .Deliver(A, "x/a", 1, 92)
            .OwesNothing();

    // By the letter of MQTT-3.1.2-8 the will is published "unless [...] a new Network Connection for the ClientID is
    // opened before the Will Delay Interval has elapsed". Mosquitto deletes it then.
    [TestCase(2u, ExpectedResult = "will-at-take-over")]
    [TestCase(null, ExpectedResult = "will-published")]
    public string A_will_that_a_new_connection_may_delete_is_owed_to_a_member_by_a_note_only(uint? willDelay) =>
        new TraceScript(ProtocolVersion.V5)
            .Connect(B)
            .Subscribe(B, Group, 1)
            .Connect(A, will: "x/a", willDelay: willDelay)
            .Connect(A)
            .Owed.Single(name => name.StartsWith("will", StringComparison.Ordinal));

    [TestCase(0)]
    [TestCase(1)]
    [TestCase(2)]
    public void Two_members_that_stay_must_not_both_get_a_message(int qos) =>
        TwoMembers().Publish(C, "x/a", qos, 1).Deliver(A, "x/a", qos, 1).Deliver(B, "x/a", qos, 1).Finds("shared-once");

    [TestCase(1, ExpectedResult = "")]
    [TestCase(2, ExpectedResult = "shared-finish")]
    public string What_a_member_that_left_had_begun_is_handed_over_at_QoS_1_only(int qos) =>
        string.Join(
            ' ',
            TwoMembers()
                .Publish(C, "x/a", qos, 1)
                .Deliver(A, "x/a", qos, 1, acknowledge: false)
                .Drop(A)
                .Deliver(B, "x/a", qos, 1)
                .Deviations
        );

    [Test]
    public void A_publication_of_QoS_1_that_is_sent_again_may_go_to_another_member()
    {
        var script = TwoMembers()
            .Sends(C, Message)
            .Deliver(A, "x/a", 1, 1)
            .Drop(C)
            .Connect(C, clean: false, sessionPresent: false)
            .Sends(C, Message with { Duplicate = true })
            .Gets(C, new PubackPacket(10));
        Assert.That(script.Deliver(B, "x/a", 1, 1).Deviations, Is.Empty);
    }

    [TestCase(1, 2, ExpectedResult = "")]
    [TestCase(0, 2, ExpectedResult = "shared-not-retained")]
    public string A_retained_message_that_an_ordinary_subscription_asked_for_may_be_repeated_at_QoS_1_only(
        int granted,
        int copies
    )
    {
        var script = new TraceScript(ProtocolVersion.V5)
            .Connect(A)
            .Connect(C)
            .Publish(C, "x/a", 2, 1, retain: true)
            .Subscribe(A, Group, 0)
            .Subscribe(A, "x/+", granted, id: 2);
        for (ushort copy = 1; copy <= copies; copy++)
            script.Deliver(A, "x/a", granted, 1, id: copy, retain: true);
        return string.Join(' ', script.Deviations);
    }

    // "No Retained Messages are sent to the Session when it first subscribes" (4.8.2) is no MUST. So a message that may
    // be sent for that reason violates none, whatever an ordinary subscription to the topic asked for.
    [TestCase(0, 0, 2, false, Description = "retain handling 2 of the ordinary subscription")]
    [TestCase(2, 0, 0, true, Description = "the ordinary subscription keeps RETAIN, and was there before")]
    public void A_retained_message_for_a_shared_subscription_violates_no_MUST(
        int granted,
        int delivered,
        int handling,
        bool isLive
    )
    {
        var request = new SubscriptionRequest("x/+", (QualityOfService)granted)
        {
            RetainAsPublished = isLive,
            RetainHandling = (RetainHandling)handling,
        };
        var ordinary = new SubscribePacket(2, [request]);
        var answer = new SubackPacket(2, [(ReasonCode)granted]);
        var script = new TraceScript(ProtocolVersion.V5).Connect(A).Connect(C);
        if (isLive)
            script.Sends(A, ordinary).Gets(A, answer);
        script.Publish(C, "x/a", 2, 1, retain: true);
        if (isLive)
            script.Deliver(A, "x/a", 2, 1, id: 3, retain: true);
        else
            script.Sends(A, ordinary).Gets(A, answer);
        script.Subscribe(A, Group, delivered);
        script.Deliver(A, "x/a", delivered, 1, id: 4, retain: true);
        Assert.That(script.Deviations.Except(["shared-not-retained"]), Is.Empty);
    }

    // The message was replaced while the broker answered the request for the shared subscription.
    [TestCase(true, ExpectedResult = "shared-not-retained")]
    [TestCase(false, ExpectedResult = "copies")]
    public string A_retained_message_for_a_shared_subscription_may_come_late(bool isShared)
    {
        var script = new TraceScript(ProtocolVersion.V5).Connect(A).Connect(C).Publish(C, "x/a", 2, 1, retain: true);
        if (isShared)
            script.Subscribe(A, Group, 0);
        script.Publish(C, "x/a", 2, 2, id: 11, retain: true);
        if (isShared)
            script.Deliver(A, "x/a", 0, 2);
        script.Subscribe(A, "x/+", 0, id: 2).Deliver(A, "x/a", 0, 2, retain: true);
        return string.Join(' ', script.Deliver(A, "x/a", 0, 2, retain: true).Deviations);
    }

    [TestCase(true, ExpectedResult = "shared-not-retained")]
    [TestCase(false, ExpectedResult = "retained-kept")]
    public string A_replaced_message_may_be_that_for_a_shared_subscription(bool isShared)
    {
        var script = new TraceScript(ProtocolVersion.V5).Connect(A).Connect(C).Publish(C, "x/a", 2, 1, retain: true);
        if (isShared)
            script.Subscribe(A, Group, 0);
        script.Publish(C, "x/a", 2, 2, id: 11, retain: true).Subscribe(A, "x/+", 0, id: 2);
        return string.Join(' ', script.Deliver(A, "x/a", 0, 1, retain: true).Deviations);
    }

    // The message for the shared subscription comes first, without the identifier of the other one (MQTT-3.3.4-3).
    [TestCase(true, ExpectedResult = "")]
    [TestCase(false, ExpectedResult = "subscription-identifiers")]
    public string A_retained_message_for_a_shared_subscription_needs_no_other_identifier(bool isShared)
    {
        var script = new TraceScript(ProtocolVersion.V5).Connect(A).Connect(C).Publish(C, "x/a", 2, 1, retain: true);
        if (isShared)
            script.Subscribe(A, Group, 0);
        script
            .Sends(
                A,
                new SubscribePacket(2, [new SubscriptionRequest("x/+", QualityOfService.AtMostOnce)])
                {
                    Properties = new PacketProperties { SubscriptionIdentifiers = [39] },
                }
            )
            .Gets(A, new SubackPacket(2, [0]))
            .Deliver(A, "x/a", 0, 1, retain: true);
        return string.Join(' ', script.Deviations);
    }

    [Test]
    public void A_copy_that_may_be_stored_or_live_counts_as_either()
    {
        var request = new SubscriptionRequest(Group, QualityOfService.AtLeastOnce) { RetainAsPublished = true };
        var script = new TraceScript(ProtocolVersion.V5)
            .Connect(A)
            .Sends(A, new SubscribePacket(1, [request]))
            .Gets(A, new SubackPacket(1, [(ReasonCode)1]))
            .Sends(A, Message with { Retain = true })
            .Sends(A, new SubscribePacket(2, [new SubscriptionRequest("x/+", QualityOfService.AtMostOnce)]))
            .Deliver(A, "x/a", 1, 1, retain: true)
            .Gets(A, new PubackPacket(10))
            .Gets(A, new SubackPacket(2, [0]));
        Assert.That(script.Owed, Is.Empty);
        Assert.That(script.Deliver(A, "x/a", 0, 1, retain: true).Deviations, Is.Empty);
    }

    // The shared subscription keeps RETAIN, so the second copy is live or stored; what comes for the subscription that
    // is made again is stored.
    [Test]
    public void A_live_copy_of_each_subscription_may_come_before_the_stored_message()
    {
        var shared = new SubscriptionRequest(Group, QualityOfService.AtLeastOnce) { RetainAsPublished = true };
        var script = new TraceScript(ProtocolVersion.V5)
            .Connect(A)
            .Connect(C)
            .Sends(A, new SubscribePacket(1, [shared]))
            .Gets(A, new SubackPacket(1, [(ReasonCode)1]))
            .Subscribe(A, "x/a", 1, id: 2)
            .Publish(C, "x/a", 1, 1, retain: true)
            .Sends(A, new SubscribePacket(3, [new SubscriptionRequest("x/a", QualityOfService.AtMostOnce)]))
            .Deliver(A, "x/a", 1, 1, id: 1)
            .Deliver(A, "x/a", 1, 1, id: 2, retain: true)
            .Gets(A, new SubackPacket(3, [0]))
            .Deliver(A, "x/a", 0, 1, retain: true);
        Assert.That(script.Deviations, Is.Empty);
    }

    private static TraceScript TwoMembers(uint? expiry = null) =>
        new TraceScript(ProtocolVersion.V5)
            .Connect(A, expiry: expiry)
            .Connect(B)
            .Connect(C)
            .Subscribe(A, Group, 2)
            .Subscribe(B, Group, 2);
}
