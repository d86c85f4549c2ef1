using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Tests.Model;

[TestFixture]
internal sealed class PublicationTests
{
    // What may come is the smaller of the message's quality of service and one that was granted: bits 0, 1, 2.
    [Test]
    public void It_may_come_at_the_smaller_of_its_own_and_a_granted_quality_of_service(
        [Values] QualityOfService own,
        [Range(0, 7)] int grantBits,
        [Values] QualityOfService qos
    )
    {
        var publication = Of("t", own);
        var granted = Enumerable.Range(0, 3).Where(bit => (grantBits >> bit & 1) == 1);
        Assert.That(
            publication.MayComeAt(qos, grantBits),
            Is.EqualTo(granted.Any(bit => Math.Min(bit, (int)own) == (int)qos))
        );
    }

    // One of quality 0 is taken by nobody, so it stays open; a dormant will is not sent yet.
    [TestCase(QualityOfService.AtMostOnce, 3, false, true)]
    [TestCase(QualityOfService.AtLeastOnce, 3, false, false)]
    [TestCase(QualityOfService.AtLeastOnce, null, false, true)]
    [TestCase(QualityOfService.AtMostOnce, null, true, false)]
    public void It_is_open_until_it_is_taken(QualityOfService qos, int? takenAt, bool isDormant, bool isOpen)
    {
        var publication = Of("t", qos);
        (publication.TakenAt, publication.IsDormant) = (takenAt, isDormant);
        Assert.That(publication.IsOpen, Is.EqualTo(isOpen));
    }

    [TestCase(5, 4, 5)]
    [TestCase(5, 5, null)]
    [TestCase(null, 0, null)]
    public void It_is_received_when_it_was_taken_after_it_was_last_sent(int? taken, int again, int? received)
    {
        var publication = Of("t", QualityOfService.AtLeastOnce);
        (publication.TakenAt, publication.SentAgainAt) = (taken, again);
        Assert.That(publication.ReceivedAt, Is.EqualTo(received));
    }

    [TestCase(null, false)]
    [TestCase(299u, true)]
    [TestCase(300u, false)]
    public void It_may_expire_within_five_minutes(uint? seconds, bool mayExpire) =>
        Assert.That(
            new Publication(
                1,
                0,
                new PublishPacket { Properties = new() { MessageExpiryIntervalSeconds = seconds } },
                1
            ).MayExpire,
            Is.EqualTo(mayExpire)
        );

    [TestCase(0, "message with empty payload on t")]
    [TestCase(40, "message 0123456789012345678901234567890123456789 on t")]
    [TestCase(41, "message 012345678901234567890123... on t")]
    public void It_is_told_by_its_payload_and_topic(int length, string text)
    {
        var payload = string.Concat(Enumerable.Range(0, length).Select(i => (char)('0' + i % 10)));
        Assert.That(Of(payload, QualityOfService.AtMostOnce).ToString(), Is.EqualTo(text));
        Assert.That(
            new Publication(1, 0, new PublishPacket { Topic = "t" }, 1) { IsWill = true }.ToString(),
            Is.EqualTo("will with empty payload on t")
        );
    }

    // Statements whose violation a missing delivery is.
    [TestCase(true, true, true, "will-at-take-over")]
    [TestCase(true, false, true, "will-published")]
    [TestCase(false, false, true, "offline-queue")]
    [TestCase(false, false, false, "delivered")]
    public void What_is_due_is_due_by_the_statement_of_its_kind(
        bool isWill,
        bool isFreed,
        bool wasOffline,
        string statement
    )
    {
        var publication = new Publication(1, 0, new PublishPacket(), 1)
        {
            IsWill = isWill,
            IsFreedByConnection = isFreed,
        };
        var expected = new ExpectedDelivery(publication) { WasOffline = wasOffline };
        Assert.That(expected.DueStatement.Name, Is.EqualTo(statement));
    }

    [Test]
    public void A_delivery_in_doubt_is_neither_due_nor_certain()
    {
        var expected = new ExpectedDelivery(Of("t", QualityOfService.AtLeastOnce))
        {
            IsDue = true,
            CertainQos = QualityOfService.AtLeastOnce,
        };
        expected.Allow(QualityOfService.ExactlyOnce);
        expected.Blur();
        Assert.That(
            (expected.IsDue, expected.IsCertain, expected.CertainQos),
            Is.EqualTo((false, false, (QualityOfService?)null))
        );
        Assert.That(
            (expected.Allows(QualityOfService.ExactlyOnce), expected.Allows(QualityOfService.AtLeastOnce)),
            Is.EqualTo((true, false))
        );
        Assert.That(expected.QosBits, Is.EqualTo(4));
    }

