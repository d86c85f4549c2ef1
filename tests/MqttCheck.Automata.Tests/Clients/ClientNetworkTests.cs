using MqttCheck.Automata.Clients;
using MqttCheck.Automata.Engine;
using MqttCheck.Automata.Exchange;
using MqttCheck.Clients;
using MqttCheck.Latency;
using MqttCheck.Latency.Features;
using MqttCheck.Latency.Models;
using MqttCheck.Profiles;
using MqttCheck.Profiles.Behaviours;
using MqttCheck.Simulation;
using MqttCheck.Statistics.Laws;
using MqttCheck.Tests.Simulation;

namespace MqttCheck.Automata.Tests.Clients;

public sealed class ClientNetworkTests
{
    private static readonly PaperRegressionModel Regression = new(
        [4, 1, 3, .5, .25, .06, .01, .4],
        [.3, .1, .2, .1, .1, .02, .005, .1],
        [true, true, true, true, true]
    );

    private static readonly Population Mixed = new()
    {
        Name = "mixed",
        Groups =
        [
            new("quick", 2, TestProfiles.Up2 with { SequenceLength = 4, Topics = 7 }),
            new(
                "slow",
                1,
                TestProfiles.Up1 with
                {
                    WaitMilliseconds = new MixtureLaw([
                        new(.9, new ExponentialLaw(50)),
                        new(.1, new UniformLaw(200, 900)),
                    ]),
                }
            ),
        ],
    };

    private static SimulatedFleet Setup(Population population, int clients) =>
        new()
        {
            Population = population,
            Clients = clients,
            Seed = 31,
            Sequences = 2,
        };

    private static readonly LatencyModel Laws = new LawLatencyModel(kind =>
        kind switch
        {
            MessageKind.Publish => new MixtureLaw([new(.95, new LogNormalLaw(5, .5)), new(.05, new NormalLaw(40, 10))]),
            MessageKind.Subscribe => new EmpiricalLaw([1, 2, 2.5, 3, 10]),
            _ => new ExponentialLaw(3),
        }
    );

    private static readonly TestCaseData[] Cases =
    [
        new(Setup(Population.Of(TestProfiles.Up1), 1), Laws) { TestName = "One_client" },
        new(Setup(Population.Of(TestProfiles.Up1), 60), Laws) { TestName = "Many_clients" },
        new(Setup(Mixed, 17), Laws) { TestName = "Two_groups" },
        new(Setup(Population.Of(TestProfiles.Up1), 25), Regression) { TestName = "Latencies_that_depend_on_the_load" },
        new(Setup(Mixed, 9), Regression) { TestName = "Two_groups_whose_latencies_depend_on_the_load" },
    ];

    [Test]
    public void Groups_whose_topics_have_other_names_are_refused()
    {
        var setup = new SimulatedFleet
        {
            Population = new()
            {
                Name = "two",
                Groups =
                [
                    new("a", 1, TestProfiles.Up1),
                    new("b", 1, TestProfiles.Up2 with { TopicName = "b/{topic}" }),
                ],
            },
            Clients = 2,
        };
        Assert.That(
            () => ClientNetwork.Of(setup, new LawLatencyModel(new ConstantLaw(1))),
            Throws.TypeOf<InputException>().With.Message.Contains("several \"topicName\"s")
        );
    }

    [TestCase("stages")]
    [TestCase("connectsPerSecond")]
    [TestCase("rampUpSeconds")]
    [TestCase("sharedSubscription")]
    [TestCase("order")]
    [TestCase("afterConnect")]
    [TestCase("simultaneous")]
    [TestCase("filters")]
    [TestCase("topicName")]
    public void What_an_automaton_cannot_follow_is_refused_by_name(string key)
    {
        var profile = key switch
        {
            "stages" => TestProfiles.Up2 with { Stages = [new(1, 2)] },
            "connectsPerSecond" => TestProfiles.Up2 with { ConnectsPerSecond = 1 },
            "rampUpSeconds" => TestProfiles.Up2 with { RampUpSeconds = 1 },
            "order" => TestProfiles.Up2 with { Order = [OrderStep.Connect, OrderStep.Publish] },
            "afterConnect" => TestProfiles.Up2 with { AfterConnect = new("birth") },
            "simultaneous" => TestProfiles.Up2 with { Simultaneous = new(1, 0, OrderStep.Connect) },
            "filters" => TestProfiles.Up2 with { Filters = ["a/#"], TopicName = "a/{topic}" },
            "topicName" => TestProfiles.Up2 with { TopicName = "a/{client}", Topics = 1 },
            _ => TestProfiles.Up2 with { ShareName = "pool" },
        };
        var setup = new SimulatedFleet { Population = Population.Of(profile), Clients = 2 };
        Assert.That(
            () => ClientNetwork.Of(setup, new LawLatencyModel(new ConstantLaw(1))),
            Throws.InstanceOf<InputException>().With.Message.Contains($"profile up2: \"{key}\" is given")
        );
    }

