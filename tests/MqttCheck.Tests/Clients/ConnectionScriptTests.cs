using MqttCheck.Clients;
using MqttCheck.Profiles;
using MqttCheck.Profiles.Behaviours;
using MqttCheck.Protocol;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Tests.Clients;

/// <summary>Orders, first messages and instants in the life of a client that is answered after 1 ms.</summary>
internal sealed class ConnectionScriptTests
{
    private static readonly UsageProfile s_plain = new()
    {
        Name = "test",
        WaitMilliseconds = new UniformLaw(5, 15),
        Weights = new(1, 0, 1, 0, 0),
        Topics = 3,
        SequenceLength = 7,
    };

    [Test]
    public void The_numbers_of_steps_are_those_of_the_kinds() =>
        Assert.That(
            Enum.GetValues<OrderStep>().Select(step => step.ToString()),
            Is.EqualTo(Enum.GetValues<MessageKind>().Select(kind => kind.ToString()))
        );

    [Test]
    public void An_order_that_disconnects_begins_again()
    {
        var profile = s_plain with { Order = [OrderStep.Connect, OrderStep.Publish, OrderStep.Disconnect] };

        Assert.That(
            Sequences(profile),
            Has.All.EqualTo("connect publish disconnect connect publish disconnect connect")
        );
    }

    [Test]
    public void Weights_decide_behind_the_last_message_of_an_order_until_the_next_connect()
    {
        var profile = s_plain with
        {
            Order = [OrderStep.Connect, OrderStep.Subscribe, OrderStep.Subscribe, OrderStep.Unsubscribe],
        };

        Assert.That(
            Sequences(profile),
            Has.All.EqualTo("connect subscribe subscribe unsubscribe publish publish publish")
        );
    }

    [Test]
    public void A_step_that_the_client_cannot_take_is_left_out()
    {
        var profile = s_plain with
        {
            Topics = 1,
            Order = [OrderStep.Connect, OrderStep.Unsubscribe, OrderStep.Subscribe, OrderStep.Subscribe],
        };

        Assert.That(Sequences(profile), Has.All.EqualTo("connect subscribe publish publish publish publish publish"));
    }

    [Test]
    public void The_first_message_follows_every_connect_of_a_sequence_without_a_wait()
    {
        var profile = s_plain with
        {
            AfterConnect = new("birth/{client}") { PayloadBytes = 77, Qos = QualityOfService.ExactlyOnce },
            Order = [OrderStep.Connect, OrderStep.Subscribe, OrderStep.Disconnect],
        };
        var life = Life(profile);

        Assert.That(
            Sequences(profile),
            Has.All.EqualTo("connect publish subscribe disconnect connect publish subscribe")
        );
        var births = life.Where(one => one.Action.Kind == MessageKind.Publish).ToList();
        Assert.That(births.Select(one => one.Wait), Has.All.EqualTo(0));
        Assert.That(
            births.Select(one => (one.Action.IsFirst, one.Action.PayloadBytes, (int)one.Action.Qos)),
            Has.All.EqualTo((true, 77, 2))
        );
    }

    [Test]
    public void Clients_connect_at_the_same_instants_each_within_its_jitter()
    {
        var profile = s_plain with
        {
            SequenceLength = 3,
            Order = [OrderStep.Connect, OrderStep.Publish, OrderStep.Disconnect],
            Simultaneous = new(2, .5, OrderStep.Connect),
        };
        var connects = Life(profile)
            .Where(one => one.Action is { Kind: MessageKind.Connect, Phase: not ExchangePhase.Reset })
            .Select(one => one.Sent)
            .ToList();

        Assert.That(connects.Select(at => (int)(at / 2000)), Is.EqualTo(Enumerable.Range(0, connects.Count)));
        Assert.That(connects.Select(at => at % 2000), Has.All.InRange(0, 500).And.Some.GreaterThan(400));
    }

    [Test]
    public void Clients_that_stay_publish_at_the_same_instants()
    {
        var profile = s_plain with { Simultaneous = new(1, 0, OrderStep.Publish) };
        var sent = Life(profile).Where(one => one.Action.Kind == MessageKind.Publish).Select(one => one.Sent).ToList();

        Assert.That(sent.Select(at => Math.Abs(at - Math.Round(at / 1000) * 1000)), Has.All.LessThan(1e-6));
        Assert.That(sent.Distinct().Count(), Is.EqualTo(sent.Count), "never twice at one instant");
    }

    [Test]
    public void Topics_of_a_client_have_the_numbers_of_its_group()
    {
        var model = new ClientModel(
            s_plain with
            {
                Order = [OrderStep.Connect, OrderStep.Subscribe, OrderStep.Publish],
            },
            0,
            new(Publish: 100, PublishStride: 3, Subscribe: 500, SubscribeStride: 2, Subscribed: 2, First: -1, 0)
        );
        var life = Life(model, rank: 4);

        Assert.That(
            life.Where(one => one.Action.Kind == MessageKind.Publish)
                .Select(one => one.Action.Topic)
                .Distinct()
                .Order(),
            Is.EqualTo(new[] { 112, 113, 114 })
        );
        Assert.That(
            life.Where(one => one.Action.Kind == MessageKind.Subscribe)
                .Select(one => one.Action.Topic)
                .Distinct()
                .Order(),
            Is.EqualTo(new[] { 508, 509 })
        );
    }

    [Test]
    public void The_mean_wait_of_a_profile_with_instants_is_what_they_make_it()
    {
        var profile = s_plain with
        {
            SequenceLength = 3,
            Order = [OrderStep.Connect, OrderStep.Publish, OrderStep.Disconnect],
            Simultaneous = new(900, 0, OrderStep.Connect),
        };

        Assert.That(ClientLife.MeanWaitOf(profile), Is.EqualTo(900_000 / 3.0).Within(.01 * 300_000));
        Assert.That(ClientLife.MeanWaitOf(s_plain), Is.EqualTo(10));
        Assert.That(ClientLife.WeightsOf(profile), Is.EqualTo(new MessageWeights(64, 64, 64, 0, 0)));
    }

    private static List<string> Sequences(UsageProfile profile) =>
        [
            .. Life(profile)
                .Where(one => one.Action.Phase == ExchangePhase.Counted)
                .Select(one => one.Action.Kind.Name())
                .Chunk(profile.SequenceLength)
                .Select(kinds => string.Join(' ', kinds)),
        ];

    private static List<(ClientAction Action, double Wait, double Sent)> Life(UsageProfile profile) =>
        Life(new ClientModel(profile), rank: 0);

    private static List<(ClientAction Action, double Wait, double Sent)> Life(ClientModel model, int rank)
    {
        const int sequences = 20;
        var random = RandomStream.For(7);
        var state = model.Begin(ref random, rank);
        var subscribed = new ulong[model.Words];
        var life = new List<(ClientAction, double, double)>();
        for (var now = 0.0; state.Sequence <= sequences; now++)
        {
            var wait = model.NextWaitMilliseconds(state, ref random, now);
            var action = model.Next(state, subscribed, sequences, ref random);
            now += wait;
            life.Add((action, wait, now));
            model.Complete(ref state, subscribed, action, success: true, now);
        }
        return life;
    }
}
