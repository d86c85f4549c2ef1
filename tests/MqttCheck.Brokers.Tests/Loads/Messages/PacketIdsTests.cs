using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Brokers.Loads.Messages;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Tests.Loads.Messages;

public sealed class PacketIdsTests
{
    [Test]
    public void Identifiers_begin_at_1_and_those_returned_are_used_again()
    {
        var ids = new PacketIds();
        Assert.That((ids.Take(10), ids.Take(11), ids.Take(12)), Is.EqualTo(((ushort)1, (ushort)2, (ushort)3)));
        ids.Return(2);
        Assert.That(
            (ids.TryFind(2, out _), ids.Take(13), ids.TryFind(2, out var number), number),
            Is.EqualTo((false, 2, true, 13))
        );
    }

    [Test]
    public void All_65535_identifiers_can_be_in_use()
    {
        var ids = new PacketIds();
        for (var number = 0; number < ushort.MaxValue; number++)
            Assert.That(ids.Take(number), Is.EqualTo(number + 1));
        Assert.That((ids.TryFind(ushort.MaxValue, out var last), last), Is.EqualTo((true, ushort.MaxValue - 1)));
    }

    [Test]
    public void It_agrees_with_a_dictionary()
    {
        var property = Prop.ForAll(
            Gen.Choose(0, int.MaxValue - 1).ToArbitrary(),
            seed =>
            {
                var random = RandomStream.For((ulong)seed);
                var (ids, model) = (new PacketIds(), new Dictionary<ushort, long>());
                for (var step = 0; step < 200; step++)
                {
                    if (random.NextInt(100) == 0)
                    {
                        ids.Clear();
                        model.Clear();
                    }
                    if (model.Count == 0 || random.NextInt(2) == 0)
                    {
                        var id = ids.Take(step);
                        Assert.That(model.TryAdd(id, step), Is.True, "an identifier in use was given out");
                        Assert.That(id, Is.Positive);
                    }
                    else
                    {
                        var id = model.Keys.ElementAt(random.NextInt(model.Count));
                        ids.Return(id);
                        model.Remove(id);
                    }
                    for (ushort id = 0; id < 20; id++)
                    {
                        Assert.That(
                            ids.TryFind(id, out var number),
                            Is.EqualTo(model.TryGetValue(id, out var expected))
                        );
                        if (model.ContainsKey(id))
                            Assert.That(number, Is.EqualTo(expected));
                    }
                }
            }
        );
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(50).WithReplay(4712UL, 1UL), property);
    }
}
