using MqttCheck.Broker.Core;
using MqttCheck.Broker.Faults;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Tests.Broker.Faults;

/// <summary>Plans at the ends of their ranges, and what is known of each fault.</summary>
public sealed class FaultPlanTests
{
    private static readonly string[] Disturbances = ["lose-qos0", "repeat-qos1", "refuse", "disconnect", "slow-reader"];

    private static readonly string[] Faults =
    [
        "lose",
        "duplicate",
        "reorder",
        "wrong-qos",
        "ignore-unsubscribe",
        "forget-retained",
        "stale-session",
    ];

    [Test]
    public void Every_fault_has_its_name_its_effect_and_a_statement_in_both_versions_unless_it_is_a_disturbance()
    {
        Assert.That(
            (FaultCatalogue.All.Select(known => known.Name), FaultCatalogue.All.Select(known => known.Fault)),
            Is.EqualTo((Faults.Concat(Disturbances), Enum.GetValues<BrokerFault>()))
        );
        foreach (var known in FaultCatalogue.All)
        {
            Assert.That(FaultCatalogue.Describe(known.Fault), Is.SameAs(known));
            Assert.That(known.Effect, Does.Match("^(a|the) [a-zA-Z0-9' ]{20,}$"), known.Name);
            Assert.That(known.IsDisturbance, Is.EqualTo(Disturbances.Contains(known.Name)), known.Name);
            if (known.IsDisturbance)
                Assert.That((known.Statement311, known.Statement5), Is.EqualTo((default(string), default(string))));
            else
                Assert.That(
                    new[] { known.Statement311, known.Statement5 },
                    Is.All.Match(@"^MQTT-\d\.\d+\.\d-\d+$"),
                    known.Name
                );
        }
        Assert.That(FaultCatalogue.All.Select(known => known.Effect), Is.Unique);
    }

    [Test]
    public void A_plan_holds_the_probability_of_each_fault_that_it_names()
    {
        var plan = FaultPlan.Parse("lose:0.25,refuse:1,reorder:0,load=7", "test");
        Assert.That(
            Enum.GetValues<BrokerFault>().Select(plan.Probability),
            Is.EqualTo(new[] { 0.25, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0 })
        );
        Assert.That((plan.Load, plan.IsEmpty, plan.ToString()), Is.EqualTo((7, false, "lose:0.25,refuse:1,load=7")));
    }

    [TestCase(" none ")]
    [TestCase("lose:0")]
    [TestCase("load=5")]
    public void A_plan_without_a_probability_is_empty(string text)
    {
        var plan = FaultPlan.Parse(text, "test");
        Assert.That((plan.IsEmpty, plan.ToString()), Is.EqualTo((true, "none")));
    }

    [TestCase("load=0", 0, "none")]
    [TestCase("load=1000000", 1_000_000, "none")]
    [TestCase("load=500,lose:0.2", 500, "lose:0.2,load=500")]
    [TestCase("lose:0.2,load=0", 0, "lose:0.2")]
    [TestCase("lose:0.01, duplicate:1", 0, "lose:0.01,duplicate:1")]
    public void A_plan_reads_back_with_its_load_from_end_to_end_of_its_range(string text, int load, string written)
    {
        var plan = FaultPlan.Parse(text, "test");
        Assert.That(
            (plan.Load, plan.ToString(), FaultPlan.Parse(plan.ToString(), "test").ToString()),
            Is.EqualTo((load, written, written))
        );
    }

    [TestCase(
        "load=1000001",
        "here: 'load=1000001' is no load; the form is load=R with R in 0 .. 1000000 publications per second."
    )]
    [TestCase("load=", "here: 'load=' is no load; the form is load=R with R in 0 .. 1000000 publications per second.")]
    [TestCase(
        "load=-1",
        "here: 'load=-1' is no load; the form is load=R with R in 0 .. 1000000 publications per second."
    )]
    [TestCase("lose", "here: 'lose' has no probability; the form is lose:P with P in 0 .. 1.")]
    [TestCase("lose:NaN", "here: 'lose:NaN' has no probability; the form is lose:P with P in 0 .. 1.")]
    [TestCase("lose:1.5", "here: 'lose:1.5' has no probability; the form is lose:P with P in 0 .. 1.")]
    [TestCase("lose:0.1:2", "here: 'lose:0.1:2' has no probability; the form is lose:P with P in 0 .. 1.")]
    [TestCase("refuse:-0.1", "here: 'refuse:-0.1' has no probability; the form is refuse:P with P in 0 .. 1.")]
    [TestCase("lose:often", "here: 'lose:often' has no probability; the form is lose:P with P in 0 .. 1.")]
    public void What_is_beyond_its_range_is_refused(string text, string message) =>
        Assert.That(() => FaultPlan.Parse(text, "here"), Throws.TypeOf<InputException>().With.Message.EqualTo(message));

