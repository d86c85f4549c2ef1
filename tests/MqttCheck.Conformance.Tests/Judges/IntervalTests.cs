using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Tests.Judges;

/// <summary>What time does to connections, sessions and messages, judged on traces written by hand.</summary>
[TestFixture]
internal sealed class IntervalTests
{
    private const int A = 0,
        B = 1;

    private static TraceScript Mqtt5 => new(ProtocolVersion.V5);

    // A message was sent to A, which left without an acknowledgement.
    private static TraceScript LeftWithOpenMessage =>
        Mqtt5
            .Connect(A, expiry: 1000)
            .Subscribe(A, "x/a", 1)
            .Connect(B)
            .Publish(B, "x/a", 1, 1)
            .Deliver(A, "x/a", 1, 1, acknowledge: false)
            .Drop(A);

    [Test]
    public void A_silent_connection_must_end_after_one_and_a_half_times_its_keep_alive()
    {
        var script = new TraceScript().Connect(A, keepAlive: 2).Wait(2900);
        Assert.That(script.Owed, Is.Empty);
        script.Wait(200);
        Assert.That(script.Owed, Is.EqualTo(["keep-alive"]));
        Assert.That(script.Monitor.Outstanding().Single().Grace, Is.GreaterThan(TimeSpan.FromSeconds(5)));
        Assert.That(script.Closed(A).Owed, Is.Empty);
        Assert.That(script.Deviations, Is.Empty);
    }

    [Test]
    public void The_will_of_a_silent_connection_is_owed() =>
        new TraceScript()
            .Connect(B)
            .Subscribe(B, "x/w", 1)
            .Connect(A, keepAlive: 1, will: "x/w")
            .Wait(1600)
            .Closed(A)
            .Owes("will-published");

    [Test]
    public void A_connection_that_sends_in_time_must_not_be_ended() =>
        Assert.That(
            new TraceScript()
                .Connect(A, keepAlive: 1)
                .Wait(900)
                .Sends(A, new PingreqPacket())
                .Gets(A, new PingrespPacket())
                .Wait(900)
                .Closed(A)
                .Deviations,
            Is.Not.Empty
        );

    [TestCase(300, true, ExpectedResult = "")]
    [TestCase(300, false, ExpectedResult = "session-present")]
    [TestCase(2000, true, ExpectedResult = "")]
    [TestCase(2000, false, ExpectedResult = "")]
    [TestCase(3500, true, ExpectedResult = "session-expiry")]
    [TestCase(3500, false, ExpectedResult = "")]
    public string A_session_ends_when_its_interval_has_passed(int milliseconds, bool isPresent) =>
        string.Join(
            ' ',
            Mqtt5
                .Connect(A, expiry: 1)
                .Drop(A)
                .Wait(milliseconds)
                .Connect(A, clean: false, sessionPresent: isPresent, expiry: 1)
                .Deviations
        );

    // A DISCONNECT that comes after the keep alive may find the connection ended: then its interval is not taken.
    [TestCase(900, true, ExpectedResult = "session-expiry")]
    [TestCase(1200, true, ExpectedResult = "")]
    [TestCase(900, false, ExpectedResult = "")]
    [TestCase(1200, false, ExpectedResult = "")]
    public string An_interval_that_DISCONNECT_brings_after_a_silence_may_not_be_taken(int silence, bool isPresent) =>
        string.Join(
            ' ',
            Mqtt5
                .Connect(A, keepAlive: 1, expiry: 1000)
                .Wait(silence)
                .Sends(
                    A,
                    new DisconnectPacket { Properties = new PacketProperties { SessionExpiryIntervalSeconds = 1 } }
                )
                .Drop(A)
                .Wait(3500)
                .Connect(A, clean: false, sessionPresent: isPresent, expiry: 1000)
                .Deviations
        );

