using MqttCheck.Clients;
using MqttCheck.Latency;
using MqttCheck.Latency.Features;
using MqttCheck.Latency.Models;
using MqttCheck.Latency.Nagle;
using MqttCheck.Profiles;
using MqttCheck.Simulation;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Tests.Simulation;

public sealed class FleetSimulationTests
{
    private static readonly LawLatencyModel LogNormal = new(new LogNormalLaw(5, .5));

    private static SimulatedFleet Setup(UsageProfile profile, int clients) =>
        new()
        {
            Population = Population.Of(profile),
            Clients = clients,
            Seed = 20260101,
        };

    [Test]
    public void Results_are_the_same_bit_for_bit_for_any_number_of_threads()
    {
        var setup = Setup(TestProfiles.Up1, 37) with { Sequences = 2 };
        var one = FleetSimulation.Run(LogNormal, setup, 23, threads: 1, detailed: true);
        foreach (var threads in new[] { 2, 3, 7, 40 })
        {
            var many = FleetSimulation.Run(LogNormal, setup, 23, threads, detailed: true);
            Assert.That(many.WorstMilliseconds.SequenceEqual(one.WorstMilliseconds), Is.True);
            Assert.That(many.WorstPublishMilliseconds.SequenceEqual(one.WorstPublishMilliseconds), Is.True);
            Assert.That(many.IssueIndex.SequenceEqual(one.IssueIndex), Is.True);
            Assert.That(
                (many.Events, many.Exchanges, many.MeanActive, many.MaximumActive),
                Is.EqualTo((one.Events, one.Exchanges, one.MeanActive, one.MaximumActive))
            );
        }
    }

    [Test]
    public void A_client_alone_does_its_warm_up_its_counted_sequences_and_the_resets_between_them()
    {
        var watched = new Recorder { Started = [], Ended = [] };
        var setup = Setup(TestProfiles.Up1, 1) with { Sequences = 3 };
        var sample = FleetSimulation.Observe(LogNormal, setup, replication: 5, ref watched);

        var counted = watched
            .Ended.Where(e => e.Action.Phase == ExchangePhase.Counted)
            .GroupBy(e => e.Sequence)
            .ToArray();
        Assert.That(counted.Select(g => (g.Key, g.Count())), Is.EqualTo(new[] { (1, 10), (2, 10), (3, 10) }));
        Assert.That(counted.Select(g => g.Max(e => e.Latency)), Is.EqualTo(sample.WorstMilliseconds.ToArray()));
        Assert.That(
            counted.Select(g =>
                g.Where(e => e.Action.Kind == MessageKind.Publish).Select(e => e.Latency).DefaultIfEmpty(0).Max()
            ),
            Is.EqualTo(sample.WorstPublishMilliseconds.ToArray())
        );
        Assert.That(watched.Ended.Count(e => e.Action.Phase == ExchangePhase.WarmUp), Is.InRange(0, 9));
        Assert.That(
            watched.Ended.Any(e => e.Action.Phase == ExchangePhase.CoolDown),
            Is.False,
            "nobody needs the load of a client whose last counted sequence is the last of all"
        );
        foreach (var reset in watched.Ended.Where(e => e.Action.Phase == ExchangePhase.Reset).GroupBy(e => e.Sequence))
        {
            var kinds = reset.Select(e => e.Action.Kind).ToArray();
            Assert.That(kinds[^2..], Is.EqualTo(new[] { MessageKind.Connect, MessageKind.Disconnect }));
            Assert.That(kinds, Has.Length.InRange(2, 3));
            Assert.That(
                reset.Zip(reset.Skip(1)).All(pair => pair.Second.Started == pair.First.Now),
                Is.True,
                "a reset does not wait"
            );
        }
    }

    [Test]
    public void The_load_lasts_until_the_last_counted_sequence_of_every_client_has_ended()
    {
        var watched = new Recorder { Started = [], Ended = [] };
        FleetSimulation.Observe(LogNormal, Setup(TestProfiles.Up1, 30), 0, ref watched);
        var last = watched.Ended[^1];
        Assert.That(last.Action.Phase, Is.EqualTo(ExchangePhase.Counted));
        Assert.That(watched.Ended.Count(e => e.Action.Phase == ExchangePhase.Counted), Is.EqualTo(300));
        var lastStarts = watched.Started.GroupBy(s => s.Client).Select(g => g.Last().Now);
        Assert.That(
            lastStarts.Min(),
            Is.GreaterThan(last.Now - 600),
            "every client still sends at most a wait and a latency before the end"
        );
    }