    [Test]
    public void A_wrong_name_is_answered_with_all_names_there_are() =>
        Assert.That(
            () => FaultPlan.Parse("explode:1", "here"),
            Throws
                .TypeOf<InputException>()
                .With.Message.EqualTo(
                    $"here: there is no fault 'explode'; there are {string.Join(", ", Faults.Concat(Disturbances))}, "
                        + "and load=R."
                )
        );

    [TestCase(-0.01)]
    [TestCase(1.01)]
    [TestCase(double.NaN)]
    public void What_is_no_probability_cannot_be_set(double probability) =>
        Assert.That(
            () => FaultPlan.None.With(BrokerFault.Lose, probability),
            Throws.TypeOf<ArgumentOutOfRangeException>().With.Message.Contains("allowed is 0 .. 1")
        );

    [TestCase(0)]
    [TestCase(1)]
    public void Setting_a_probability_changes_no_other_plan(double probability)
    {
        var before = FaultPlan.Parse("lose:0.5,load=3", "test");
        var after = before.With(BrokerFault.Lose, probability);
        Assert.That(
            (before.Probability(BrokerFault.Lose), after.Probability(BrokerFault.Lose), after.Load),
            Is.EqualTo((0.5, probability, 3))
        );
    }

    // Three publications within a second are above a load of 2, also when the second has just passed.
    [TestCase(1_000_000_000, 0)]
    [TestCase(1_000_000_001, 1)]
    public void A_load_is_counted_over_one_whole_second(long nanoseconds, int delivered)
    {
        var (bench, subscriber, publisher) = BrokerBench.Joined(ProtocolVersion.V5, 1, Options("lose:1,load=2"));
        publisher.Publish("u", "x", 1, 1);
        bench.Core.Tick(nanoseconds);
        publisher.Publish("u", "x", 1, 2).Publish("t", "x", 1, 3);
        Assert.That(subscriber.TakeMessages(), Has.Length.EqualTo(delivered));
    }

    [Test]
    public void A_message_that_is_held_back_to_be_overtaken_goes_after_50_ms()
    {
        var bench = new BrokerBench(Options("reorder:1"));
        var (subscriber, publisher) = (bench.Connect(ProtocolVersion.V5, "s"), bench.Connect(ProtocolVersion.V5, "p"));
        subscriber.Subscribe("t", 1);
        publisher.Publish("t", "1", 1, 1);
        Assert.That(bench.Core.NextDue, Is.EqualTo(50_000_000));
        bench.Pass(0.05);
        Assert.That(subscriber.TakeMessages(), Is.EqualTo(["t=1"]));

        // What was overtaken is not due any more, nor what belonged to a session that has ended.
        publisher.Publish("t", "2", 1, 2).Publish("t", "3", 1, 3);
        Assert.That(
            (subscriber.TakeMessages(), bench.Core.NextDue),
            Is.EqualTo(((string[])["t=3", "t=2"], long.MaxValue))
        );
        publisher.Publish("t", "4", 1, 4);
        subscriber.Disconnect();
        Assert.That(bench.Core.NextDue, Is.EqualTo(long.MaxValue));
    }

    [Test]
    public void A_packet_on_which_the_connection_is_closed_has_no_effect()
    {
        var bench = new BrokerBench(Options("disconnect:1"));
        bench.Connect(ProtocolVersion.V5, "p").Publish("t", "x", retain: true);
        Assert.That((bench.Core.Counters.Published, bench.Core.Counters.RetainedMessages), Is.EqualTo((0, 0)));
    }

    // A message that is forgotten on purpose was not dropped for want of room.
    [Test]
    public void A_retained_message_that_is_forgotten_is_still_delivered_and_not_counted_as_dropped()
    {
        var (bench, subscriber, publisher) = BrokerBench.Joined(ProtocolVersion.V5, 0, Options("forget-retained:1"));
        publisher.Publish("t", "x", retain: true);
        Assert.That(
            (subscriber.TakeMessages(), bench.Core.Counters.Dropped, bench.Core.Counters.RetainedMessages),
            Is.EqualTo(((string[])["t=x"], 0, 0))
        );
    }

    [Test]
    public void Without_faults_no_connection_is_paused()
    {
        var bench = new BrokerBench();
        var client = bench.Connect(ProtocolVersion.V5, "a");
        client.Send(new PingreqPacket());
        Assert.That(client.Pauses, Is.Zero);
    }

    private static BrokerOptions Options(string faults) => new() { Faults = FaultPlan.Parse(faults, "test") };
}
