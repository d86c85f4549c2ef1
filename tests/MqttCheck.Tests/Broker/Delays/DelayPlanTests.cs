using MqttCheck.Broker.Delays;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Tests.Broker.Delays;

/// <summary>What the text of a plan says, to the ends of its ranges.</summary>
public sealed class DelayPlanTests
{
    private static readonly string[] Names =
    [
        "connack",
        "suback",
        "unsuback",
        "puback",
        "qos2",
        "publish",
        "pingresp",
        "close",
    ];

    [Test]
    public void Each_kind_of_answer_has_its_name()
    {
        var kinds = Enum.GetValues<DelayedAnswer>();
        Assert.That(Names, Has.Length.EqualTo(kinds.Length));
        for (var named = 0; named < kinds.Length; named++)
        {
            var plan = DelayPlan.Parse($"{Names[named]}=constant:3ms", "test");
            Assert.That(plan.IsEmpty, Is.False);
            foreach (var kind in kinds)
                Assert.That(plan.Of(kind), Is.EqualTo(new ConstantLaw(kind == kinds[named] ? 3 : 0)));
        }
    }

    [Test]
    public void Later_items_change_what_earlier_ones_said()
    {
        var plan = DelayPlan.Parse("puback=constant:1ms;constant:2ms;close=constant:3ms;load=1;load=0.5", "test");
        Assert.That(
            (plan.Of(DelayedAnswer.Puback), plan.Of(DelayedAnswer.Close), plan.Load),
            Is.EqualTo((new ConstantLaw(2), new ConstantLaw(3), 0.5))
        );
    }

    [Test]
    public void Stalls_come_in_the_order_of_their_time()
    {
        var plan = DelayPlan.Parse("stall=2s@10s;stall=1.5ms@0.5s;stall=86400s@86400s", "test");
        Assert.That(
            plan.Stalls,
            Is.EqualTo(
                new Stall[]
                {
                    new(500_000_000, 1_500_000),
                    new(10_000_000_000, 2_000_000_000),
                    new(86_400_000_000_000, 86_400_000_000_000),
                }
            )
        );
        Assert.That(plan.IsEmpty, Is.False);
    }

    [TestCase("none")]
    [TestCase("lognormal:5ms,0.5; pingresp=none;stall=2s@10s")]
    public void A_plan_is_written_as_it_was_given(string text) =>
        Assert.That(DelayPlan.Parse(text, "test").ToString(), Is.EqualTo(text));

    [Test]
    public void No_delay_is_called_none() =>
        Assert.That(
            (DelayPlan.None.ToString(), DelayPlan.None.IsEmpty, DelayPlan.None.Load),
            Is.EqualTo(("none", true, 0.0))
        );

    [TestCase("load=0", 0)]
    [TestCase("load=1000", 1000)]
    public void A_load_is_valid_up_to_both_ends_of_its_range(string text, double expected) =>
        Assert.That(DelayPlan.Parse(text, "test").Load, Is.EqualTo(expected));

    [TestCase("load=1000.1")]
    [TestCase("load=-1")]
    [TestCase("load=1e3")]
    [TestCase("load=much")]
    public void A_load_beyond_its_range_is_refused(string text) =>
        Assert.That(
            () => DelayPlan.Parse(text, "here"),
            Throws
                .TypeOf<InputException>()
                .With.Message.EqualTo(
                    $"here: {text} given; allowed is a number from 0 to 1000: the "
                        + "share by which a delay is longer for each answer that is held back."
                )
        );

    [TestCase("86401s@1s")]
    [TestCase("-2s@1s")]
    [TestCase("1s@86400001ms")]
    [TestCase("1s@2s@3s")]
    [TestCase("1s")]
    [TestCase("1@2s")]
    [TestCase("1s@2")]
    [TestCase("1us@2s")]
    public void What_is_no_stall_is_refused(string text) =>
        Assert.That(
            () => DelayPlan.Parse($"stall={text}", "here"),
            Throws
                .TypeOf<InputException>()
                .With.Message.EqualTo(
                    $"here: '{text}' is not a stall; the form is LENGTH@START, "
                        + "for example 2s@10s (units ms, s; at most a day each)."
                )
        );

    [Test]
    public void An_unknown_kind_is_answered_with_all_there_are() =>
        Assert.That(
            () => DelayPlan.Parse("all=none", "here"),
            Throws
                .TypeOf<InputException>()
                .With.Message.EqualTo(
                    $"here: there is no delay of 'all'; there are {string.Join(", ", Names)}, stall and load."
                )
        );
}
