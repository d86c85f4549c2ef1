using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Tests.Model;

/// <summary>What is known of a client while its connections come and go.</summary>
[TestFixture]
internal sealed class ClientSessionTests
{
    [TestCase(0, "A")]
    [TestCase(2, "C")]
    public void Clients_are_called_by_letters(int client, string name)
    {
        var session = new ClientSession(client);
        Assert.That((session.Client, session.Name), Is.EqualTo((client, name)));
    }

    [TestCase(false, false, ExpectedResult = false)]
    [TestCase(true, false, ExpectedResult = true)]
    [TestCase(true, true, ExpectedResult = false)]
    [TestCase(false, true, ExpectedResult = false)]
    public bool A_client_is_online_from_CONNACK_until_its_connection_ends(bool isAccepted, bool isClosed) =>
        new ClientSession(0)
        {
            Connection = new ObservedConnection(1) { IsAccepted = isAccepted, IsClosed = isClosed },
        }.IsOnline;

    // A QoS 1 message is open until PUBACK. One of QoS 2 is open until PUBREC, and from PUBREL until PUBCOMP (4.3.3).
    [TestCase(1, false, false, false, ExpectedResult = true)]
    [TestCase(1, true, false, false, ExpectedResult = false)]
    [TestCase(1, true, true, false, ExpectedResult = true)]
    [TestCase(1, true, true, true, ExpectedResult = false)]
    [TestCase(1, true, false, true, ExpectedResult = false)]
    [TestCase(2, false, false, false, ExpectedResult = false)]
    [TestCase(2, true, true, false, ExpectedResult = false)]
    public bool A_client_holds_what_it_owes_an_answer_on_its_connection(
        int connection,
        bool isAcknowledged,
        bool isReleased,
        bool isFinished
    )
    {
        var session = new ClientSession(0) { Connection = new ObservedConnection(1) };
        session.Incoming[1] = Incoming(1, isAcknowledged: true, isFinished: true);
        session.Incoming[2] = Incoming(connection, isAcknowledged, isReleased, isFinished);
        session.Incoming[3] = Incoming(1, isAcknowledged: true, isFinished: true);
        return session.IsHolding;
    }

    // "The Server MUST NOT match Topic Filters starting with a wildcard character (# or +) with Topic Names beginning
    // with a $ character" (MQTT-4.7.2-1).
    [TestCase("#", "$x/a", ExpectedResult = "#")]
    [TestCase("+/a", "$x/a", ExpectedResult = "+/a")]
    [TestCase("$share/g/#", "$x/a", ExpectedResult = "#")]
    [TestCase("+", "$$a", ExpectedResult = "+")]
    [TestCase("+/b", "$x/a", ExpectedResult = null)]
    [TestCase("$x/#", "$x/a", ExpectedResult = null)]
    [TestCase("xa", "$a", ExpectedResult = null)]
    [TestCase("#", "x/a", ExpectedResult = null)]
    [TestCase("#", "a$", ExpectedResult = null)]
    public string? A_filter_with_a_wildcard_first_would_match_a_topic_with_dollar(string filter, string topic)
    {
        var session = new ClientSession(0);
        Subscribed(session, "y");
        Subscribed(session, filter);
        return session.WildcardOverDollar(topic);
    }

    // A PUBACK or PUBREC "MUST contain the same Packet Identifier as the PUBLISH Packet that was originally sent"
    // (MQTT-2.3.1-6; 5: MQTT-2.2.1-5).
    [Test]
    public void An_answer_belongs_to_the_request_of_its_type_and_identifier_on_its_connection()
    {
        var session = new ClientSession(0);
        AwaitedAnswer[] requests =
        [
            Awaited(PacketType.Puback, 1, 1),
            Awaited(PacketType.Puback, 2, 1),
            Awaited(PacketType.Puback, 1, 2),
            Awaited(PacketType.Pubrec, 1, 1),
        ];
        foreach (var request in requests)
        {
            session.Awaited.Clear();
            session.Awaited.AddRange(requests);
            var connection = new ObservedConnection(request.Connection);
            Assert.That(session.Take(connection, request.Type, request.PacketId), Is.SameAs(request));
            Assert.That(session.Awaited, Is.EqualTo(requests.Except([request])));
            Assert.That(session.Take(connection, request.Type, request.PacketId), Is.Null, "it is answered once");
        }
    }

    [Test]
    public void Nothing_is_owed_on_a_connection_that_has_ended_but_its_SUBSCRIBE_may_take_effect()
    {
        var session = new ClientSession(0);
        var ended = Awaited(PacketType.Suback, 1, 1, new SubscribePacket(1, []));
        var other = Awaited(PacketType.Suback, 1, 2, new SubscribePacket(1, []));
        session.Awaited.AddRange([ended, Awaited(PacketType.Unsuback, 2, 1), other]);
        session.StopAwaiting(1);
        Assert.That(session.Awaited, Is.EqualTo([other]));
        Assert.That(session.Unanswered, Is.EqualTo([ended]));
    }

    // A session keeps "QoS 1 and QoS 2 messages pending transmission to the Client", and optionally those of QoS 0
    // (3.1.2.4; 5: 4.1).
    [Test]
    public void Only_what_may_be_of_QoS_0_is_lost_with_the_connection()
    {
        var session = new ClientSession(0);
        var (lost, kept) = (Expected(session, 1), Expected(session, 1));
        lost.MayBeVolatile = true;
        session.LoseVolatile();
        Assert.That((lost.IsDue, kept.IsDue), Is.EqualTo((false, true)));
    }

    [Test]
    public void Of_a_session_in_doubt_nothing_is_certain_or_due()
    {
        var session = new ClientSession(0);
        var subscription = Subscribed(session, "x/a");
        var expected = Expected(session, 1);
        session.Incoming[1] = Incoming(1);
        session.Incoming[1].ResendDue = true;
        session.Doubt();
        Assert.That(
            (subscription.MaybeAbsent, expected.IsDue, expected.IsCertain, session.Incoming[1].ResendDue),
            Is.EqualTo((true, false, false, false))
        );
    }

    [Test]
    public void What_was_sent_and_not_answered_may_be_lost()
    {
        var session = new ClientSession(0);
        session.Outgoing[1] = Sent(1);
        session.DoubtOutgoing();
        Assert.That(session.Outgoing[1].IsUncertain, Is.True);
    }

    private static SubscriptionState Subscribed(ClientSession session, string filter) =>
        session.Subscriptions[filter] = new SubscriptionState(filter, ProtocolVersion.V5) { MaybeAbsent = false };

    private static ExpectedDelivery Expected(ClientSession session, int sentAt)
    {
        var publication = Sent(sentAt);
        return session.Expected[publication] = new ExpectedDelivery(publication) { IsDue = true };
    }

    private static Publication Sent(int at) => new(1, 0, new PublishPacket { Topic = "x/a" }, at);

    private static AwaitedAnswer Awaited(
        PacketType type,
        ushort id,
        int connection,
        SubscribePacket? subscribe = null
    ) => new(type, id, connection, Statements.Puback, "", "") { Subscribe = subscribe };

    private static IncomingMessage Incoming(
        int connection,
        bool isAcknowledged = false,
        bool isReleased = false,
        bool isFinished = false
    ) =>
        new(1, new PublishPacket(), null, connection)
        {
            IsAcknowledged = isAcknowledged,
            IsReleased = isReleased,
            IsFinished = isFinished,
        };
}
