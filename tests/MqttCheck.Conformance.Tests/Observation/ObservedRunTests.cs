using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Observation;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Tests.Observation;

/// <summary>What all judges read: the trace of a run, and what was sent and opened in it.</summary>
[TestFixture]
internal sealed class ObservedRunTests
{
    [TestCase(ProtocolVersion.V31, ExpectedResult = false)]
    [TestCase(ProtocolVersion.V311, ExpectedResult = false)]
    [TestCase(ProtocolVersion.V5, ExpectedResult = true)]
    public bool A_run_is_of_one_version(ProtocolVersion version)
    {
        var run = Run(version);
        Assert.That(run.Version, Is.EqualTo(version));
        return run.IsV5;
    }

    [Test]
    public void Now_is_the_last_entry()
    {
        var run = Run();
        run.Trace.Add(new TraceEntry(10, 0, 0, TraceKind.Opened));
        run.Trace.Add(new TraceEntry(30, 0, 0, TraceKind.ClosedByClient));
        Assert.That((run.Now, run.NowNanoseconds), Is.EqualTo((1, 30L)));
        Assert.That(run.Trace[0].Detail, Is.Empty);
    }

    [Test]
    public void A_message_is_known_by_its_payload_unless_that_is_empty()
    {
        var run = Run();
        var (first, second, empty) = (Sent(1, "x:1"), Sent(2, "x:2"), Sent(3, ""));
        foreach (var publication in new[] { first, second, empty })
            run.Register(publication);
        Assert.That(run.Publications, Is.EqualTo([first, second, empty]));
        Assert.That(run.WithPayload(Bytes.FromText("x:1")), Is.SameAs(first));
        Assert.That(run.WithPayload(Bytes.FromText("x:2")), Is.SameAs(second));
        Assert.That(run.WithPayload(Bytes.FromText("x:3")), Is.Null);
        Assert.That(run.WithPayload(Bytes.Empty), Is.Null);
    }

    [TestCase(false)]
    [TestCase(true)]
    public void A_topic_is_in_doubt_where_the_broker_is_taken_to_confuse_topics(bool isTaken)
    {
        var publication = Sent(1, "x:1");
        Run(assumption: isTaken ? TopicsConfused : Assumption.None).Register(publication);
        Assert.That(publication.IsConfused, Is.EqualTo(isTaken));
    }

    // One that was acknowledged has been routed.
    [Test]
    public void What_is_not_taken_over_is_open()
    {
        var run = Run();
        var (open, taken, last) = (Sent(1, "x:1"), Sent(2, "x:2"), Sent(3, "x:3"));
        taken.TakenAt = 4;
        foreach (var publication in new[] { open, taken, last })
            run.Register(publication);
        Assert.That(run.OpenPublications, Is.EqualTo([open, last]));
    }

    [Test]
    public void Each_topic_has_one_list_of_what_was_retained_on_it()
    {
        var run = Run();
        var (first, second) = (new RetainedWrite(Sent(1, "x:1"), 1), new RetainedWrite(Sent(2, "x:2"), 2));
        run.WritesTo("x/a").Add(first);
        run.WritesTo("x/b").Add(second);
        Assert.That(run.WritesTo("x/a"), Is.EqualTo([first]));
        Assert.That(run.WritesTo("x/A"), Is.Empty);
        Assert.That(run.RetainedTopics, Is.EquivalentTo(["x/a", "x/b", "x/A"]));
        Assert.That(run.RetainedWrites, Is.EquivalentTo([first, second]));
    }

    // A PUBACK or PUBREC with a code from 0x80 says that the message is not taken (MQTT 5, section 4.3.2).
    [Test]
    public void What_the_broker_refuses_is_due_to_nobody()
    {
        var run = Run();
        var (refused, other) = (Sent(1, "x:1"), Sent(2, "x:2"));
        var toOthers = Expected(run.Sessions[1], refused);
        var unrelated = Expected(run.Sessions[1], other);
        run.Reject(refused);
        Assert.That(
            (refused.IsRejected, other.IsRejected, toOthers.IsDue, unrelated.IsDue),
            Is.EqualTo((true, false, false, true))
        );
    }

    [Test]
    public void The_connection_before_is_the_last_accepted_one_of_the_same_identifier()
    {
        var run = Run();
        Opened(run, 0, "x");
        var accepted = Opened(run, 1, "x");
        Opened(run, 2, "y");
        Opened(run, 3, "x", isAccepted: false);
        run.Connections[4] = new ObservedConnection(4) { IsAccepted = true };
        var present = Opened(run, 5, "x");
        // Where brokers use threads, a CONNACK may come after the one of a later connection.
        Opened(run, 7, "x");
        Assert.That(run.LastAcceptedBefore(present), Is.SameAs(accepted));
        Assert.That(run.LastAcceptedBefore(Opened(run, 6, "z")), Is.Null);
    }

    [TestCase(1, "x", false, false, ExpectedResult = false)]
    [TestCase(2, "x", false, false, ExpectedResult = true)]
    [TestCase(3, "x", false, false, ExpectedResult = false)]
    [TestCase(2, "y", false, false, ExpectedResult = false)]
    [TestCase(2, "x", true, false, ExpectedResult = false)]
    [TestCase(2, "x", false, true, ExpectedResult = false)]
    public bool A_CONNECT_between_two_others_has_no_answer_unless_it_was_accepted_or_refused(
        int number,
        string clientId,
        bool isAccepted,
        bool isRefused
    )
    {
        var run = Run();
        var after = Opened(run, 1, "x", isAccepted: number != 1);
        var before = Opened(run, 3, "x", isAccepted: number != 3);
        if (number == 2)
            Opened(run, 2, clientId, isAccepted).IsRefused = isRefused;
        // A connection without CONNECT asks for nothing.
        run.Connections[9] = new ObservedConnection(2);
        return run.HasUnansweredConnect(after, before);
    }

    private static Assumption TopicsConfused =>
        Assumption.Of(
            new Finding
            {
                Statement = Statements.TopicMatches,
                Circumstances = "",
                Scenario = ScenarioText.Parse("A connect clean", ProtocolVersion.V5, "test"),
                Deviation = new Deviation(Statements.TopicMatches, "", "", 0),
                Names = new ScenarioNames("x"),
                Trace = [],
                Replays = 5,
                Hits = 5,
                FoundWith = 1,
            }
        );

    private static ObservedRun Run(ProtocolVersion version = ProtocolVersion.V5, Assumption? assumption = null) =>
        new(version, new ScenarioNames("x"), 2, assumption ?? Assumption.None);

    private static ObservedConnection Opened(ObservedRun run, int number, string clientId, bool isAccepted = true) =>
        run.Connections[number] = new ObservedConnection(number)
        {
            Connect = new ConnectPacket { ClientId = clientId },
            IsAccepted = isAccepted,
        };

    private static ExpectedDelivery Expected(ClientSession session, Publication publication) =>
        session.Expected[publication] = new ExpectedDelivery(publication) { IsDue = true };

    private static Publication Sent(int number, string payload) =>
        new(
            number,
            0,
            new PublishPacket
            {
                Topic = "x/a",
                Qos = QualityOfService.AtLeastOnce,
                Payload = Bytes.FromText(payload),
            },
            number
        );
}
