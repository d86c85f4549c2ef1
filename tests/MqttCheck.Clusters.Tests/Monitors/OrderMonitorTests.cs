using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Monitors.Messages;
using MqttCheck.Clusters.Topologies.Files;

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

    [TestCase("bridge-pair", true)]
    [TestCase("aedes-redis-2", false)]
    public void A_late_message_decides_where_the_system_promises_order_and_is_reported_elsewhere(
        string topologyName,
        bool isPromised
    )
    {
        var tape = Late();
        Assert.That(Judge(tape, topologyName).Select(one => one.ViolationCount), Is.EqualTo(Counts(isPromised)));
    }

    [Test]
    public void A_late_message_at_its_own_broker_decides_in_every_system()
    {
        var tape = Late();
        for (var index = 0; index < tape.Events.Count; index++)
            tape.Events[index] = tape.Events[index] with { Node = 0 };
        Assert.That(Judge(tape, "aedes-redis-2").Select(one => one.ViolationCount), Is.EqualTo(Counts(decides: true)));
    }

    [TestCase(5000, 6000, false)]
    [TestCase(5000, null, false)]
    [TestCase(2000, 3000, true)]
    [TestCase(20_000, null, true)]
    public void A_late_message_near_a_fault_is_reported(int begin, int? end, bool decides)
    {
        var tape = Late().Fault(begin, end, node: 1);
        Assert.That(Judge(tape, "bridge-pair").Select(one => one.ViolationCount), Is.EqualTo(Counts(decides)));
    }

    [Test]
    public void The_words_name_both_messages_with_their_times()
    {
        Assert.That(
            Judge(Late(), "bridge-pair")[0].Violations.Single().What,
            Is.EqualTo(
                "p-1 #1 on t came to reader s-1 after #2: 6.000 s p-1 published it at a with QoS 1; "
                    + "6.000 s a acknowledged it; 6.001 s #2 was published; 6.010 s #2 came; "
                    + "6.020 s reader s-1 got it at b with QoS 0"
            )
        );
    }

    private static long[] Counts(bool decides) => decides ? [1, 0] : [0, 1];

    private static EventTape Late() =>
        new EventTape()
            .Published(6000, 1, "t", client: 0)
            .Published(6001, 2, "t", client: 0)
            .Delivered(6010, 2, client: 1, node: 1)
            .Delivered(6020, 1, client: 1, node: 1);

    private static OrderMonitor[] Judge(EventTape tape, string topologyName)
    {
        var topology = TopologyFile.Read(topologyName);
        var book = new MessageBook(EventTape.Names, new(["p"], ["s"]), 0);
        tape.Play(new FidelityMonitor(book));
        return
        [
            tape.Play(new OrderMonitor(book, new OrderPromise(topology))),
            tape.Play(new OrderMonitor(book, new OrderPromise(topology), decides: false)),
        ];
    }
}
