using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Shards;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Shards;

[TestFixture]
internal sealed class ShardLedgerTests
{
    // Whatever is lost, repeated, late or answered twice, and in whatever order: the replications are handed on from
    // the first to the last, each once. FsCheck's seed is printed with a failure.
    [Test]
    public void Every_replication_is_handed_on_once_and_in_order() =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(300),
            Prop.ForAll(
                Gen.Choose(1, 500).Zip(Gen.Choose(1, 9)).Zip(Gen.Choose(0, int.MaxValue)).ToArbitrary(),
                given => Assert.That(Play(given.Item1.Item1, given.Item1.Item2, (ulong)given.Item2), Is.True)
            )
        );

    private static bool Play(int replications, int slots, ulong seed)
    {
        var ledger = new ShardLedger<int>(replications) { Slots = slots };
        var random = RandomStream.For(seed);
        var underWay = new List<Shard>();
        var expected = 0;
        while (!ledger.IsFinished)
        {
            while (underWay.Count < slots && ledger.TryTake(out var taken))
                underWay.Add(taken);
            if (underWay.Count > 0)
            {
                var at = random.NextInt(underWay.Count);
                var shard = underWay[at];
                if (random.NextInt(4) == 0)
                    ledger.Repeat(shard);
                else
                {
                    var wasOpen = ledger.IsOpen(shard);
                    Assert.That(ledger.Complete(shard, shard.First, random.NextInt(400)), Is.EqualTo(wasOpen));
                }
                underWay.RemoveAt(at);
            }
            while (ledger.TryConsume(out var shard, out var result, out var failure))
            {
                Assert.That((shard.First, result, failure), Is.EqualTo((expected, expected, (Exception?)null)));
                expected = shard.End;
            }
        }
        return expected == replications && ledger.Done == replications && ledger.Consumed == replications;
    }

    [Test]
    public void A_shard_lasts_about_a_fifth_of_a_second_once_the_time_of_a_replication_is_known()
    {
        var ledger = new ShardLedger<int>(1_000_000);
        ledger.TryTake(out var first);
        Assert.That(first.Count, Is.EqualTo(1));
        ledger.Complete(first, 0, milliseconds: 2);
        ledger.TryTake(out var second);
        Assert.That(second.Count, Is.EqualTo(100));
    }

    [Test]
    public void The_last_shards_are_short_so_that_all_slots_end_together()
    {
        var ledger = new ShardLedger<int>(100) { Slots = 2 };
        var counts = new List<int>();
        while (ledger.TryTake(out var shard))
        {
            counts.Add(shard.Count);
            ledger.Complete(shard, 0, milliseconds: .001 * shard.Count);
            ledger.TryConsume(out _, out _, out _);
        }
        Assert.That((counts[1], counts[^1], counts.Sum()), Is.EqualTo((24, 1, 100)));
    }

    [Test]
    public void Where_no_end_is_known_little_is_computed_in_vain()
    {
        var ledger = new ShardLedger<int>(null) { Slots = 2 };
        for (var i = 0; i < 200; i++)
        {
            Assert.That(ledger.TryTake(out var shard), Is.True);
            Assert.That(shard.Count, Is.LessThanOrEqualTo(Math.Max(1, ledger.Done / 8)));
            ledger.Complete(shard, 0, milliseconds: .001 * shard.Count);
            ledger.TryConsume(out _, out _, out _);
        }
        Assert.That(ledger.Done, Is.GreaterThan(1000));
    }

    [Test]
    public void Results_that_wait_for_an_earlier_one_are_bounded_in_number_and_in_weight()
    {
        var byNumber = new ShardLedger<int>(1000) { WindowOfSlot = 4 };
        var taken = new List<Shard>();
        while (byNumber.TryTake(out var shard))
            taken.Add(shard);
        Assert.That(taken, Has.Count.EqualTo(4));
        var byWeight = new ShardLedger<int>(1000) { WindowOfSlot = 100, MostHeld = 10 };
        byWeight.TryTake(out var first);
        byWeight.TryTake(out var second);
        byWeight.Complete(second, 0, 1, weight: 11);
        Assert.That(byWeight.TryTake(out _), Is.False);
        byWeight.Complete(first, 0, 1, weight: 1);
        byWeight.TryConsume(out _, out _, out _);
        byWeight.TryConsume(out _, out _, out _);
        Assert.That(byWeight.TryTake(out _), Is.True);
    }

    [Test]
    public void After_a_failure_no_further_shard_is_cut_and_it_is_told_in_its_turn()
    {
        var ledger = new ShardLedger<int>(1000) { Slots = 2 };
        ledger.TryTake(out var first);
        ledger.TryTake(out var second);
        ledger.Fail(second, new InputException("no"));
        Assert.That((ledger.TryTake(out _), ledger.TryConsume(out _, out _, out _)), Is.EqualTo((false, false)));
        ledger.Complete(first, 7, 1);
        ledger.TryConsume(out _, out var result, out _);
        Assert.That(result, Is.EqualTo(7));
        ledger.TryConsume(out _, out _, out var failure);
        Assert.That(failure, Is.TypeOf<InputException>());
    }
}