    // A broker may end any connection, and a DISCONNECT that it has not read by then changes nothing: "If the Session
    // Expiry Interval is absent, the Session Expiry Interval in the CONNECT packet is used" (section 3.14.2.2.2). So
    // it is no finding unless it comes every time.
    [TestCase(1000u, 1u, 3500, true, ExpectedResult = "session-expiry")]
    [TestCase(1u, 1000u, 3500, false, ExpectedResult = "session-present")]
    [TestCase(1000u, 0u, 1, true, ExpectedResult = "session-not-present")]
    public string A_DISCONNECT_with_another_expiry_may_not_have_been_read(
        uint first,
        uint then,
        int milliseconds,
        bool isPresent
    )
    {
        var script = Mqtt5
            .Connect(A, expiry: first)
            .Sends(A, Leaving(ReasonCode.Success, then))
            .Drop(A)
            .Wait(milliseconds)
            .Connect(A, clean: false, sessionPresent: isPresent, expiry: 1000);
        Assert.That(script.Monitor.Deviations.Select(deviation => deviation.MustRecur), Has.All.True);
        return string.Join(' ', script.Deviations);
    }

    // The will is due when the session ends, and that is earlier where the new interval was not read.
    [TestCase(1u, 20u, true)]
    [TestCase(20u, null, false)]
    public void A_will_may_be_early_where_a_longer_expiry_was_not_read(uint first, uint? then, bool mustRecur)
    {
        var script = Mqtt5
            .Connect(B)
            .Subscribe(B, "x/w", 1)
            .Connect(A, will: "x/w", expiry: first, willDelay: 10)
            .Sends(A, Leaving(ReasonCode.DisconnectWithWill, then))
            .Drop(A)
            .Pass(1100)
            .Deliver(B, "x/w", 1, 90);
        Assert.That(script.Monitor.Deviations.Select(d => d.MustRecur), Is.EqualTo([mustRecur]));
        script.Finds("will-delay");
    }

    // "If a new Network Connection to this Session is made before the Will Delay Interval has passed, the Server MUST
    // NOT send the Will Message" (MQTT-3.1.3-9): a will that comes too early is one deviation. It was published, so
    // that it is not missing (MQTT-3.1.2-8) when the delay has passed.
    [Test]
    public void A_will_that_comes_too_early_is_not_missing_later() =>
        Mqtt5
            .Connect(B)
            .Subscribe(B, "x/w", 1)
            .Connect(A, will: "x/w", expiry: 30, willDelay: 2)
            .Drop(A)
            .Deliver(B, "x/w", 1, 90)
            .Wait(3500)
            .OwesNothing()
            .Finds("will-delay");

    private static DisconnectPacket Leaving(ReasonCode reason, uint? expiry) =>
        new(reason) { Properties = new PacketProperties { SessionExpiryIntervalSeconds = expiry } };

    [TestCase(null, ExpectedResult = "resend")]
    [TestCase(60u, ExpectedResult = "")]
    public string A_message_that_was_too_large_for_a_connection_is_not_owed_to_the_next(uint? maximum) =>
        string.Join(
            ' ',
            LeftWithOpenMessage
                .Connect(A, clean: false, sessionPresent: true, expiry: 1000, maximum: maximum)
                .Drop(A)
                .Connect(A, clean: false, sessionPresent: true, expiry: 1000)
                .Owed
        );

    // It may wait for a window when another connection takes over.
    [TestCase(null, ExpectedResult = "take-over retained-kept")]
    [TestCase(60u, ExpectedResult = "take-over")]
    public string A_retained_message_that_is_too_large_for_the_next_connection_is_not_owed_to_it(uint? maximum) =>
        string.Join(
            ' ',
            Mqtt5
                .Connect(B)
                .Publish(B, "x/a", 1, 1, retain: true)
                .Connect(A, expiry: 1000)
                .Subscribe(A, "x/a", 1)
                .Connect(A, clean: false, sessionPresent: true, expiry: 1000, maximum: maximum)
                .Owed
        );