    [Test]
    public void Sequences_are_numbered_in_the_order_of_their_first_messages()
    {
        var watched = new Recorder { Started = [], Ended = [] };
        var sample = FleetSimulation.Observe(
            LogNormal,
            Setup(TestProfiles.Up1, 20) with
            {
                Sequences = 2,
            },
            1,
            ref watched
        );
        var order = watched
            .Started.Where(s => s.Action.Phase == ExchangePhase.Counted)
            .GroupBy(s => (s.Client, s.Sequence))
            .OrderBy(g => g.First().Now)
            .Select(g => g.Key)
            .ToArray();
        for (var i = 0; i < order.Length; i++)
            Assert.That(sample.IssueIndex[order[i].Client * 2 + order[i].Sequence - 1], Is.EqualTo(i));
    }

    [Test]
    public void Every_client_draws_from_its_own_stream_in_the_order_wait_kind_topic_size_latency()
    {
        var watched = new Recorder { Started = [], Ended = [] };
        var setup = Setup(TestProfiles.Up1, 9);
        FleetSimulation.Observe(LogNormal, setup, replication: 3, ref watched);
        for (var client = 0; client < 9; client++)
        {
            // An independent walk of one client: latencies do not depend on the load here, so it needs no other client.
            var random = RandomStream.For(setup.Seed, 3, (ulong)client);
            var model = new ClientModel(TestProfiles.Up1);
            var subscribed = new ulong[model.Words];
            var state = model.Begin(ref random);
            var now = 0.0;
            foreach (
                var (action, started, ended) in watched
                    .Ended.Where(e => e.Client == client)
                    .Select(e => (e.Action, e.Started, e.Now))
            )
            {
                now += model.NextWaitMilliseconds(in state, ref random);
                Assert.That((started, model.Next(in state, subscribed, 1, ref random)), Is.EqualTo((now, action)));
                now += new LogNormalLaw(5, .5).Draw(ref random);
                Assert.That(ended, Is.EqualTo(now));
                model.Complete(ref state, subscribed, action, success: true);
            }
        }
    }

    // P = Phi(ln 2 / .5)^10 = .421217: the maximum of 10 latencies LogN(0, .5) is below 2 ms. 40 000 sequences, seed
    // fixed; 3 sigma is .0074: false alarm .003.
    [Test]
    public void The_maximum_of_ten_log_normal_latencies_has_its_known_law()
    {
        var sample = FleetSimulation.Run(
            new LawLatencyModel(new LogNormalLaw(1, .5)),
            Setup(TestProfiles.Up1, 1),
            40_000,
            threads: 2
        );
        var share = sample.WorstMilliseconds.ToArray().Count(worst => worst < 2) / 40_000.0;
        Assert.That(share, Is.EqualTo(.421217).Within(3 * Math.Sqrt(.421217 * .578783 / 40_000)));
    }

    // Little's law. A client's cycle of one sequence: 10 waits of mean 250 ms, 10 latencies of 40 ms, and a reset of 2
    // or 3 more. With r the mean number of reset exchanges, a client is in an exchange a share (10 + r) 40 / (10 * 250
    // + (10 + r) 40) of the time, and one that sends meets the n - 1 others so.
    [Test]
    public void The_mean_number_of_active_messages_obeys_Littles_law()
    {
        var watched = new Recorder { Started = [], Ended = [] };
        var setup = Setup(TestProfiles.Up1, 50) with { Sequences = 300 };
        var sample = FleetSimulation.Observe(new LawLatencyModel(new ConstantLaw(40)), setup, 0, ref watched);
        var phases = watched
            .Ended.Where(e => e.Sequence is >= 1 and <= 300)
            .CountBy(e => e.Action.Phase)
            .ToDictionary();
        var resets = (double)phases[ExchangePhase.Reset] / phases[ExchangePhase.Counted] * 10;
        var busy = (10 + resets) * 40;
        // 150 000 exchanges whose active messages have standard deviation 2.9 and are correlated over about a cycle:
        // sigma < .03.
        Assert.That(sample.MeanActive, Is.EqualTo(1 + 49 * busy / (2500 + busy)).Within(.12));
        Assert.That(sample.MaximumActive, Is.InRange(15, 50));
    }

