using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Profiles;
using MqttCheck.Profiles.Behaviours;
using MqttCheck.Protocol.Topics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Tests.Profiles.Behaviours;

/// <summary>The numbers of topics and filters, and which belong together.</summary>
internal sealed class TopicSpaceTests
{
    [Test]
    public void Groups_with_one_name_share_their_topics_and_others_do_not()
    {
        var space = TopicSpace.Of(Of(Named("a/{topic}", 3), Named("b/{topic}", 2), Named("a/{topic}", 5)), 9);

        Assert.That(
            Enumerable.Range(0, space.Topics).Select(space.NameOf),
            Is.EqualTo(new[] { "a/0", "a/1", "a/2", "a/3", "a/4", "b/0", "b/1" })
        );
        Assert.That(
            Enumerable.Range(0, 3).Select(group => space.OfGroup(group).Publish),
            Is.EqualTo(new[] { 0, 5, 0 })
        );
    }

    [Test]
    public void Each_client_has_topics_of_its_own_named_by_its_number_in_the_run()
    {
        // Clients take turns: 0 and 2 are of the first group, 1 and 3 of the second.
        var space = TopicSpace.Of(Of(Named("x/{topic}", 1), Named("own/{client}/{topic}", 2)), 4);

        Assert.That(
            Enumerable.Range(0, space.Topics).Select(space.NameOf),
            Is.EqualTo(new[] { "x/0", "own/1/0", "own/1/1", "own/3/0", "own/3/1" })
        );
        Assert.That((space.RankOf(3), space.OfGroup(1).Publish, space.OfGroup(1).PublishStride), Is.EqualTo((1, 1, 2)));
    }

    [Test]
    public void A_first_message_at_the_topic_of_a_group_has_its_number()
    {
        var profile = Named("own/{client}", 1);
        var space = TopicSpace.Of(
            Of(profile with { AfterConnect = new("own/{client}") }, profile with { AfterConnect = new("hello") }),
            4
        );

        Assert.That((space.OfGroup(0).First, space.OfGroup(0).FirstStride), Is.EqualTo((space.OfGroup(0).Publish, 1)));
        Assert.That((space.NameOf(space.OfGroup(1).First), space.OfGroup(1).FirstStride), Is.EqualTo(("hello", 0)));
    }

    [Test]
    public void A_plain_population_keeps_the_numbers_that_it_always_had()
    {
        foreach (var name in new[] { "up1", "up2", "population" })
        {
            var population = ProfileFile.Read(name);
            var space = TopicSpace.Of(population, 20);
            Assert.That(
                (space.Topics, space.Numbers, space.Filters),
                Is.EqualTo((population.Topics, population.Topics, (object?)null))
            );
            Assert.That(space.OfGroup(0), Is.EqualTo(GroupTopics.Shared(population.Groups[0].Profile)));
        }
    }

    // Topics and filters of three levels with few words each, so that many match. 200 cases, seed as printed.
    [Test]
    public void A_filter_stands_for_the_topics_that_match_it()
    {
        var level = Gen.Elements("a", "b", "{client}", "+");
        var filters =
            from one in level
            from two in level
            from end in Gen.Elements("/#", "/+", "/a", "/{client}", "")
            select $"{one}/{two}{end}";
        var names = Gen.Elements("a/b/{topic}", "a/{client}", "b/{client}/a", "{client}/a/{topic}");
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(200),
            Prop.ForAll(
                Gen.Zip(filters, names).ToArbitrary(),
                pair =>
                {
                    var hub = Named("hub/{topic}", 1) with { Filters = [pair.Item1], Weights = new(1, 0, 0, 1, 0) };
                    var topics = pair.Item2.Contains("{topic}", StringComparison.Ordinal) ? 2 : 1;
                    var space = TopicSpace.Of(Of(Named(pair.Item2, topics), hub), 6);
                    foreach (var (number, covered) in space.Filters!)
                    {
                        var expected = Enumerable
                            .Range(0, space.Topics)
                            .Where(topic => TopicFilter.Matches(space.NameOf(number), space.NameOf(topic)))
                            .ToList();
                        Assert.That(covered, Is.EqualTo(expected));
                        Assert.That(
                            Enumerable.Range(0, space.Topics).Where(topic => space.Covers(number, topic)),
                            Is.EqualTo(expected)
                        );
                    }
                }
            )
        );
    }

    private static UsageProfile Named(string name, int topics) =>
        new()
        {
            Name = "p",
            WaitMilliseconds = new ConstantLaw(1),
            Weights = new(1, 0, 1, 0, 0),
            TopicName = name,
            Topics = topics,
        };

    private static Population Of(params UsageProfile[] profiles) =>
        new() { Name = "p", Groups = [.. profiles.Select((profile, at) => new ClientGroup($"g{at}", 1, profile))] };
}