    // A CONNECT without an answer may have been handled: a message too large for that connection is dropped for good.
    [TestCase(null, ExpectedResult = "resend")]
    [TestCase(60u, ExpectedResult = "")]
    public string What_a_connection_without_an_answer_may_have_dropped_is_not_owed(uint? maximum) =>
        string.Join(
            ' ',
            LeftWithOpenMessage
                .AsksToConnect(A, clean: false, expiry: 1000, maximum: maximum)
                .Drop(A)
                .Connect(A, clean: false, sessionPresent: true, expiry: 1000)
                .Owed
        );

    // A clean start without an answer may have been handled: then identifiers begin anew.
    [TestCase(false, ExpectedResult = true)]
    [TestCase(true, ExpectedResult = false)]
    public bool A_resend_needs_DUP_unless_a_clean_start_may_have_come_before(bool clean) =>
        LeftWithOpenMessage
            .AsksToConnect(A, clean, expiry: 1000)
            .Drop(A)
            .Connect(A, clean: false, sessionPresent: true, expiry: 1000)
            .Deliver(A, "x/a", 1, 1)
            .Deviations.Contains("dup-on-resend");

    // The same silence lets the broker publish the will before DISCONNECT comes.
    [TestCase(900, ExpectedResult = "will-discarded")]
    [TestCase(1200, ExpectedResult = "")]
    public string A_will_is_discarded_by_a_DISCONNECT_that_comes_in_time(int silence)
    {
        var script = new TraceScript()
            .Connect(B)
            .Subscribe(B, "x/w", 1)
            .Connect(A, keepAlive: 1, will: "x/w")
            .Wait(silence)
            .Disconnect(A);
        Assert.That(script.Owed, Is.Empty);
        return string.Join(' ', script.Deliver(B, "x/w", 1, 90).Deviations);
    }

    // The client sees the end when it comes to look: the broker may have ended the connection, and the session with it,
    // long before.
    [TestCase(1200, ExpectedResult = "session-present")]
    [TestCase(2600, ExpectedResult = "")]
    public string The_session_of_a_silent_connection_ends_with_the_interval_after_the_broker_ended_it(
        int milliseconds
    ) =>
        string.Join(
            ' ',
            Mqtt5.Connect(A, keepAlive: 1, expiry: 3).Wait(milliseconds).Connect(A, clean: false, expiry: 3).Deviations
        );

    [Test]
    public void A_connection_that_is_taken_over_ends_with_CONNECT_however_long_nothing_was_sent_on_it() =>
        Assert.That(
            Mqtt5
                .Connect(A, expiry: 1)
                .Wait(5000)
                .AsksToConnect(A, clean: false, expiry: 1)
                .GetsOnEarlier(A, new DisconnectPacket(ReasonCode.SessionTakenOver))
                .ClosedEarlier(A)
                .Gets(A, new ConnackPacket(false, ReasonCode.Success))
                .Deviations,
            Is.EqualTo(["session-present"])
        );

    [Test]
    public void A_broker_that_ends_a_connection_and_answers_CONNECT_late_may_have_dropped_the_session() =>
        Assert.That(
            Mqtt5
                .Connect(A, keepAlive: 1, expiry: 1)
                .Wait(2200)
                .Closed(A)
                .AsksToConnect(A, clean: false, expiry: 1)
                .Wait(400)
                .Gets(A, new ConnackPacket(false, ReasonCode.Success))
                .Deviations,
            Is.Empty
        );

    [Test]
    public void A_retained_message_that_is_sent_again_may_have_been_on_its_way_before_it_expired()
    {
        var script = Mqtt5
            .Connect(A)
            .Sends(A, Expiring)
            .Gets(A, new PubackPacket(10))
            .Connect(B, expiry: 100)
            .Sends(B, new SubscribePacket(1, [new SubscriptionRequest("x/a", QualityOfService.AtLeastOnce)]))
            .Disconnect(B)
            .Wait(2600)
            .Connect(B, clean: false, sessionPresent: true, expiry: 100);
        Assert.That(
            script
                .Gets(
                    B,
                    Expiring with
                    {
                        PacketId = 1,
                        Duplicate = true,
                        Properties = new PacketProperties { MessageExpiryIntervalSeconds = 0 },
                    }
                )
                .Deviations,
            Is.Empty
        );
    }

