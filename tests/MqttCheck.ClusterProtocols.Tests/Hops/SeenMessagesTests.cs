using FsCheck;
using FsCheck.Fluent;
using MqttCheck.ClusterProtocols.Hops;

namespace MqttCheck.ClusterProtocols.Tests.Hops;

[TestFixture]
internal sealed class SeenMessagesTests
{
    [Test]
    public void It_behaves_like_a_set_within_its_window() =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(200).WithEndSize(300).WithReplay(20261124, 27),
            Prop.ForAll(ArbMap.Default.ArbFor<int[]>(), CompareWithSet)
        );

    [Test]
    public void What_is_older_than_the_window_counts_as_seen()
    {
        var seen = new SeenMessages(1);
        seen.Add(Message(0, 1, 100_000));
        Assert.Multiple(() =>
        {
            Assert.That(seen.Contains(Message(0, 1, 100_000 - SeenMessages.Window)), Is.True);
            Assert.That(seen.Contains(Message(0, 1, 100_001 - SeenMessages.Window)), Is.False);
            Assert.That(seen.Contains(Message(0, 1, 100_001)), Is.False);
            // Another process of the origin counts anew.
            Assert.That(seen.Contains(Message(0, 2, 5)), Is.False);
        });
    }

    [Test]
    public void Nothing_is_left_when_a_process_begins()
    {
        var seen = new SeenMessages(2);
        for (var counter = 0; counter < 200_000; counter += 7)
            seen.Add(Message(1, 1, counter));
        seen.Begin(0, 1);
        for (var counter = 0; counter < 200_000; counter += 7)
            Assert.That(seen.Contains(Message(1, 1, counter)), Is.False);
    }

    [Test]
    public void Messages_of_an_earlier_process_of_the_node_itself_are_told_apart()
    {
        var seen = new SeenMessages(2);
        seen.Begin(1, 7);
        Assert.Multiple(() =>
        {
            Assert.That(
                (seen.IsOfEarlierProcess(Message(1, 6, 0)), seen.IsOfEarlierProcess(Message(1, 7, 0))),
                Is.EqualTo((true, false))
            );
            // Which process of another node it is says nothing about what this one knows.
            Assert.That(seen.IsOfEarlierProcess(Message(0, 6, 0)), Is.False);
        });
    }

    private static void CompareWithSet(int[] steps)
    {
        var seen = new SeenMessages(3);
        var set = new HashSet<(int, ulong, long)>();
        var highest = new Dictionary<(int, ulong), long>();
        foreach (var step in steps)
        {
            var number = Math.Abs((long)step);
            var (origin, incarnation) = ((int)(number % 3), (ulong)(number / 3 % 2));
            // Mostly near the front, sometimes a jump ahead.
            var front = highest.GetValueOrDefault((origin, incarnation), 0);
            var counter = Math.Max(0, front + (number % 17) - 10 + (number % 29 == 0 ? 70_000 : 0));
            var message = Message(origin, incarnation, counter);
            var isOld = highest.TryGetValue((origin, incarnation), out var top) && counter <= top - SeenMessages.Window;
            Assert.That(
                seen.Contains(message),
                Is.EqualTo(isOld || set.Contains((origin, incarnation, counter))),
                $"{message}"
            );
            seen.Add(message);
            set.Add((origin, incarnation, counter));
            highest[(origin, incarnation)] = Math.Max(counter, highest.GetValueOrDefault((origin, incarnation), -1));
        }
    }

    private static RoutedMessage Message(int origin, ulong incarnation, long counter) =>
        new()
        {
            Origin = origin,
            Incarnation = incarnation,
            Counter = counter,
            Topic = "t",
        };
}
