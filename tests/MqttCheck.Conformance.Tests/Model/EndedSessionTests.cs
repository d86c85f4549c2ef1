using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Tests.Model;

/// <summary>
/// A session ends, and the next one begins: "the Client and Server MUST discard any previous Session and start a new
/// one" (MQTT-3.1.2-6; in MQTT 5 clean start, MQTT-3.1.2-4). Here its request is entry 5, and its answer entry 7.
/// </summary>
[TestFixture]
internal sealed class EndedSessionTests
{
    private const int Request = 5,
        Answer = 7;
    private const string Shared = "$share/g/x/a";

    // One that is answered belongs to the old session; one that waits for its answer, to that which it was sent in.
    [TestCase(0, 6, ExpectedResult = false)]
    [TestCase(0, 4, ExpectedResult = false)]
    [TestCase(1, 4, ExpectedResult = false)]
    [TestCase(1, 5, ExpectedResult = true)]
    [TestCase(1, 6, ExpectedResult = true)]
    public bool A_subscription_stays_where_it_was_asked_for_in_the_next_session(int pending, int lastRequest)
    {
        var session = new ClientSession(0);
        Subscribed(session, "x/a", pending, lastRequest);
        End(session);
        var stays = session.Subscriptions.ContainsKey("x/a");
        EndedSubscription[] ended = stays ? [] : [new EndedSubscription("x/a", Answer, Statements.CleanStart)];
        Assert.That(session.Ended, Is.EqualTo(ended));
        return stays;
    }

    [TestCase(4, ExpectedResult = false)]
    [TestCase(5, ExpectedResult = true)]
    public bool A_message_is_expected_still_where_it_was_sent_after_the_request(int sentAt)
    {
        var session = new ClientSession(0);
        Subscribed(session, "x/a");
        var expected = Expected(session, sentAt, "x/a");
        End(session);
        var stays = session.Expected.ContainsKey(expected.Publication);
        Assert.That(expected.IsDue, Is.EqualTo(stays));
        Publication[] stale = stays ? [] : [expected.Publication];
        Assert.That(session.Stale, Is.EqualTo(stale));
        return stays;
    }

    [Test]
    public void A_subscription_of_the_next_session_may_bring_an_older_message_but_need_not()
    {
        var session = new ClientSession(0);
        Subscribed(session, "x/a");
        Subscribed(session, "x/#", pending: 1, lastRequest: 6);
        var expected = Expected(session, 4, "x/a", "x/#");
        End(session);
        Assert.That(session.Expected.Keys, Is.EqualTo([expected.Publication]));
        Assert.That(
            (expected.Filters, expected.IsDue, expected.IsCertain),
            Is.EqualTo(((string[])["x/#"], false, false))
        );
        Assert.That(session.Stale, Is.Empty);
    }

    // A message goes to one of the members that there are (MQTT 5, section 4.8.2), which may be the new session.
    [TestCase(true, true, ExpectedResult = true)]
    [TestCase(true, false, ExpectedResult = false)]
    [TestCase(false, true, ExpectedResult = false)]
    public bool A_shared_subscription_of_the_next_session_may_bring_an_older_message(bool mayBeShared, bool isMember)
    {
        var session = new ClientSession(0);
        Subscribed(session, "y", pending: 1, lastRequest: 6);
        if (isMember)
            Subscribed(session, Shared, pending: 1, lastRequest: 6);
        var expected = Expected(session, 4);
        expected.MayBeShared = mayBeShared;
        End(session);
        return session.Expected.ContainsKey(expected.Publication);
    }

    // A session has the "QoS 2 messages which have been received from the Client, but have not been completely
    // acknowledged" (3.1.2.4; 5: 4.1).
    [Test]
    public void What_the_broker_had_not_taken_over_may_be_lost_with_the_session()
    {
        var session = new ClientSession(0);
        var (kept, lost) = (Sent(5), Sent(4));
        session.Outgoing[1] = kept;
        session.Outgoing[2] = lost;
        End(session);
        Assert.That(session.Outgoing.Values, Is.EqualTo([kept]));
        Assert.That((kept.IsUncertain, lost.IsUncertain), Is.EqualTo((false, true)));
    }

    [Test]
    public void Retained_messages_are_owed_still_to_what_was_asked_for_after_the_request()
    {
        var session = new ClientSession(0);
        var subscription = new SubscriptionState("x/a", ProtocolVersion.V5);
        RetainedRead kept = new(subscription, 1, 0, "x/a", 5);
        session.Reads.AddRange([new RetainedRead(subscription, 1, 0, "x/a", 4), kept]);
        End(session);
        Assert.That(session.Reads, Is.EqualTo([kept]));
    }

    [Test]
    public void The_rest_is_forgotten()
    {
        var session = new ClientSession(0) { Presence = Presence.Yes, HasExpired = true };
        session.Incoming[1] = new IncomingMessage(1, new PublishPacket(), null, 1);
        session.LastInOrder[(0, "x/a", QualityOfService.AtLeastOnce, QualityOfService.AtLeastOnce)] = Sent(1);
        End(session);
        Assert.That(session.Incoming, Is.Empty);
        Assert.That(session.LastInOrder, Is.Empty);
        Assert.That((session.Presence, session.HasExpired), Is.EqualTo((Presence.No, false)));
    }

    private static void End(ClientSession session) => session.EndSession(Answer, Statements.CleanStart, Request);

    private static void Subscribed(ClientSession session, string filter, int pending = 0, int lastRequest = 1) =>
        session.Subscriptions[filter] = new SubscriptionState(filter, ProtocolVersion.V5)
        {
            Pending = pending,
            LastRequest = lastRequest,
        };

    private static ExpectedDelivery Expected(ClientSession session, int sentAt, params string[] filters)
    {
        var publication = Sent(sentAt);
        var expected = new ExpectedDelivery(publication) { IsDue = true };
        expected.Filters.UnionWith(filters);
        return session.Expected[publication] = expected;
    }

    private static Publication Sent(int at) => new(1, 0, new PublishPacket { Topic = "x/a" }, at);
}
