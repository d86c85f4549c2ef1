using MqttCheck.Broker.Routing;
using MqttCheck.Broker.Sessions;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Topics;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Broker.Routing;

public sealed class RetainedMessagesTests
{
    private static readonly string[] Levels = ["", "a", "b", "$x", "ä"];

    [Test]
    public void Matching_agrees_with_the_filter_rules_for_every_topic()
    {
        var random = RandomStream.For(20260105);
        var store = new RetainedMessages(1000, 1_000_000);
        var topics = new HashSet<string>();
        for (var i = 0; i < 2000; i++)
        {
            var topic = Text(ref random, Levels);
            if (topic.Length == 0)
                continue;
            if (random.NextInt(3) == 0)
            {
                store.Remove(topic);
                topics.Remove(topic);
            }
            else
            {
                Assert.That(store.Set(topic, Message(topic), 0), Is.True);
                topics.Add(topic);
            }
            Assert.That(store.Count, Is.EqualTo(topics.Count));
            var filter =
                Text(ref random, [.. Levels, "+", "+"]) is var text && random.NextInt(3) == 0 ? text + "/#" : text;
            if (filter.Length == 0)
                continue;
            Assert.That(
                Find(store, filter, 0),
                Is.EquivalentTo(topics.Where(t => TopicFilter.Matches(filter, t))),
                filter
            );
        }
    }

    [Test]
    public void A_full_store_takes_a_message_only_where_it_replaces_one_or_another_has_expired()
    {
        var store = new RetainedMessages(2, 1_000_000);
        Assert.That(store.Set("a", Message("a", expires: 10), 0) && store.Set("b", Message("b"), 0), Is.True);
        Assert.That(store.Set("c", Message("c"), 9), Is.False);
        Assert.That(store.Set("b", Message("b"), 9), Is.True);
        Assert.That(store.Set("c", Message("c"), 10), Is.True);
        Assert.That(store.Count, Is.EqualTo(2));
    }

    [Test]
    public void The_bytes_of_a_store_are_bounded()
    {
        var store = new RetainedMessages(100, 18);
        Assert.That(store.Set("123456", Message("123456"), 0), Is.True);
        Assert.That(store.Set("12345", Message("12345"), 0), Is.False);
        store.Remove("123456");
        Assert.That(store.Set("12345", Message("12345"), 0), Is.True);
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

    private static Message Message(string topic, long expires = long.MaxValue, long number = 0) =>
        new(
            System.Text.Encoding.UTF8.GetBytes(topic),
            default,
            BitConverter.GetBytes(number),
            QualityOfService.AtMostOnce,
            true,
            expires,
            topic
        );
}
