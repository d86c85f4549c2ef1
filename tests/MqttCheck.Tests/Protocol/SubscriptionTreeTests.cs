using System.Text;
using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Tests.Protocol;

public sealed class SubscriptionTreeTests
{
    private static readonly Config Config = Config.QuickThrowOnFailure.WithMaxTest(500).WithReplay(20260101, 7);

    [Test]
    public void The_tree_matches_what_its_filters_match_one_by_one()
    {
        var cases =
            from filters in PacketGenerators.Filter.ArrayOf(30)
            from topics in PacketGenerators.Topic.ArrayOf(20)
            from removed in Gen.Choose(0, 29).ArrayOf(15)
            select (filters, topics, removed);
        Check.One(
            Config,
            Prop.ForAll(
                cases.ToArbitrary(),
                c =>
                {
                    var tree = new SubscriptionTree<int>();
                    var present = new Dictionary<int, string>();
                    for (var i = 0; i < c.filters.Length; i++)
                    {
                        Assert.That(tree.Set(Utf8(c.filters[i]), i), Is.True);
                        present.Add(i, c.filters[i]);
                    }
                    foreach (var i in c.removed)
                        Assert.That(tree.Remove(Utf8(c.filters[i]), i), Is.EqualTo(present.Remove(i)));
                    Assert.That(tree.Count, Is.EqualTo(present.Count));
                    foreach (var topic in c.topics)
                    {
                        var expected = present
                            .Where(pair => TopicFilter.Matches(pair.Value, topic))
                            .Select(pair => pair.Key);
                        Assert.That(Match(tree, topic), Is.EquivalentTo(expected), topic);
                    }
                    foreach (var (i, filter) in present)
                        Assert.That(tree.TryGet(Utf8(filter), i, out _) && tree.Remove(Utf8(filter), i), Is.True);
                    Assert.That((tree.Count, tree.IsBare), Is.EqualTo((0, true)));
                }
            )
        );
    }

    [Test]
    public void Filter_matching_agrees_with_the_recursive_definition() =>
        Check.One(
            Config.WithMaxTest(5000),
            Prop.ForAll(
                PacketGenerators.Filter.ToArbitrary(),
                PacketGenerators.Topic.ToArbitrary(),
                (filter, topic) => TopicFilter.Matches(filter, topic) == IsMatch(filter, topic)
            )
        );

    [Test]
    public void An_equal_value_under_the_same_filter_is_replaced()
    {
        var tree = new SubscriptionTree<(string Client, int Qos)>(
            EqualityComparer<(string Client, int Qos)>.Create(
                (a, b) => a.Client == b.Client,
                v => v.Client.GetHashCode(StringComparison.Ordinal)
            )
        );
        for (var i = 0; i < 100; i++)
            Assert.That(tree.Set("a/+"u8, ($"c{i}", 0)), Is.True);
        for (var i = 0; i < 100; i++)
            Assert.That(tree.Set("a/+"u8, ($"c{i}", 1)), Is.False);
        Assert.That(
            (tree.Count, tree.TryGet("a/+"u8, ("c7", 0), out var stored), stored.Qos),
            Is.EqualTo((100, true, 1))
        );
        Assert.That(
            Match(tree, "a/b"),
            Has.Count.EqualTo(100).And.All.Matches<(string Client, int Qos)>(v => v.Qos == 1)
        );
        for (var i = 0; i < 100; i += 2)
            Assert.That(tree.Remove("a/+"u8, ($"c{i}", 0)), Is.True);
        Assert.That(tree.Remove("a/+"u8, ("c0", 0)), Is.False);
        Assert.That(
            Match(tree, "a/b").Select(v => v.Client),
            Is.EquivalentTo(Enumerable.Range(0, 50).Select(i => $"c{2 * i + 1}"))
        );
    }

    [Test]
    public void The_longest_filter_and_topic_do_not_exhaust_the_stack()
    {
        var tree = new SubscriptionTree<int>();
        var slashes = new string('/', 65535);
        tree.Set(Utf8(slashes), 1);
        tree.Set(Utf8(string.Join('/', Enumerable.Repeat("+", 32768))), 2);
        tree.Set(Utf8(slashes[..^1] + "#"), 3);
        Assert.That(Match(tree, slashes), Is.EquivalentTo(new[] { 1, 3 }));
        Assert.That(Match(tree, slashes[..32767]), Is.EquivalentTo(new[] { 2 }));
        Assert.That(tree.Remove(Utf8(slashes), 1), Is.True);
        Assert.That(Match(tree, slashes), Is.EquivalentTo(new[] { 3 }));
    }

    [Test]
    public void Matching_allocates_nothing()
    {
        var tree = new SubscriptionTree<string>();
        foreach (var filter in new[] { "a/b/c", "a/+/c", "#", "a/#", "+/+/+", "x/y" })
            tree.Set(Utf8(filter), filter);
        var counter = default(Counter);
        tree.Match("a/b/c"u8, ref counter);
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < 1000; i++)
            tree.Match("a/b/c"u8, ref counter);
        Assert.That((GC.GetAllocatedBytesForCurrentThread() - before, counter.Count), Is.EqualTo((0, 5 * 1001)));
    }

    private static byte[] Utf8(string text) => Encoding.UTF8.GetBytes(text);

    private static List<T> Match<T>(SubscriptionTree<T> tree, string topic)
        where T : notnull
    {
        var matches = new List<T>();
        tree.Match(Utf8(topic), matches);
        return matches;
    }

    private static bool IsMatch(string filter, string topic)
    {
        if (topic.StartsWith('$') && filter[0] is '+' or '#')
            return topic[0] != '$';
        return IsMatch(filter.Split('/'), topic.Split('/'));

        static bool IsMatch(ReadOnlySpan<string> filter, ReadOnlySpan<string> topic) =>
            filter switch
            {
                [] => topic.IsEmpty,
                ["#"] => true,
                _ when topic.IsEmpty => false,
                [var level, ..] => (level == "+" || level == topic[0]) && IsMatch(filter[1..], topic[1..]),
            };
    }

    private struct Counter : ISubscriptionVisitor<string>
    {
        internal int Count;

        public void Visit(string value) => Count++;
    }
}
