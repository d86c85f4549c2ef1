using MqttCheck.ClusterProtocols.Interest;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.ClusterProtocols.SpanningTree;
using MqttCheck.ClusterProtocols.Tests.Simulation;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Systems;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.ClusterProtocols.Tests.Overlays;

[TestFixture]
internal sealed class TopicOverlayCoreTests
{
    [Test]
    public void A_message_touches_the_members_of_its_topic_alone()
    {
        var run = ThreeMembers();
        for (var second = 12; second < 20; second++)
            run.Publish(second, 1 + (2 * (second % 3)), "t");
        run.Simulate(25);
        Assert.Multiple(() =>
        {
            Assert.That(run.Of(ClusterEventKind.Sent).Count(), Is.EqualTo(8 * 2), "a tree of three has two links");
            Assert.That(
                run.Of(ClusterEventKind.Sent),
                Is.All.Matches<ClusterEvent>(e => e.Node is 0 or 2 or 4 && e.Peer is 0 or 2 or 4)
            );
            Assert.That(run.Receivers(), Is.EqualTo(string.Join(' ', Enumerable.Repeat("1,3,5", 8))));
        });
    }

    // All five are members and have equally many clients: only the trees that a node roots already tell them apart.
    [TestCase(RootRule.Capacity, "1 1 1")]
    [TestCase(RootRule.Balance, "1 2 3")]
    public void Three_topics_that_appear_one_after_another_have_these_roots(RootRule rule, string roots)
    {
        var run = new OverlayRun(rule);
        for (var topic = 0; topic < 3; topic++)
        for (var node = 1; node <= 5; node++)
            run.Subscribe(5 + (10 * topic), node, $"t/{topic}");
        run.Simulate(40);
        var found = Enumerable.Range(0, 3).Select(topic => run.RootsOf($"t/{topic}")).ToList();
        Assert.That(found, Is.All.Matches<int[]>(all => all.Length == 5 && all.Distinct().Count() == 1));
        Assert.That(string.Join(' ', found.Select(all => all[0])), Is.EqualTo(roots));
    }

    // Node 1 has two clients, the others one; all have the same filters.
    [TestCase(1, 1, false, "2 3 4")]
    [TestCase(1, 0, false, "1 2 3")]
    [TestCase(0, 1, false, "2 2 2")]
    [TestCase(1, 1, true, "1 2 3")]
    public void Weights_of_trees_and_clients_decide_the_root(double gamma, double delta, bool counts, string roots)
    {
        var run = new OverlayRun(RootRule.Balance)
        {
            Balance = new RootBalance
            {
                Gamma = gamma,
                Delta = delta,
                CountsFilters = counts,
            },
        };
        run.SubscribeAs(client: 11, 5, 1, "t/0");
        for (var topic = 0; topic < 3; topic++)
        for (var node = 1; node <= 5; node++)
            run.Subscribe(5 + (10 * topic), node, $"t/{topic}");
        run.Simulate(40);
        Assert.That(
            string.Join(' ', Enumerable.Range(0, 3).Select(topic => run.RootsOf($"t/{topic}").Distinct().Single())),
            Is.EqualTo(roots)
        );
    }

    [Test]
    public void A_subscriber_with_a_wildcard_joins_each_topic_that_it_hears_of()
    {
        var run = new OverlayRun()
            .Subscribe(5, 4, "plant/+/heat")
            .Publish(10, 2, "plant/1/heat")
            .Publish(10, 3, "plant/1/cold")
            .Publish(20, 2, "plant/1/heat")
            .Simulate(30);
        Assert.That(run.Receivers(), Is.EqualTo("4  4"));
    }

    // The publisher's node is no member before, and no member knows it before its own next ping.
    [Test]
    public void The_first_publication_waits_until_the_members_agree_and_arrives()
    {
        for (var seed = 1UL; seed <= 20; seed++)
        {
            var run = ThreeMembers()
                .Publish(12 + (0.1 * seed), 2, "t")
                .Publish(12.01 + (0.1 * seed), 1, "t")
                .Simulate(20, seed);
            Assert.That(run.Receivers(), Is.EqualTo("1,3,5 1,3,5"));
        }
    }

    [Test]
    public void At_most_100_messages_of_a_topic_wait_and_the_oldest_are_dropped_with_a_note()
    {
        var run = new OverlayRun().Subscribe(5, 1, "t");
        for (var message = 0; message < 130; message++)
            run.Publish(12 + (0.001 * message), 2, "t");
        run.Simulate(20);
        Assert.That(run.Of(ClusterEventKind.Delivered).Count(), Is.EqualTo(100));
        Assert.That(run.Of(ClusterEventKind.Dropped).Count(e => e.Value == (long)DropReason.HoldFull), Is.EqualTo(30));
    }

