using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Monitors.Messages;
using MqttCheck.Clusters.Properties.Histories;
using MqttCheck.Clusters.Tests.Monitors;

namespace MqttCheck.Clusters.Tests.Properties.Histories;

/// <summary>The fate of each message of a run.</summary>
[TestFixture]
internal sealed class RunHistoryTests
{
    private const long Settle = 1000 * EventTape.Millisecond;

    [Test]
    public void A_message_that_came_once_within_the_settling_time_is_in_time() =>
        Assert.That(
            FateOf(Tape().Published(5000, 1, "t", client: 0).Delivered(6000, 1, 1)),
            Is.EqualTo(MessageFate.InTime)
        );

    [Test]
    public void A_message_that_came_after_the_settling_time_is_late() =>
        Assert.That(
            FateOf(Tape().Published(5000, 1, "t", client: 0).Delivered(6001, 1, 1)),
            Is.EqualTo(MessageFate.Late)
        );

    [Test]
    public void A_message_that_came_twice_is_repeated() =>
        Assert.That(
            FateOf(Tape().Published(5000, 1, "t", client: 0).Delivered(5010, 1, 1).Delivered(5020, 1, 1)),
            Is.EqualTo(MessageFate.Repeated)
        );

    [Test]
    public void An_acknowledged_message_that_never_came_is_lost() =>
        Assert.That(FateOf(Tape().Published(5000, 1, "t", client: 0)), Is.EqualTo(MessageFate.Lost));

    [Test]
    public void What_nobody_promised_and_what_nobody_subscribed_to_is_unknown()
    {
        Assert.That(
            FateOf(Tape().Published(5000, 1, "t", client: 0, isAcknowledged: false)),
            Is.EqualTo(MessageFate.Unknown)
        );
        Assert.That(FateOf(Tape().Published(5000, 1, "t", qos: 0, client: 0)), Is.EqualTo(MessageFate.Unknown));
        Assert.That(FateOf(Tape().Published(5000, 1, "other", client: 0)), Is.EqualTo(MessageFate.Unknown));
        Assert.That(
            FateOf(new EventTape().Subscribed(4500, 1, "t").Published(5000, 1, "t")),
            Is.EqualTo(MessageFate.Unknown)
        );
    }

    [Test]
    public void A_message_with_two_readers_has_the_worst_of_their_fates()
    {
        var tape = Tape().Subscribed(0, 2, "t").Published(5000, 1, "t", client: 0).Delivered(5010, 1, 1);
        Assert.That(FateOf(tape), Is.EqualTo(MessageFate.Lost));
        Assert.That(FateOf(tape.Delivered(7000, 1, 2)), Is.EqualTo(MessageFate.Late));
    }

    [Test]
    public void A_message_keeps_its_publisher_its_number_and_its_times()
    {
        var tape = Tape()
            .Published(5000, 8, "t", client: 0, node: 1, isAcknowledged: false)
            .Published(6000, 7, "t", client: 0, node: 1, isAcknowledged: false)
            .Acknowledged(6003, 7, client: 0, node: 1)
            .Delivered(6005, 7, 1);
        var message = Of(tape).Messages[1];
        Assert.That(
            message,
            Is.EqualTo(
                new SentMessage(
                    0,
                    2,
                    1,
                    6000 * EventTape.Millisecond,
                    6003 * EventTape.Millisecond,
                    MessageFate.InTime,
                    6005 * EventTape.Millisecond
                )
            )
        );
    }

    [Test]
    public void What_was_published_before_the_start_warms_up_and_keeps_its_number()
    {
        var tape = Tape().Published(1000, 1, "t", client: 0).Published(5000, 2, "t", client: 0);
        var history = Of(tape, start: 3000 * EventTape.Millisecond);
        Assert.That(history.Published, Is.EqualTo(1));
        Assert.That(history.Messages.Single().Number, Is.EqualTo(2));
        Assert.That(history.Messages.Single().SentNanoseconds, Is.EqualTo(2000 * EventTape.Millisecond));
    }