    [Test]
    public void A_retained_message_that_is_sent_for_the_first_time_must_not_have_expired()
    {
        var script = Mqtt5
            .Connect(A)
            .Sends(A, Expiring)
            .Gets(A, new PubackPacket(10))
            .Connect(B)
            .Wait(2600)
            .Sends(B, new SubscribePacket(1, [new SubscriptionRequest("x/a", QualityOfService.AtLeastOnce)]));
        Assert.That(
            script
                .Gets(
                    B,
                    Expiring with
                    {
                        PacketId = 1,
                        Properties = new PacketProperties { MessageExpiryIntervalSeconds = 0 },
                    }
                )
                .Deviations,
            Is.EqualTo(["expired"])
        );
    }

    private static PublishPacket Expiring =>
        new()
        {
            Topic = "x/a",
            Qos = QualityOfService.AtLeastOnce,
            PacketId = 10,
            Retain = true,
            Payload = new TraceScript().Names.Payload(1),
            Properties = new PacketProperties { MessageExpiryIntervalSeconds = 1 },
        };

    [Test]
    public void A_delayed_will_is_not_owed_before_its_delay_has_passed_and_must_not_come()
    {
        var script = Mqtt5
            .Connect(B)
            .Subscribe(B, "x/w", 1)
            .Connect(A, will: "x/w", expiry: 100, willDelay: 2)
            .Drop(A)
            .Wait(500);
        Assert.That(script.Owed, Is.Empty);
        Assert.That(script.Deliver(B, "x/w", 1, 90).Deviations, Is.EqualTo(["will-delay"]));
    }

    [Test]
    public void A_delayed_will_is_owed_when_its_delay_has_passed()
    {
        var script = Mqtt5
            .Connect(B)
            .Subscribe(B, "x/w", 1)
            .Connect(A, will: "x/w", expiry: 100, willDelay: 2)
            .Drop(A)
            .Wait(2100);
        Assert.That(script.Owed, Is.EqualTo(["will-published"]));
        Assert.That(script.Deliver(B, "x/w", 1, 90).Deviations, Is.Empty);
        Assert.That(script.Owed, Is.Empty);
    }

    [Test]
    public void DISCONNECT_with_will_delays_it_too() =>
        Assert.That(
            Mqtt5
                .Connect(B)
                .Subscribe(B, "x/w", 1)
                .Connect(A, will: "x/w", expiry: 1, willDelay: 2)
                .Sends(A, new DisconnectPacket(ReasonCode.DisconnectWithWill))
                .Drop(A)
                .Wait(1000)
                .Deliver(B, "x/w", 1, 90)
                .Deviations,
            Is.Empty
        );

    // By the letter of MQTT-3.1.2-8 a new connection may delete a will that still waits; a note in section 3.1.4 has it
    // published when its session ends.
    [TestCase(2u, 100u, ExpectedResult = "will-at-take-over")]
    [TestCase(2u, 0u, ExpectedResult = "will-at-take-over")]
    [TestCase(null, 100u, ExpectedResult = "will-published")]
    public string A_clean_start_ends_the_session_of_a_will(uint? willDelay, uint expiry) =>
        Mqtt5
            .Connect(B)
            .Subscribe(B, "x/w", 1)
            .Connect(A, will: "x/w", expiry: expiry, willDelay: willDelay)
            .Connect(A)
            .Owed.Single(name => name.StartsWith("will", StringComparison.Ordinal));

    [Test]
    public void Resuming_the_session_in_time_keeps_the_will_from_being_published()
    {
        var script = Mqtt5
            .Connect(B)
            .Subscribe(B, "x/w", 1)
            .Connect(A, will: "x/w", expiry: 100, willDelay: 2)
            .Drop(A)
            .Wait(500)
            .Connect(A, clean: false, sessionPresent: true, expiry: 100)
            .Wait(2500);
        Assert.That(script.Owed, Is.Empty);
        Assert.That(script.Deliver(B, "x/w", 1, 90).Deviations, Is.EqualTo(["will-delay"]));
    }

