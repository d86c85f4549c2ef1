using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors.Messages;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.Protocol.Frames;

namespace MqttCheck.Clusters.Tests.Monitors;

[TestFixture]
internal sealed class FidelityMonitorTests
{
    private static readonly long s_print = PayloadPrint.Of([1, 2, 3]);

    [Test]
    public void What_comes_as_it_was_published_violates_nothing() => Assert.That(Judge(Tape()), Is.Empty);

    [Test]
    public void Other_bytes_violate_content_and_the_words_have_the_history_of_the_message()
    {
        var tape = Tape();
        tape.Events[^1] = tape.Events[^1] with { Value = PayloadPrint.Of([1, 2, 4]) };
        var violation = Judge(tape).Single();
        Assert.That(violation.Invariant, Is.EqualTo("content"));
        Assert.That(
            violation.What,
            Is.EqualTo(
                "p-1 #1 on t came to reader s-1 with other bytes than were published, 3 as before: "
                    + "0.100 s p-1 published it at a with QoS 1; 0.100 s a acknowledged it; "
                    + "0.110 s reader s-1 got it at b with QoS 1"
            )
        );
        tape.Events[^1] = tape.Events[^1] with { Value = PayloadPrint.Of([1, 2]) };
        Assert.That(Judge(tape).Single().What, Does.Contain("came to reader s-1 with 2 bytes instead of 3"));
    }

    [Test]
    public void RETAIN_that_the_publisher_did_not_set_violates_retain()
    {
        var tape = Tape();
        tape.Events[^1] = tape.Events[^1] with { IsRetained = true };
        Assert.That(Judge(tape).Single().Invariant, Is.EqualTo("retain"));
        tape.Events[1] = tape.Events[1] with { IsRetained = true };
        Assert.That(Judge(tape), Is.Empty, "the publisher has set it");
    }

    [Test]
    public void DUP_at_the_first_delivery_violates_dup_unless_something_may_have_been_sent_before()
    {
        var tape = Tape();
        tape.Events[^1] = tape.Events[^1] with { IsRepeat = true };
        Assert.That(Judge(tape).Single().Invariant, Is.EqualTo("dup"));
        tape.Fault(90, 95, node: 0);
        Assert.That(Judge(tape), Is.Empty, "a node may send again what it sent before a fault");
        tape.Events.RemoveAll(one => one.Kind is ClusterEventKind.FaultBegan or ClusterEventKind.FaultEnded);
        Assert.That(Judge(tape.Connected(105, client: 1, node: 1)), Is.Empty, "it was sent by an older connection");
    }

    [Test]
    public void A_delivery_to_who_has_not_subscribed_violates_addressee()
    {
        var tape = Tape();
        tape.Events[0] = tape.Events[0] with { Topic = "u/#" };
        Assert.That(Judge(tape).Single().Invariant, Is.EqualTo("addressee"));
        tape.Subscribed(200, client: 1, "+");
        Assert.That(Judge(tape), Is.Empty, "the acknowledgement of a subscription may come behind its messages");
    }

    [Test]
    public void A_delivery_of_nothing_that_was_published_names_the_message_that_is_missing()
    {
        var tape = Tape();
        tape.Events[^1] = tape.Events[^1] with { Message = -1, Topic = "v" };
        var violation = Judge(tape).Single();
        Assert.That(violation.Invariant, Is.EqualTo("content"));
        Assert.That(
            violation.What,
            Does.StartWith("reader s-1 got 3 bytes on v that no client has published")
                .And.Contain("it misses p-1 #1 on t")
        );
    }

    [Test]
    public void A_delivery_has_the_lower_QoS_of_publication_and_subscription() =>
        Check.One(
            Config.QuickThrowOnFailure,
            Prop.ForAll(
                Gen.Choose(0, 2).Three().ToArbitrary(),
                qos =>
                {
                    var (published, granted, delivered) = qos;
                    var tape = Tape(published, granted, delivered);
                    return (Judge(tape).Count == 0) == (delivered == Math.Min(published, granted));
                }
            )
        );

    [Test]
    public void Of_two_filters_that_match_the_higher_QoS_is_owed_once()
    {
        var tape = Tape(published: 2, granted: 0, delivered: 0);
        tape.Subscribed(0, client: 1, "#", qos: 1);
        Assert.That(Judge(tape).Single().Invariant, Is.EqualTo("qos"));
        tape.Delivered(111, 7, client: 1, node: 1);
        tape.Events[^1] = tape.Events[^1] with { Qos = 1 };
        Assert.That(Judge(tape), Is.Empty);
    }

    [TestCase("# out 0", 0)]
    [TestCase("# out 1", 1)]
    [TestCase("# out 2", 2)]
    public void A_bridge_lowers_the_QoS_to_that_of_its_line(string line, int lowered)
    {
        var topology = TopologyFile.Parse(
            System.Text.Encoding.UTF8.GetBytes(
                $$"""
                { "name": "x", "system": "mosquitto-bridge", "nodes": [ { "name": "a" }, { "name": "b" } ],
                  "links": [ { "between": ["a", "b"], "topics": "{{line}}" } ] }
                """
            ),
            "x.json"
        );
        for (var delivered = 0; delivered <= 2; delivered++)
        {
            var found = Judge(Tape(published: 2, granted: 2, delivered), new QosWays(topology));
            Assert.That(found.Count == 0, Is.EqualTo(delivered == lowered), $"{delivered}");
        }
    }

    private static IReadOnlyList<MqttCheck.Clusters.Monitors.ClusterViolation> Judge(
        EventTape tape,
        QosWays? ways = null
    ) => tape.Play(new FidelityMonitor(new MessageBook(EventTape.Names, new(["p"], ["s", "s"]), 0), ways)).Violations;

    // Client 0 publishes at node a, and client 1 gets it at node b.
    private static EventTape Tape(int published = 1, int granted = 1, int delivered = 1)
    {
        var tape = new EventTape().Subscribed(0, client: 1, "t", qos: granted, node: 1);
        tape.Published(100, 7, "t", qos: published, client: 0);
        tape.Delivered(110, 7, client: 1, node: 1);
        tape.Events[1] = tape.Events[1] with { Value = s_print };
        tape.Events[^1] = tape.Events[^1] with { Value = s_print, Qos = delivered };
        return tape;
    }
}