    [Test]
    public void Waits_end_on_the_timer_grid_but_resets_follow_at_once()
    {
        var watched = new Recorder { Started = [], Ended = [] };
        FleetSimulation.Observe(
            LogNormal,
            Setup(TestProfiles.Up2, 10) with
            {
                TimerGridMilliseconds = 15.625,
            },
            0,
            ref watched
        );
        Assert.That(
            watched.Started.Where(s => s.Action.Phase != ExchangePhase.Reset).All(s => s.Now % 15.625 == 0),
            Is.True
        );
        Assert.That(
            watched.Started.Where(s => s.Action.Phase == ExchangePhase.Reset).All(s => s.Now % 15.625 != 0),
            Is.True
        );
    }

    [Test]
    public void A_connect_is_sent_when_its_connection_has_been_set_up_and_nothing_is_open_before()
    {
        var (slow, quick) = (
            new Recorder
            {
                Started = [],
                Ended = [],
                SetUps = [],
            },
            new Recorder
            {
                Started = [],
                Ended = [],
                SetUps = [],
            }
        );
        var setup = Setup(TestProfiles.Up1, 1) with { Sequences = 5 };
        FleetSimulation.Observe(new SetUpModel(steps: 3), setup, 0, ref slow);
        FleetSimulation.Observe(new SetUpModel(steps: 0), setup, 0, ref quick);
        var connects = 0;
        using var _ = Assert.EnterMultipleScope();
        Assert.That(slow.Ended.Select(ended => ended.Action), Is.EqualTo(quick.Ended.Select(ended => ended.Action)));
        foreach (var (late, soon) in slow.Ended.Zip(quick.Ended))
        {
            connects += late.Action.Kind == MessageKind.Connect ? 1 : 0;
            Assert.That(
                (late.Started - soon.Started, late.Latency),
                Is.EqualTo((3 * SetUpModel.Milliseconds * connects, SetUpModel.Milliseconds)).Within(1e-6)
            );
        }
        Assert.That(connects, Is.GreaterThan(5), "every reset connects again");
        Assert.That(slow.Started.Select(started => started.Features.Active), Has.All.EqualTo(1));
        Assert.That(
            slow.SetUps!.Select(one => one.Now),
            Is.EqualTo(
                slow.Started.Where(started => started.Action.Kind == MessageKind.Connect).Select(started => started.Now)
            )
        );
        Assert.That(
            slow.SetUps!.Select(one => one.Now - one.Begun),
            Has.All.EqualTo(3 * SetUpModel.Milliseconds).Within(1e-6)
        );
        Assert.That(quick.SetUps, Is.Empty);
    }

    [Test]
    public void Groups_of_a_population_follow_their_own_profiles()
    {
        var population = new Population
        {
            Name = "mixed",
            Groups =
            [
                new("busy", 1, TestProfiles.Publisher(new ConstantLaw(10))),
                new("calm", 3, TestProfiles.Up1 with { Topics = 200 }),
            ],
        };
        var watched = new Recorder { Started = [], Ended = [] };
        FleetSimulation.Observe(LogNormal, new SimulatedFleet { Population = population, Clients = 8 }, 0, ref watched);
        var groups = population.Assign(8).ToArray();
        foreach (
            var start in watched.Started.Where(s => s.Action.Kind is MessageKind.Subscribe or MessageKind.Unsubscribe)
        )
            Assert.That(groups[start.Client], Is.EqualTo(1));
        var busyRate = watched.Started.Count(s => groups[s.Client] == 0) / 2.0;
        var calmRate = watched.Started.Count(s => groups[s.Client] == 1) / 6.0;
        Assert.That(busyRate, Is.GreaterThan(4 * calmRate));
    }

    [Test]
    public void A_simulation_that_cannot_end_is_stopped_by_its_bound_and_says_so()
    {
        var population = new Population
        {
            Name = "endless",
            Groups =
            [
                new("zero", 1, TestProfiles.Publisher(new ConstantLaw(0))),
                new("waits", 1, TestProfiles.Publisher(new ConstantLaw(1))),
            ],
        };
        var setup = new SimulatedFleet
        {
            Population = population,
            Clients = 2,
            MaximumEvents = 100_000,
        };
        Assert.That(
            () => FleetSimulation.Run(new LawLatencyModel(new ConstantLaw(0)), setup, 1, threads: 2),
            Throws.TypeOf<InputException>().With.Message.Contains("100000 events").And.Message.Contains("endless")
        );
    }

