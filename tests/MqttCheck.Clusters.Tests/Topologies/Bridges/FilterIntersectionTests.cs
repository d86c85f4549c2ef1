using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Clusters.Topologies.Bridges;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Clusters.Tests.Topologies.Bridges;

[TestFixture]
internal sealed class FilterIntersectionTests
{
    private static readonly Gen<string> s_filter =
        from depth in Gen.Choose(1, 4)
        from levels in Gen.Elements("a", "b", "+", "$s").ListOf(depth)
        from isOpen in ArbMap.Default.GeneratorFor<bool>()
        select string.Join('/', isOpen ? levels.Take(depth - 1).Append("#") : levels);

    // All topics of up to four levels over the same words, so that the law is checked on every one.
    private static readonly string[] s_topics = [.. Topics(4)];

    [Test]
    public void The_intersection_matches_what_both_filters_match_and_nothing_else() =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(500),
            Prop.ForAll(
                s_filter.ToArbitrary(),
                s_filter.ToArbitrary(),
                (a, b) =>
                {
                    var common = FilterIntersection.Of(a, b);
                    return s_topics
                        .All(topic =>
                            (common is not null && TopicFilter.Matches(common, topic))
                            == (TopicFilter.Matches(a, topic) && TopicFilter.Matches(b, topic))
                        )
                        .Label($"{a} and {b}: {common}");
                }
            )
        );

    private static IEnumerable<string> Topics(int depth)
    {
        string[] words = ["a", "b", "c", "$s"];
        return depth == 1
            ? words
            : words.Concat(Topics(depth - 1).SelectMany(rest => words.Select(word => $"{word}/{rest}"))).Distinct();
    }
}