    // A write is held at a read unless another began after it had ended and ended before the read.
    [TestCase(4, 5, 7, false)]
    [TestCase(3, 5, 7, true)]
    [TestCase(4, 7, 7, true)]
    public void A_retained_write_is_held_until_a_later_one_is_surely_done(int start, int end, int read, bool held)
    {
        var first = new RetainedWrite(Of("t", QualityOfService.AtLeastOnce), 1) { End = 3 };
        var later = new RetainedWrite(Of("t", QualityOfService.AtLeastOnce), start) { End = end };
        Assert.That(first.MayBeHeldAt(read, [first, later]), Is.EqualTo(held));
    }

    [TestCase("", QualityOfService.AtMostOnce, true, true)]
    [TestCase("x", QualityOfService.AtLeastOnce, false, false)]
    public void A_retained_write_of_nothing_deletes(string payload, QualityOfService qos, bool deletes, bool isQos0)
    {
        var write = new RetainedWrite(Of(payload, qos), 1);
        Assert.That((write.IsDelete, write.IsOfQos0), Is.EqualTo((deletes, isQos0)));
    }

    // A second is 1 000 000 000 ns; without a keep-alive a client may be quiet for ever.
    [TestCase(0, 99, false)]
    [TestCase(2, 1.999, false)]
    [TestCase(2, 2, true)]
    public void A_connection_is_quiet_after_its_keep_alive(int keepAlive, double seconds, bool wasQuiet)
    {
        var connection = new ObservedConnection(1)
        {
            Connect = new ConnectPacket { KeepAliveSeconds = (ushort)keepAlive },
            LastSentNanoseconds = 5,
        };
        Assert.That(connection.WasQuietAt(5 + (long)(seconds * 1e9)), Is.EqualTo(wasQuiet));
        connection.Connack = new ConnackPacket(SessionPresent: false, ReasonCode.Success)
        {
            Properties = new() { ServerKeepAliveSeconds = 100 },
        };
        Assert.That(connection.WasQuietAt(5 + (long)(seconds * 1e9)), Is.False, "the server's value counts");
        Assert.That(new ObservedConnection(1).KeepAliveSeconds, Is.Zero);
    }

    // The interval is "permitted to elapse between the point at which the Client finishes transmitting one Control
    // Packet and the point it starts sending the next" (3.1.2.10).
    [TestCase(2_999_999_999L, ExpectedResult = false)]
    [TestCase(3_000_000_000L, ExpectedResult = true)]
    public bool A_keep_alive_runs_from_what_was_sent_last(long nanoseconds) =>
        new ObservedConnection(1)
        {
            Connect = new ConnectPacket { KeepAliveSeconds = 1 },
            Connack = new ConnackPacket(SessionPresent: false),
            LastSentNanoseconds = 2_000_000_000,
        }.WasQuietAt(nanoseconds);

    [Test]
    public void A_delivery_may_come_at_each_quality_of_service_that_a_subscription_allows()
    {
        var expected = new ExpectedDelivery(Of("t", QualityOfService.ExactlyOnce));
        Assert.That(expected.QosBits, Is.Zero);
        expected.Allow(QualityOfService.AtMostOnce);
        expected.Allow(QualityOfService.ExactlyOnce);
        expected.Allow(QualityOfService.ExactlyOnce);
        Assert.That(
            Enum.GetValues<QualityOfService>().Where(expected.Allows),
            Is.EqualTo([QualityOfService.AtMostOnce, QualityOfService.ExactlyOnce])
        );
    }

    // Without an answer a write may take effect at any time: after the other one, or after the read.
    [TestCase(null, 5, ExpectedResult = true)]
    [TestCase(3, null, ExpectedResult = true)]
    [TestCase(3, 5, ExpectedResult = false)]
    public bool A_retained_write_without_an_answer_neither_goes_nor_replaces(int? end, int? laterEnd)
    {
        var first = new RetainedWrite(Of("t", QualityOfService.AtLeastOnce), 1) { End = end };
        var later = new RetainedWrite(Of("t", QualityOfService.AtLeastOnce), 4) { End = laterEnd };
        return first.MayBeHeldAt(9, [first, later]);
    }

    private static Publication Of(string payload, QualityOfService qos) =>
        new(
            1,
            0,
            new PublishPacket
            {
                Topic = "t",
                Payload = Bytes.FromText(payload),
                Qos = qos,
            },
            1
        );
}
