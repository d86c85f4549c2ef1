using System.Text;
using MqttCheck.Broker.Sessions;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Tests.Broker.Sessions;

/// <summary>Messages, queues, aliases and properties as a session holds them.</summary>
public sealed class SessionStateTests
{
    [Test]
    public void A_queue_counts_its_messages_and_their_bytes()
    {
        var session = new Session("a");
        Assert.That((session.QueuedCount, session.QueuedBytes, session.TryDequeue(out _)), Is.EqualTo((0, 0L, false)));
        foreach (var payload in new[] { "1", "22", "333" })
            session.Enqueue(new Delivery(Message("t", payload), QualityOfService.AtLeastOnce, false, null));
        Assert.That(
            (session.QueuedCount, session.QueuedBytes, session.TryDequeue(out var first)),
            Is.EqualTo((3, 9L, true))
        );
        Assert.That(
            (Encoding.UTF8.GetString(first.Message.Payload), session.QueuedCount, session.QueuedBytes),
            Is.EqualTo(("1", 2, 7L))
        );
    }

    [TestCase(9, false)]
    [TestCase(10, true)]
    [TestCase(11, true)]
    public void A_message_has_expired_at_its_time(long now, bool hasExpired)
    {
        var message = Message("t", "x").Expiring(10);
        Assert.That((message.HasExpired(now), Message("t", "x").HasExpired(now)), Is.EqualTo((hasExpired, false)));
    }

    [Test]
    public void A_message_keeps_its_parts_whatever_is_changed()
    {
        var message = new Message("topic"u8, "props"u8, "payload"u8, QualityOfService.AtLeastOnce, true, 5, "p");
        AssertParts(message, "props", 5);
        AssertParts(message.Expiring(7), "props", 7);
        AssertParts(message.WithProperties("other"u8), "other", 5);

        static void AssertParts(Message message, string properties, long expires)
        {
            Assert.That(
                (
                    Encoding.UTF8.GetString(message.Topic),
                    Encoding.UTF8.GetString(message.Properties),
                    Encoding.UTF8.GetString(message.Payload),
                    message.Size
                ),
                Is.EqualTo(("topic", properties, "payload", 17))
            );
            Assert.That(
                (message.Qos, message.Retain, message.ExpiresAtNanoseconds, message.Publisher),
                Is.EqualTo((QualityOfService.AtLeastOnce, true, expires, "p"))
            );
        }
    }

    // MQTT-3.1.2-26 and -27: no alias beyond the client's maximum.
    [Test]
    public void Topics_get_aliases_in_order_until_there_are_none_left()
    {
        var aliases = new OutgoingAliases(2);
        var seen = new List<string>();
        foreach (var topic in new[] { "a", "b", "a", "c", "b", "c" })
            seen.Add($"{topic}{aliases.Of(Encoding.UTF8.GetBytes(topic), out var isKnown)}{(isKnown ? "!" : "")}");
        Assert.That(
            (seen, OutgoingAliases.None.Of("a"u8, out var known), known),
            Is.EqualTo(((string[])["a1", "b2", "a1!", "c0", "b2!", "c0"], (ushort)0, false))
        );
    }

    // MQTT-3.3.2-4 and -18: all others unchanged and in their order, wherever the two stand that are left out.
    [Test]
    public void Properties_are_forwarded_but_for_expiry_and_alias([Values(1, 100, 300, 2000)] int size)
    {
        var forwarded = new ForwardedProperties();
        byte[] expiry = [2, 0, 0, 0, 9],
            alias = [0x23, 0, 7];
        var (first, second) = (Pair("a", size), Pair("b", size));
        foreach (
            var parts in new byte[][][]
            {
                [expiry, first, second, alias],
                [first, expiry, alias, second],
                [first, alias, second, expiry],
                [alias, expiry, first, second],
                [first, second, expiry],
            }
        )
        {
            byte[] properties = [.. parts.SelectMany(part => part)];
            Assert.That(
                forwarded.Of(properties, out var seconds).SequenceEqual((byte[])[.. first, .. second]),
                Is.True
            );
            Assert.That(seconds, Is.EqualTo(9));
        }
        Assert.That(forwarded.Of(first, out var none).SequenceEqual(first), Is.True);
        Assert.That(none, Is.Null);
        Assert.That(forwarded.Of(alias, out none).Length + forwarded.Of(default, out none).Length, Is.Zero);
        Assert.That(
            ForwardedProperties.Reversed((byte[])[.. first, .. second]),
            Is.EqualTo((byte[])[.. second, .. first])
        );
    }

    private static byte[] Pair(string name, int bytes) =>
        PacketEncoder.EncodeProperties(
            new PacketProperties { UserProperties = [new UserProperty(name, new string('x', bytes))] }
        );

    private static Message Message(string topic, string payload) =>
        new(
            Encoding.UTF8.GetBytes(topic),
            default,
            Encoding.UTF8.GetBytes(payload),
            QualityOfService.AtLeastOnce,
            false,
            long.MaxValue,
            "p"
        );
}
