using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Tests.Judges;

/// <summary>
/// A retained message is a register: what subscriptions bring must be explained by one order of the publications.
/// </summary>
[TestFixture]
internal sealed class RetainedOrderTests
{
    private const int A = 0,
        B = 1,
        C = 2;

    // Two publishers write at once; whoever reads may see either.
    private static TraceScript TwoAtOnce =>
        new TraceScript()
            .Connect(A)
            .Connect(B)
            .Connect(C)
            .Sends(A, Retained(1, 10))
            .Sends(B, Retained(2, 10))
            .Gets(A, new PubackPacket(10))
            .Gets(B, new PubackPacket(10));

    [TestCase(1, 1, ExpectedResult = "")]
    [TestCase(2, 2, ExpectedResult = "")]
    [TestCase(1, 2, ExpectedResult = "retained-kept")]
    [TestCase(2, 1, ExpectedResult = "retained-kept")]
    public string Two_subscriptions_one_after_the_other_agree_on_the_last_message(int first, int second) =>
        string.Join(
            ' ',
            TwoAtOnce
                .Subscribe(C, "x/a", 1, id: 1)
                .Deliver(C, "x/a", 1, first, id: 1, retain: true)
                .Subscribe(C, "x/+", 1, id: 2)
                .Deliver(C, "x/a", 1, second, id: 2, retain: true)
                .Deviations
        );

    [Test]
    public void Subscriptions_beside_the_publications_may_see_one_and_then_the_other() =>
        new TraceScript()
            .Connect(A)
            .Connect(B)
            .Connect(C)
            .Sends(A, Retained(1, 10))
            .Sends(B, Retained(2, 10))
            .Subscribe(C, "x/a", 1, id: 1)
            .Deliver(C, "x/a", 1, 1, id: 1, retain: true)
            .Subscribe(C, "x/+", 1, id: 2)
            .Deliver(C, "x/a", 1, 2, id: 2, retain: true)
            .FindsNothing();

    [Test]
    public void They_may_not_see_the_first_again() =>
        new TraceScript()
            .Connect(A)
            .Connect(B)
            .Connect(C)
            .Sends(A, Retained(1, 10))
            .Sends(B, Retained(2, 10))
            .Subscribe(C, "x/a", 1, id: 1)
            .Deliver(C, "x/a", 1, 1, id: 1, retain: true)
            .Subscribe(C, "x/+", 1, id: 2)
            .Deliver(C, "x/a", 1, 2, id: 2, retain: true)
            .Subscribe(C, "x/#", 1, id: 3)
            .Deliver(C, "x/a", 1, 1, id: 3, retain: true)
            .Finds("retained-kept");

    [Test]
    public void A_retained_message_of_another_topic_is_not_taken_for_an_old_one_of_a_dropped_session()
    {
        // ejabberd 23.01 sends the retained message of x/a to a new subscription to /#: what is wrong is the topic, not
        // the session.
        var script = new TraceScript(ProtocolVersion.V5)
            .Connect(A, clean: false, expiry: 100)
            .Publish(A, "x/a", 0, 1, retain: true)
            .Subscribe(A, "x/a", 0)
            .Deliver(A, "x/a", 0, 1, retain: true)
            .Connect(A)
            .Subscribe(A, "/#", 0)
            .Deliver(A, "x/a", 0, 1, retain: true);
        Assert.That(script.Deviations, Is.EqualTo(["topic-matches"]));
    }

    [Test]
    public void The_same_filter_twice_in_a_SUBSCRIBE_without_answer_may_bring_the_retained_message_twice() =>
        new TraceScript(ProtocolVersion.V5)
            .Connect(A, expiry: 100)
            .Sends(
                A,
                new SubscribePacket(
                    1,
                    [new SubscriptionRequest("x/a", QualityOfService.ExactlyOnce) { RetainAsPublished = true }]
                )
            )
            .Gets(A, new SubackPacket(1, [ReasonCode.GrantedQos2]))
            .Publish(A, "x/a", 2, 1, retain: true)
            .Deliver(A, "x/a", 2, 1, id: 1, retain: true)
            .Sends(
                A,
                new SubscribePacket(
                    3,
                    [
                        new SubscriptionRequest("x/a", QualityOfService.AtLeastOnce),
                        new SubscriptionRequest("x/a", QualityOfService.AtLeastOnce),
                    ]
                )
            )
            .Drop(A)
            .Connect(A, clean: false, sessionPresent: true, expiry: 100)
            .Deliver(A, "x/a", 1, 1, id: 2, retain: true, dup: true)
            .Deliver(A, "x/a", 1, 1, id: 3, retain: true, dup: true)
            .FindsNothing();

    [Test]
    public void A_SUBSCRIBE_that_was_under_way_when_its_client_left_may_see_what_was_published_meanwhile() =>
        new TraceScript(ProtocolVersion.V5)
            .Connect(A)
            .Connect(B, clean: false, expiry: 100)
            .Sends(B, new SubscribePacket(1, [new SubscriptionRequest("x/a", QualityOfService.AtLeastOnce)]))
            .Disconnect(B)
            .Publish(A, "x/a", 1, 1, retain: true)
            .Connect(B, clean: false, sessionPresent: true, expiry: 100)
            .Deliver(B, "x/a", 1, 1, retain: true, dup: true)
            .FindsNothing();

    private static PublishPacket Retained(int number, ushort id) =>
        new()
        {
            Topic = "x/a",
            Qos = QualityOfService.AtLeastOnce,
            PacketId = id,
            Retain = true,
            Payload = new TraceScript().Names.Payload(number),
        };
}
