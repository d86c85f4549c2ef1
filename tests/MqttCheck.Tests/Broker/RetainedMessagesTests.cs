using MqttCheck.Broker;
using MqttCheck.Protocol;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Broker;

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
            if (topic.Length == 0) continue;
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
            var filter = Text(ref random, [.. Levels, "+", "+"]) is var text && random.NextInt(3) == 0 ? text + "/#" : text;
            if (filter.Length == 0) continue;
            var found = new List<Message>();
            store.Match(filter, 0, found);
            Assert.That(found.Select(m => m.Publisher), Is.EquivalentTo(topics.Where(t => TopicFilter.Matches(filter, t))), filter);
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
        var store = new RetainedMessages(100, 10);
        Assert.That(store.Set("123456", Message("123456"), 0), Is.True);
        Assert.That(store.Set("12345", Message("12345"), 0), Is.False);
        store.Remove("123456");
        Assert.That(store.Set("12345", Message("12345"), 0), Is.True);
    }

    private static string Text(ref RandomStream random, string[] levels)
    {
        var parts = new string[1 + random.NextInt(3)];
        for (var i = 0; i < parts.Length; i++) parts[i] = levels[random.NextInt(levels.Length)];
        return string.Join('/', parts);
    }

    private static Message Message(string topic, long expires = long.MaxValue) =>
        new(System.Text.Encoding.UTF8.GetBytes(topic), default, default, QualityOfService.AtMostOnce, true, expires, topic);
}