    [TestCase(1000, ExpectedResult = "")]
    [TestCase(3000, ExpectedResult = "expired")]
    public string A_message_that_has_expired_must_not_come(int milliseconds) =>
        string.Join(
            ' ',
            Mqtt5
                .Connect(A, expiry: 100)
                .Subscribe(A, "x/a", 1)
                .Drop(A)
                .Connect(B)
                .Sends(B, Message(1))
                .Gets(B, new PubackPacket(1))
                .Wait(milliseconds)
                .Connect(A, clean: false, sessionPresent: true, expiry: 100)
                .Gets(A, Message(1))
                .Deviations
        );

    [TestCase(100u, ExpectedResult = "message-expiry")]
    [TestCase(98u, ExpectedResult = "")]
    [TestCase(97u, ExpectedResult = "")]
    [TestCase(90u, ExpectedResult = "message-expiry")]
    public string The_expiry_interval_is_counted_down(uint left) =>
        string.Join(
            ' ',
            Mqtt5
                .Connect(A, expiry: 100)
                .Subscribe(A, "x/a", 1)
                .Drop(A)
                .Connect(B)
                .Sends(B, Message(100))
                .Gets(B, new PubackPacket(1))
                .Wait(3000)
                .Connect(A, clean: false, sessionPresent: true, expiry: 100)
                .Gets(A, Message(left))
                .Deviations
        );

    // Before it answers nobody knows since when the broker has had the message.
    [Test]
    public void The_expiry_interval_counts_from_when_the_broker_received_the_message() =>
        Assert.That(
            Mqtt5
                .Connect(A, expiry: 100)
                .Subscribe(A, "x/a", 1)
                .Connect(B)
                .Sends(B, Message(100))
                .Wait(3000)
                .Gets(A, Message(100))
                .Deviations,
            Is.Empty
        );

    [TestCase(100u, ExpectedResult = "")]
    [TestCase(97u, ExpectedResult = "")]
    [TestCase(90u, ExpectedResult = "message-expiry")]
    public string The_expiry_interval_of_a_message_that_was_sent_again_counts_from_either_time(uint left) =>
        string.Join(
            ' ',
            Mqtt5
                .Connect(A, expiry: 100)
                .Subscribe(A, "x/a", 1)
                .Sends(A, Message(100))
                .Drop(A)
                .Wait(3000)
                .Connect(A, clean: false, sessionPresent: true, expiry: 100)
                .Sends(A, Message(100) with { Duplicate = true })
                .Gets(A, Message(left))
                .Deviations
        );

    [TestCase(1500, ExpectedResult = "")]
    [TestCase(4000, ExpectedResult = "expired")]
    public string A_message_that_was_sent_again_expires_later(int milliseconds) =>
        string.Join(
            ' ',
            Mqtt5
                .Connect(B, expiry: 100)
                .Subscribe(B, "x/a", 1)
                .Drop(B)
                .Connect(A, expiry: 100)
                .Sends(A, Message(1))
                .Drop(A)
                .Wait(3000)
                .Connect(A, clean: false, sessionPresent: true, expiry: 100)
                .Sends(A, Message(1) with { Duplicate = true })
                .Gets(A, new PubackPacket(1))
                .Wait(milliseconds)
                .Connect(B, clean: false, sessionPresent: true, expiry: 100)
                .Gets(B, Message(1))
                .Deviations
        );

    [Test]
    public void A_refused_connection_must_end_and_have_no_effect() =>
        new TraceScript()
            .Connect(B)
            .Subscribe(B, "x/a", 1)
            .Connect(A, answer: ReasonCode.NotAuthorized, detail: TraceEntry.WrongPassword)
            .Owes("refused-closes")
            .Closed(A)
            .OwesNothing()
            .FindsNothing();