    [TestCase(FaultKind.Kill, 25)]
    [TestCase(FaultKind.Stop, 15.1)]
    public void A_member_that_is_gone_leaves_the_others_with_a_tree_and_comes_back_as_another_process(
        FaultKind kind,
        double seconds
    )
    {
        var run = ThreeMembers()
            .Publish(12, 3, "t")
            .Fault(15, kind, 1)
            .Publish(seconds, 3, "t")
            .Fault(30, FaultKind.Join, 1)
            .Publish(45, 3, "t")
            .Simulate(50);
        Assert.That((run.Receivers(), run.RootsOf("t")), Is.EqualTo(("1,3,5 3,5 1,3,5", (int[])[1, 1, 1])));
    }

    // Its message waits for members to agree that do not know of each other yet.
    [Test]
    public void A_member_that_leaves_in_order_hands_on_what_waits_first()
    {
        for (var seed = 1UL; seed <= 20; seed++)
        {
            var run = ThreeMembers()
                .Publish(12 + (0.1 * seed), 2, "t")
                .Fault(12.001 + (0.1 * seed), FaultKind.Stop, 2)
                .Publish(20, 5, "t")
                .Simulate(25, seed);
            Assert.That(run.Receivers(), Is.EqualTo("1,3,5 1,3,5"), $"seed {seed}");
        }
    }

    // On a busy machine links seem short now and long then, so that the tree comes and goes on them.
    [Test]
    public void While_the_tree_changes_often_a_message_crosses_a_link_once_and_comes_everywhere()
    {
        var changes = 0;
        for (var seed = 1UL; seed <= 20; seed++)
        {
            var run = new OverlayRun { Delay = new ExponentialLaw(40) };
            for (var node = 1; node <= 5; node++)
                run.Subscribe(5, node, "t");
            for (var message = 0; message < 200; message++)
                run.Publish(12 + (0.02 * message), 2, "t");
            run.Simulate(25, seed);
            changes += run.Of(ClusterEventKind.TopicParentChanged).Count(e => e.Nanoseconds > 12 * Graphs.Second);
            Assert.That(
                run.Of(ClusterEventKind.Sent).GroupBy(e => (e.Message, e.Node, e.Peer)).Max(group => group.Count()),
                Is.EqualTo(1),
                $"seed {seed}"
            );
            Assert.That(run.Receivers().Split(' '), Is.All.EqualTo("1,2,3,4,5"), $"seed {seed}");
        }
        Assert.That(changes, Is.Positive);
    }

    // Roots count only while the members are the same, so a root changes only with them.
    [Test]
    public void Root_balance_never_oscillates()
    {
        var changes = Churn(runs: 150, OverlayMutant.None);
        Assert.That(changes, Is.All.Matches<(int Roots, int Members)>(count => count.Roots <= count.Members));
        Assert.That(changes.Sum(count => count.Roots), Is.GreaterThan(150));
    }

    [Test]
    [Category("Whole")]
    public void Root_balance_never_oscillates_in_10_000_runs() =>
        Assert.That(
            Churn(runs: 10_000, OverlayMutant.None),
            Is.All.Matches<(int Roots, int Members)>(count => count.Roots <= count.Members)
        );

    [Test]
    public void Without_frozen_counts_roots_change_while_the_members_stay() =>
        Assert.That(
            Churn(runs: 20, OverlayMutant.RootsNotFrozen),
            Has.Some.Matches<(int Roots, int Members)>(count => count.Roots > count.Members)
        );

    private static OverlayRun ThreeMembers()
    {
        var run = new OverlayRun();
        foreach (var node in (int[])[1, 3, 5])
            run.Subscribe(5, node, "t");
        return run;
    }

    // How often the root and the members changed, for each run, node and topic.
    private static List<(int Roots, int Members)> Churn(int runs, OverlayMutant mutant)
    {
        var counts = new List<(int, int)>();
        for (var number = 0; number < runs; number++)
        {
            var random = RandomStream.For(30, 34, (ulong)number);
            var run = new OverlayRun(RootRule.Balance) { Mutant = mutant };
            // Some topics begin together, which is where roots without freezing would chase each other.
            for (var node = 1; node <= 5; node++)
            for (var topic = 0; topic < 3; topic++)
                if (random.NextInt(4) > 0)
                    run.Subscribe(5, node, $"t/{topic}");
            for (var change = 0; change < 8; change++)
            {
                var (node, topic) = (1 + random.NextInt(5), $"t/{random.NextInt(3)}");
                if (random.NextInt(2) == 0)
                    run.Unsubscribe(8 + (15 * random.NextDouble()), node, topic);
                else
                    run.Publish(8 + (15 * random.NextDouble()), node, topic);
            }
            run.Simulate(28, (ulong)number);
            counts.AddRange(
                from e in run.Events
                where e.Kind is ClusterEventKind.TopicRootChanged or ClusterEventKind.TopicMembersChanged
                group e by (e.Node, e.Topic) into of
                select (
                    of.Count(e => e.Kind == ClusterEventKind.TopicRootChanged),
                    of.Count(e => e.Kind == ClusterEventKind.TopicMembersChanged)
                )
            );
        }
        return counts;
    }
}