    [Test]
    public void Losses_are_told_apart_by_when_they_were_published()
    {
        var tape = Tape().Fault(10_000, 12_000, node: 0).Restored(14_000, node: 0);
        foreach (var (message, at) in ((long, long)[])[(1, 9500), (2, 11_000), (3, 13_000), (4, 14_500), (5, 30_000)])
            tape.Published(at, message, "t", client: 0);
        var history = Of(tape);
        Assert.That(
            history.Lost,
            Is.EqualTo(new LostMessages(Meanwhile: 1, BeforeBridges: 1, Near: 2, ReaderAway: 0, Away: 1))
        );
        Assert.That((history.Published, history.Acknowledged), Is.EqualTo((5, 5)));
    }

    [Test]
    public void A_loss_away_from_faults_tells_whether_its_reader_was_there()
    {
        var tape = Tape()
            .Connected(0, client: 1, node: 0)
            .Disconnected(5000, client: 1, node: 0)
            .Published(5000, 1, "t", client: 0)
            .Published(6999, 2, "t", client: 0)
            .Connected(7000, client: 1, node: 1)
            .Published(7000, 3, "t", client: 0);
        Assert.That(Of(tape).Lost, Is.EqualTo(default(LostMessages) with { ReaderAway = 2, Away = 1 }));
    }

    // False alarms: none, since this is arithmetic.
    [Test]
    public void Every_message_is_in_one_bin_and_no_lost_one_is_without_a_mark() =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(200),
            Prop.ForAll(
                Gen.Choose(0, 60_000)
                    .SelectMany(at =>
                        Gen.Choose(0, 4).SelectMany(fate => Gen.Choose(0, 3).Select(node => (at, fate, node)))
                    )
                    .ListOf()
                    .ToArbitrary(),
                drawn =>
                {
                    var bins = new FateBins(4, 60_000 * EventTape.Millisecond);
                    SentMessage[] messages =
                    [
                        .. drawn.Select(one => new SentMessage(
                            0,
                            1,
                            one.node,
                            one.at * EventTape.Millisecond,
                            null,
                            (MessageFate)one.fate,
                            null
                        )),
                    ];
                    foreach (var message in messages)
                        bins.Add(message);
                    return Sum(bins) == messages.Length
                        && Array.TrueForAll(
                            messages,
                            message => bins.Of(message.Node, message.Fate)[bins.ColumnOf(message)] > 0
                        );
                }
            )
        );

    [Test]
    public void Of_very_many_messages_the_lost_ones_are_kept_and_all_are_counted()
    {
        var tape = Tape();
        for (var message = 0; message < RunHistory.MostKept + 500; message++)
        {
            tape.Published(5000 + message, message, "t", client: 0);
            if (message % 100 != 99)
                tape.Delivered(5001 + message, message, 1);
        }
        var history = Of(tape);
        Assert.That(history.Published, Is.EqualTo(RunHistory.MostKept + 500));
        Assert.That(history.Messages, Has.Count.EqualTo(RunHistory.MostKept));
        Assert.That(history.Messages.Count(message => message.Fate == MessageFate.Lost), Is.EqualTo(105));
        Assert.That(history.CountOf(MessageFate.Lost), Is.EqualTo(105));
        Assert.That(history.CountOf(MessageFate.InTime), Is.EqualTo(RunHistory.MostKept + 395));
        Assert.That(history.Messages, Is.Ordered.By(nameof(SentMessage.SentNanoseconds)));
    }

    private static int Sum(FateBins bins)
    {
        var sum = 0;
        for (var node = 0; node < bins.Nodes; node++)
            foreach (var fate in Enum.GetValues<MessageFate>())
            foreach (var count in bins.Of(node, fate))
                sum += count;
        return sum;
    }

    private static EventTape Tape() => new EventTape().Subscribed(0, 1, "t");

    private static MessageFate FateOf(EventTape tape) => Of(tape).Messages.Single().Fate;

    private static RunHistory Of(EventTape tape, long start = 0)
    {
        var book = new MessageBook(EventTape.Names, new(["p"], ["s", "s"]), start);
        var ledger = new SettledDeliveries(Settle);
        foreach (var one in tape.InOrder())
        {
            book.Add(one);
            ledger.Add(one);
        }
        return RunHistory.Of(book, ledger.Pairs(), Settle, EventTape.Names.Length);
    }
}
