using MqttCheck.Broker.Routing;
using MqttCheck.Broker.Sessions;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Topics;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Broker.Routing;

public sealed class RetainedMessagesTests
{
    private static readonly string[] Levels = ["", "a", "b", "$x", "ä"];

    // Messages of all sizes come, expire and go while the store has room for twelve and for 300 bytes.
    [Test]
    public void A_store_keeps_what_has_not_expired_as_long_as_there_is_room_and_finds_it_by_every_filter()
    {
        var random = RandomStream.For(20260105);
        var store = new RetainedMessages(12, 300);
        var kept = new Dictionary<string, Message>();
        for (var now = 0; now < 4000; now++)
        {
            var topic = $"a{Text(ref random, Levels)}";
            kept.Remove(topic);
            if (random.NextInt(3) == 0)
            {
                store.Remove(topic);
            }
            else
            {
                var expires = random.NextInt(3) == 0 ? long.MaxValue : now + random.NextInt(30);
                var message = Message(topic, expires, size: random.NextInt(30));
                var there = kept.Values.Where(other => !other.HasExpired(now)).ToArray();
                var last = store.LastNumber;
                var hasRoom = there.Length < 12 && there.Sum(other => other.Size) + message.Size <= 300;
                Assert.That(
                    (store.Set(topic, message, now), store.LastNumber - last),
                    Is.EqualTo((hasRoom, hasRoom ? 1 : 0))
                );
                if (hasRoom)
                    kept.Add(topic, message);
            }
            var filter = Text(ref random, [.. Levels, "+", "+", "a"]) + (random.NextInt(3) == 0 ? "/#" : "");
            var matching = kept.Values.Where(message => TopicFilter.Matches(filter, message.Publisher)).ToArray();
            Assert.That(
                Find(store, filter, now),
                Is.EquivalentTo(
                    matching.Where(message => !message.HasExpired(now)).Select(message => message.Publisher)
                ),
                filter
            );
            Assert.That(
                matching
                    .Where(message => message.HasExpired(now))
                    .Select(message => store.Find(message.Publisher)?.Message),
                Is.All.Null
            );
        }
        foreach (var topic in kept.Keys)
            store.Remove(topic);
        Assert.That((store.Root.IsEmpty, store.Count), Is.EqualTo((true, 0)));
    }

    // The payload holds the number a message got when it was retained. At any time the scan knows what it has yet to
    // find.
    [Test]
    public void A_scan_finds_what_stays_and_nothing_that_came_later_however_the_store_changes_meanwhile()
    {
        var random = RandomStream.For(20260106);
        for (var round = 0; round < 500; round++)
        {
            var (store, kept, filter) = Filled(ref random);
            var scan = new RetainedScan(store, filter);
            var before = store.LastNumber;
            var atFirst = kept.Where(t => TopicFilter.Matches(filter, t)).ToArray();
            var found = new List<Message>();
            while (!scan.IsDone)
            {
                var visits = 1 + random.NextInt(3);
                scan.Continue(0, ref visits, found);
                var owed = atFirst
                    .Where(t => kept.Contains(t) && NumberOf(store, t) <= before)
                    .Except(found.Select(message => message.Publisher));
                Assert.That(kept.Where(topic => scan.HasYetToFind(store.Find(topic)!, topic)), Is.EquivalentTo(owed));
                for (var i = random.NextInt(3); i > 0; i--)
                    Change(ref random, store, kept);
            }
            var topics = found.Select(m => m.Publisher).ToArray();
            Assert.That(topics, Is.Unique.And.SubsetOf(atFirst));
            Assert.That(found.Select(m => BitConverter.ToInt64(m.Payload)), Is.All.LessThanOrEqualTo(before));
        }
    }

    [Test]
    public void One_continuation_of_a_scan_does_no_more_than_its_steps()
    {
        var store = new RetainedMessages(10_000, 10_000_000);
        for (var i = 0; i < 10_000; i++)
            store.Set($"r/{i}", Message($"r/{i}"), 0);
        var scan = new RetainedScan(store, "#");
        var (found, calls) = (new List<Message>(), 0);
        for (; !scan.IsDone; calls++)
        {
            var (visits, had) = (900, found.Count);
            scan.Continue(0, ref visits, found);
            Assert.That(found.Count - had, Is.LessThanOrEqualTo(100));
        }
        Assert.That((found.Count, calls), Is.EqualTo((10_000, 100)));
    }

    [Test]
    public void Messages_that_expire_and_are_replaced_again_and_again_leave_nothing_behind()
    {
        var store = new RetainedMessages(10, 1_000_000);
        for (var i = 0; i < 100_000; i++)
            store.Set("a", Message("a", expires: 1_000_000 + i), 0);
        Assert.That(store.Count, Is.EqualTo(1));
        Assert.That(store.ExpiryNotes, Is.LessThanOrEqualTo(1003));
    }

    private static (RetainedMessages Store, HashSet<string> Kept, string Filter) Filled(ref RandomStream random)
    {
        var (store, kept) = (new RetainedMessages(1000, 1_000_000), new HashSet<string>());
        for (var i = 0; i < 40; i++)
            Change(ref random, store, kept);
        string[] filters = ["#", "+/#", "a/#", "+/+", "a/+/b", "$x/#"];
        return (store, kept, filters[random.NextInt(filters.Length)]);
    }

    private static void Change(ref RandomStream random, RetainedMessages store, HashSet<string> kept)
    {
        var topic = Text(ref random, Levels);
        if (topic.Length == 0)
            return;
        if (random.NextInt(2) == 0)
        {
            store.Remove(topic);
            kept.Remove(topic);
            return;
        }
        store.Set(topic, Message(topic, number: store.LastNumber + 1), 0);
        kept.Add(topic);
    }

    private static long NumberOf(RetainedMessages store, string topic) => store.Find(topic)!.Number;

    private static string[] Find(RetainedMessages store, string filter, long now)
    {
        var (found, visits) = (new List<Message>(), int.MaxValue);
        new RetainedScan(store, filter).Continue(now, ref visits, found);
        return [.. found.Select(m => m.Publisher)];
    }

    private static string Text(ref RandomStream random, string[] levels)
    {
        var parts = new string[1 + random.NextInt(3)];
        for (var i = 0; i < parts.Length; i++)
            parts[i] = levels[random.NextInt(levels.Length)];
        return string.Join('/', parts);
    }

    private static Message Message(string topic, long expires = long.MaxValue, long number = 0, int size = 8) =>
        new(
            System.Text.Encoding.UTF8.GetBytes(topic),
            default,
            [.. BitConverter.GetBytes(number), .. new byte[size]],
            QualityOfService.AtMostOnce,
            true,
            expires,
            topic
        );
}