    [TestCase(false, 200)]
    [TestCase(true, 232)]
    public void Memory_of_a_client_is_small_and_does_not_grow_with_the_events(bool deliveriesWait, int mostBytes)
    {
        LatencyModel model = deliveriesWait
            ? new NagleModel(LogNormal, new(1, QuantileTable.From([40, 44])))
            : LogNormal;
        Bytes(1);
        Assert.That(Bytes(1), Is.LessThanOrEqualTo(mostBytes * 130));
        Assert.That(
            Bytes(60),
            Is.EqualTo(Bytes(1)).Within(deliveriesWait ? 16_384 : 2048),
            "but for the ring of recent events and the list of what waits, which may grow"
        );

        // Without the results: the worst latency of each client in each replication, and where they are gathered.
        long Bytes(int replications)
        {
            const int result = 8 * 130;
            var sample = GC.GetAllocatedBytesForCurrentThread();
            GC.KeepAlive(new FleetSample(1, 130, 1, detailed: false));
            var before = GC.GetAllocatedBytesForCurrentThread();
            FleetSimulation.Run(model, Setup(TestProfiles.Up1, 130), replications, threads: 1);
            return GC.GetAllocatedBytesForCurrentThread() - before - (before - sample + result) * replications;
        }
    }

    [Test]
    public void A_cancelled_simulation_stops()
    {
        using var source = new CancellationTokenSource();
        source.Cancel();
        Assert.That(
            () =>
                FleetSimulation.Run(
                    LogNormal,
                    Setup(TestProfiles.Up1, 100),
                    100_000,
                    threads: 2,
                    cancellation: source.Token
                ),
            Throws.InstanceOf<OperationCanceledException>()
        );
    }

    [Test]
    public void Wrong_values_are_refused_with_the_value_and_what_is_allowed()
    {
        var setup = Setup(TestProfiles.Up1, 0) with
        {
            Sequences = 0,
            TimerGridMilliseconds = double.NaN,
            MaximumEvents = 0,
        };
        Assert.That(setup.Validate(), Has.Count.EqualTo(4));
        Assert.That(
            () => FleetSimulation.Run(LogNormal, setup, 1, 1),
            Throws.TypeOf<InputException>().With.Message.Contains("number of clients is 0; allowed: 1 or more")
        );
    }

    // Every step of a set-up, and every exchange, takes as long.
    private sealed class SetUpModel(int steps) : LatencyModel
    {
        public const double Milliseconds = 7;

        public override string Kind => "set-up";

        public override TResult Use<TResult>(int clients, ILatencyProcessConsumer<TResult> consumer) =>
            consumer.Run(() => new Process(steps, new int[clients]));

        private readonly struct Process(int steps, int[] left) : ILatencyProcess
        {
            public static bool HasSetUp => true;

            public void Reset(ref RandomStream random) { }

            public LatencyStep SetUp(int client, double nowMilliseconds, ref RandomStream random)
            {
                left[client] = steps;
                return steps == 0
                    ? new(nowMilliseconds, Completes: true)
                    : Continue(client, nowMilliseconds, ref random);
            }

            public LatencyStep Start(
                int client,
                in ExchangeFeatures features,
                double nowMilliseconds,
                ref RandomStream random
            ) => new(nowMilliseconds + Milliseconds, Completes: true);

            public LatencyStep Continue(int client, double nowMilliseconds, ref RandomStream random) =>
                new(nowMilliseconds + Milliseconds, Completes: --left[client] == 0);
        }
    }

    internal struct Recorder : IFleetObserver
    {
        public List<(int Client, int Sequence, ClientAction Action, ExchangeFeatures Features, double Now)> Started;
        public List<(int Client, int Sequence, ClientAction Action, double Started, double Now, double Latency)> Ended;

        public List<(int Client, double Begun, double Now)>? SetUps;

        readonly void IFleetObserver.SetUp(
            int client,
            in ClientAction action,
            double begunMilliseconds,
            double nowMilliseconds
        ) => SetUps?.Add((client, begunMilliseconds, nowMilliseconds));

        void IFleetObserver.Started(
            int client,
            int sequence,
            in ClientAction action,
            in ExchangeFeatures features,
            double nowMilliseconds
        ) => Started.Add((client, sequence, action, features, nowMilliseconds));

        void IFleetObserver.Ended(
            int client,
            int sequence,
            in ClientAction action,
            double startedMilliseconds,
            double nowMilliseconds
        ) =>
            Ended.Add(
                (client, sequence, action, startedMilliseconds, nowMilliseconds, nowMilliseconds - startedMilliseconds)
            );
    }
}