    // The broker ended the connection 1.5 s after CONNECT, and its client saw it 1 s later; the delay is 2 s.
    [TestCase(600, ExpectedResult = "will-delay")]
    [TestCase(1500, ExpectedResult = "")]
    public string A_delay_begins_when_the_broker_ended_a_silent_connection_not_when_its_client_saw_it(
        int milliseconds
    ) =>
        string.Join(
            ' ',
            Mqtt5
                .Connect(B)
                .Subscribe(B, "x/w", 1)
                .Connect(A, will: "x/w", expiry: 100, willDelay: 2, keepAlive: 1)
                .Wait(1500)
                .Closed(A)
                .Wait(milliseconds)
                .Deliver(B, "x/w", 1, 90)
                .Deviations
        );

    [Test]
    public void A_refused_connection_takes_over_nothing() =>
        new TraceScript()
            .Connect(B)
            .Subscribe(B, "x/w", 1)
            .Connect(A, will: "x/w")
            .Connect(A, answer: ReasonCode.ServerUnavailable)
            .Closed(A)
            .OwesNothing();

    [Test]
    public void A_packet_above_the_maximum_is_wrong_and_a_message_that_may_be_too_large_is_not_owed()
    {
        var large = new PublishPacket
        {
            Topic = "x/a",
            Qos = QualityOfService.AtLeastOnce,
            PacketId = 1,
            Payload = new TraceScript().Names.Payload(1, 500),
        };
        var script = Mqtt5
            .Connect(A, maximum: 200)
            .Subscribe(A, "x/a", 1)
            .Connect(B)
            .Sends(B, large)
            .Gets(B, new PubackPacket(1));
        Assert.That(script.Owed, Is.Empty);
        Assert.That(script.Gets(A, large).Deviations, Is.EqualTo(["maximum-packet-size"]));
    }

    [Test]
    public void Until_the_next_connection_is_accepted_the_maximum_of_the_one_before_may_hold([Values] bool accepted)
    {
        var large = new PublishPacket
        {
            Topic = "x/a",
            Qos = QualityOfService.AtLeastOnce,
            PacketId = 1,
            Payload = new TraceScript().Names.Payload(1, 500),
        };
        var script = Mqtt5
            .Connect(A, expiry: 100, maximum: 200)
            .Subscribe(A, "x/a", 1)
            .Drop(A)
            .Connect(B)
            .AsksToConnect(A, clean: false, expiry: 100);
        if (accepted)
            script.Gets(A, new ConnackPacket(true, ReasonCode.Success));
        script.Sends(B, large).Gets(B, new PubackPacket(1));
        if (!accepted)
            script.Gets(A, new ConnackPacket(true, ReasonCode.Success));
        Assert.That(script.Owed, accepted ? Is.EqualTo(["delivered"]) : Is.Empty);
    }

    [Test]
    public void An_open_message_that_does_not_fit_the_next_connection_is_not_owed_again()
    {
        var large = new PublishPacket
        {
            Topic = "x/a",
            Qos = QualityOfService.AtLeastOnce,
            PacketId = 1,
            Payload = new TraceScript().Names.Payload(1, 500),
        };
        var script = Mqtt5
            .Connect(A, expiry: 100)
            .Subscribe(A, "x/a", 1)
            .Connect(B)
            .Sends(B, large)
            .Gets(B, new PubackPacket(1))
            .Gets(A, large)
            .Drop(A)
            .Connect(A, clean: false, sessionPresent: true, expiry: 100, maximum: 200);
        Assert.That(script.Owed, Is.Empty);
    }

    [Test]
    public void A_client_that_was_silent_for_its_keep_alive_may_find_its_connection_ended() =>
        new TraceScript().Connect(A, keepAlive: 1).Wait(1400).Sends(A, new PingreqPacket()).Closed(A).FindsNothing();

    private static PublishPacket Message(uint expirySeconds) =>
        new()
        {
            Topic = "x/a",
            Qos = QualityOfService.AtLeastOnce,
            PacketId = 1,
            Payload = new TraceScript().Names.Payload(1),
            Properties = new PacketProperties { MessageExpiryIntervalSeconds = expirySeconds },
        };
}
