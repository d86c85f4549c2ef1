using MqttCheck.Conformance.Checking;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Tests.Checking;

[TestFixture]
internal sealed class TrafficTests
{
    private const long Second = 1_000_000_000;

    private static readonly ScenarioNames s_names = new("m1x7");

    [Test]
    public void A_payload_tells_when_it_was_published()
    {
        var traffic = new Traffic();
        traffic.Sent(s_names, Message(s_names.Payload(0)), 5);
        traffic.Sent(s_names, Message(s_names.Payload(2, 500)), 7);
        Assert.That(
            (traffic.SentAt(Message(s_names.Payload(0))), traffic.SentAt(Message(s_names.Payload(2, 500)))),
            Is.EqualTo((5, 7))
        );
        Assert.That(traffic.Published, Is.EqualTo(2));
    }

    // A will takes a number when it is named in CONNECT, and is published at a moment that nobody knows.
    [Test]
    public void What_was_not_published_by_a_client_has_no_time()
    {
        var traffic = new Traffic();
        traffic.Sent(s_names, Message(s_names.Payload(1)), 5);
        Assert.That(traffic.SentAt(Message(s_names.Payload(0))), Is.Null);
        Assert.That(traffic.SentAt(Message(s_names.Payload(3))), Is.Null);
        Assert.That(traffic.SentAt(Message(new ScenarioNames("m1x8").Payload(1))), Is.Null);
        foreach (var text in (string[])[":", "m1x7:", "m1x7:-1", "hello", "m1x7:99999999999"])
            Assert.That(traffic.SentAt(Message(Bytes.FromText(text))), Is.Null, text);
    }

    [Test]
    public void Messages_of_a_run_that_is_over_are_forgotten_after_a_while()
    {
        var traffic = new Traffic();
        traffic.Sent(s_names, Message(s_names.Payload(0)), 5);
        traffic.Ended(s_names, Second);
        Assert.That(traffic.SentAt(Message(s_names.Payload(0))), Is.EqualTo(5));
        traffic.Ended(new ScenarioNames("m1x9"), 7 * Second);
        Assert.That(traffic.SentAt(Message(s_names.Payload(0))), Is.Null);
    }

    // A run deletes what it leaves retained. Such a message names no run in its payload.
    [Test]
    public void A_message_without_payload_is_known_by_its_topic_for_a_while()
    {
        var traffic = new Traffic();
        var empty = new PublishPacket { Topic = "m1x7/a", Payload = Bytes.Empty };
        Assert.That(traffic.SentAt(empty), Is.Null);
        traffic.Sent(s_names, empty, 5);
        traffic.Sent(s_names, empty, 7);
        Assert.That(traffic.SentAt(empty), Is.EqualTo(7));
        Assert.That(traffic.SentAt(empty with { Topic = "m1x7/b" }), Is.Null);
        traffic.Sent(s_names, empty with { Topic = "m1x7/b" }, 6 * Second);
        Assert.That(traffic.SentAt(empty), Is.Null);
    }

    private static PublishPacket Message(Bytes payload) => new() { Topic = "m1x7/a", Payload = payload };
}