    [TestCaseSource(nameof(Cases))]
    public void The_general_engine_makes_the_same_events_as_the_fleet_simulator(
        SimulatedFleet setup,
        LatencyModel model
    )
    {
        for (var replication = 0; replication < 2; replication++)
        {
            var recorder = new Recorder { Events = [] };
            var sample = FleetSimulation.Observe(model, setup, replication, ref recorder);
            var run = new NetworkSimulator(ClientNetwork.Of(setup, model, observed: setup.Clients / 2)).Start(
                setup.Seed,
                (ulong)replication
            );
            var events = new List<Event>();
            var before = Enumerable.Range(0, setup.Clients).Select(run.LocationOf).ToArray();
            while (events.Count < recorder.Events.Count)
            {
                Assert.That(run.Step(), Is.True);
                var client = run.LastAutomaton;
                var (was, location) = (before[client], run.LocationOf(client));
                before[client] = location;
                if (KindOf(was) is { } ended)
                    events.Add(new(client, ended, Ends: true, run.Now));
                if (KindOf(location) is { } started)
                    events.Add(new(client, started, Ends: false, run.Now));
            }
            Assert.That(
                events.Take(recorder.Events.Count),
                Is.EqualTo(recorder.Events),
                "clients, kinds and times, to the last bit"
            );
            Assert.That(run[ClientNetwork.Done], Is.EqualTo(1));
            var worst = sample.WorstMilliseconds.Slice(setup.Clients / 2 * 2, 2);
            Assert.That(
                run[ClientNetwork.Worst],
                Is.EqualTo(Math.Max(worst[0], worst[1])).Within(1e-9),
                "a latency here is not the difference of two times"
            );
        }
    }

    [Test]
    [Category("Whole")]
    public void A_model_that_no_automaton_can_carry_is_replaced_with_the_difference_stated()
    {
        var setup = new SimulatedFleet
        {
            Population = Population.Of(TestProfiles.Up1),
            Clients = 20,
            Seed = 3,
        };
        var approximation = ClientApproximation.Of(setup, new SingleServerModel(new UniformLaw(2, 6)));
        Assert.That(approximation.LawDistance, Is.InRange(.001, .2));
        Assert.That(approximation.Notes, Has.Some.Contains("(queue) was replaced by laws of 16 pieces"));
        var (difference, chance) = approximation.Compare(400);
        Assert.That(difference, Is.LessThan(chance), "waiting in this queue depends on little but the open exchanges");
        Assert.That(() => JaniWriter.ToBytes(new() { Network = approximation.Network() }), Throws.Nothing);
    }

    [Test]
    public void What_an_automaton_cannot_carry_is_refused_by_name()
    {
        var setup = Setup(Population.Of(TestProfiles.Up1), 2);
        WrongValue.AssertRefused(
            ("a model of the kind", () => ClientNetwork.Of(setup, new SingleServerModel(new ConstantLaw(1)))),
            (
                "without a subscribe message",
                () =>
                    ClientNetwork.Of(
                        setup,
                        new PaperRegressionModel(new double[8], new double[8], [true, true, true, false, true])
                    )
            ),
            ("timer grid is 1 ms", () => ClientNetwork.Of(setup with { TimerGridMilliseconds = 1 }, Regression)),
            ("allowed: 0 .. 1", () => ClientNetwork.Of(setup, Regression, observed: 2))
        );
    }

    private static MessageKind? KindOf(string location) =>
        location switch
        {
            "connect" or "clean" => MessageKind.Connect,
            "disconnect" or "leave" or "close" => MessageKind.Disconnect,
            "publish" => MessageKind.Publish,
            "subscribe" => MessageKind.Subscribe,
            "unsubscribe" => MessageKind.Unsubscribe,
            _ => null,
        };

    private sealed record Event(int Client, MessageKind Kind, bool Ends, double Now);

    private struct Recorder : IFleetObserver
    {
        public List<Event> Events;

        public readonly void SetUp(
            int client,
            in ClientAction action,
            double begunMilliseconds,
            double nowMilliseconds
        ) { }

        public readonly void Started(
            int client,
            int sequence,
            in ClientAction action,
            in ExchangeFeatures features,
            double nowMilliseconds
        ) => Events.Add(new(client, action.Kind, Ends: false, nowMilliseconds));

        public readonly void Ended(
            int client,
            int sequence,
            in ClientAction action,
            double startedMilliseconds,
            double nowMilliseconds
        ) => Events.Add(new(client, action.Kind, Ends: true, nowMilliseconds));
    }
}
