using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Clusters.Monitors;

namespace MqttCheck.Clusters.Tests.Monitors;

[TestFixture]
internal sealed class OrderMonitorTests
{
    [Test]
    public void Arrivals_are_in_order_exactly_where_their_permutation_never_falls() =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(300),
            Prop.ForAll(
                Gen.Choose(1, 8).SelectMany(count => Gen.Shuffle(Enumerable.Range(0, count).ToArray())).ToArbitrary(),
                order =>
                {
                    var tape = new EventTape();
                    for (var message = 0; message < order.Length; message++)
                        tape.Published(message, message, "t");
                    for (var place = 0; place < order.Length; place++)
                        tape.Delivered(100 + place, order[place], client: 1);
                    // A message is late when a later one came before it.
                    var late = Enumerable
                        .Range(0, order.Length)
                        .Count(place => order.Take(place).Any(one => one > order[place]));
                    return tape.Play(new OrderMonitor()).ViolationCount == late;
                }
            )
        );

    [Test]
    public void Other_topics_publishers_and_subscribers_have_orders_of_their_own_and_repeats_do_not_count()
    {
        var tape = new EventTape()
            .Published(0, 1, "t")
            .Published(1, 2, "u")
            .Published(2, 3, "t", client: 101)
            .Published(3, 4, "t", qos: 2)
            .Published(4, 5, "t");
        tape.Delivered(10, 5, client: 2).Delivered(11, 4, client: 1).Delivered(12, 3, client: 1);
        tape.Delivered(13, 2, client: 1)
            .Delivered(14, 1, client: 1)
            .Delivered(15, 5, client: 1)
            .Delivered(16, 1, client: 1);
        Assert.That(tape.Play(new OrderMonitor()).Violations, Is.Empty);
    }
}
