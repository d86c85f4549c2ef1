using MqttCheck.Broker.Delays;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Fleets.Parts;
using MqttCheck.Brokers.Processes;
using MqttCheck.Clients;
using MqttCheck.Comparison;
using MqttCheck.Latency.Features;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Shards.Parts;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Brokers.Tests.Fleets.Parts;

/// <summary>A fleet in several parts, on a broker in this process.</summary>
[TestFixture]
internal sealed class SharedFleetTests
{
    private const int Clients = 12;

    private EmbeddedBroker _broker = null!;

    [SetUp]
    public void Start() => _broker = EmbeddedBroker.Start(new() { Delays = DelayPlan.Parse("constant:3ms", "delay") });

    [TearDown]
    public async Task End() => await _broker.DisposeAsync();

    // Which client does what follows from the seed alone, so it is the same wherever the client is.
    [TestCase(1)]
    [TestCase(2)]
    [TestCase(3)]
    [Category("Whole")]
    public void Every_client_does_what_it_does_in_one_process(int parts)
    {
        var (_, alone) = Run(null);
        var (result, together) = Run(new LocalCrew(parts));
        Assert.That(
            result.Count(ExchangeOutcome.Success),
            Is.EqualTo(result.Exchanges),
            string.Join('\n', result.FirstFailures)
        );
        Assert.That(
            (Choices(together), result.Outcomes.Count, result.Outcomes.Select(outcome => outcome.IssueIndex)),
            Is.EqualTo((Choices(alone), 3 * Clients, Enumerable.Range(0, 3 * Clients)))
        );
        Assert.That(result.Strays + result.Lost + result.SessionsLeft, Is.Zero);
    }

    [Test]
    public void The_merged_log_has_every_exchange_once_in_order_and_replays_to_the_features_that_it_holds()
    {
        var (result, log) = Run(new LocalCrew(3));
        Assert.That(log, Has.Count.EqualTo(result.Exchanges));
        Assert.That(log.Select(exchange => exchange.EndMicroseconds), Is.Ordered);
        var bySending = log.OrderBy(exchange => exchange.SentMicroseconds).ToList();
        Assert.That(bySending.Select(exchange => exchange.IssueIndex), Is.EqualTo(Enumerable.Range(0, log.Count)));
        var replayed = ExchangeLogReplay.Features([.. log]);
        Assert.That(
            log.Select(exchange => (exchange.ActiveMessages, exchange.TotalSubscriptions)),
            Is.EqualTo(replayed.Select(features => (features.Active, features.TotalSubscriptions)))
        );
        // Each client is at one thing at a time.
        foreach (var client in log.GroupBy(exchange => exchange.Client))
        {
            var own = client.OrderBy(exchange => exchange.IssueIndex).ToList();
            Assert.That(own.Zip(own.Skip(1)).All(pair => pair.First.EndMicroseconds <= pair.Second.SentMicroseconds));
        }
    }

    [Test]
    [Category("Whole")]
    public void Clients_of_all_parts_connect_at_the_rate_of_the_fleet()
    {
        var (result, log) = Run(new LocalCrew(2), Talkers with { ConnectsPerSecond = 20, Retain = true });
        var first = log.Where(exchange => exchange.Message == MessageKind.Connect)
            .GroupBy(exchange => exchange.Client)
            .OrderBy(client => client.Key)
            .Select(client => client.Min(exchange => exchange.IntendedMicroseconds) / 1000)
            .ToList();
        Assert.That(first, Is.EqualTo(Enumerable.Range(0, Clients).Select(client => client * 50)).Within(1));
        Assert.That((result.Lost, result.Strays, result.SessionsLeft), Is.EqualTo((0, 0, 0)));
    }

    // Everybody subscribes to the one topic: each publication has receivers in the other part.
    [Test]
    public void A_publication_is_awaited_from_the_clients_of_other_parts()
    {
        var (result, log) = Run(new LocalCrew(2), Talkers);
        var published = Published(log);
        Assert.That(published, Has.Count.GreaterThan(50));
        Assert.That(result.Lost, Is.Zero);
        // As many as in one process, where 300 publications have 5 receivers; a part alone has half of them.
        var alone = Published(Run(null, Talkers).Log);
        Assert.That(
            published.Average(exchange => exchange.Receivers),
            Is.EqualTo(alone.Average(exchange => exchange.Receivers)).Within(30).Percent
        );
    }

    // The broker holds a delivery back for 3 ms.
    [Test]
    [Category("Whole")]
    public void The_way_of_the_news_from_part_to_part_is_no_part_of_a_latency()
    {
        var (_, log) = Run(new LocalCrew(2) { Way = TimeSpan.FromMilliseconds(150) }, Talkers);
        Assert.That(Median(Published(log)), Is.InRange(3.0, 140.0));
    }

    [Test]
    [Category("Whole")]
    public void A_clock_that_is_not_corrected_shows_in_the_deliveries_between_parts()
    {
        var crew = new LocalCrew(2);
        crew.ClockErrors[1] = 300_000_000;
        var (_, log) = Run(crew, Talkers);
        var fromFirst = Published(log).Where(exchange => exchange.Client % 2 == 0).ToList();
        Assert.That(Median(fromFirst), Is.GreaterThan(300), "300 ms that are none");
    }

    [Test]
    [Category("Whole")]
    public void A_lost_worker_makes_the_run_invalid_with_the_reason_and_its_log_whole()
    {
        // On a busy machine it takes a while until the worker's clients have done something.
        var list = new ExchangeList();
        var asked = 0;
        var crew = new LocalCrew(2)
        {
            Loses = part => part == 1 && list.Exchanges.Exists(exchange => exchange.Client % 2 == 1) && ++asked > 8,
        };
        var (result, log) = Run(crew, VirtualRun.Profile(new UniformLaw(0, 1)), sequences: 1_000_000, list);
        Assert.That(result.Health.IsValid, Is.False);
        Assert.That(
            result.Health.Findings[0].Text,
            Is.EqualTo("A worker was lost during the run, and its clients with it: worker 1 did not answer.")
        );
        Assert.That(result.Interrupted, Is.False);
        Assert.That(log.Select(exchange => exchange.EndMicroseconds), Is.Ordered);
        Assert.That(log.Select(exchange => exchange.Client % 2).Distinct(), Is.EquivalentTo((int[])[0, 1]));
        Assert.That(log, Has.Some.Matches<Exchange>(exchange => exchange.Outcome == ExchangeOutcome.Cancelled));
        // The next run is made with the other one.
        var (next, _) = Run(new LocalCrew(1));
        Assert.That(next.Health.LostWorker, Is.Null);
        Assert.That(next.Outcomes, Has.Count.EqualTo(3 * Clients));
    }

    [Test]
    public void Interrupted_it_ends_all_parts_and_logs_what_was_open()
    {
        using var interrupt = new CancellationTokenSource();
        var crew = new LocalCrew(2);
        var log = new ExchangeList();
        var setup = Setup(VirtualRun.Profile(new UniformLaw(0, 1))) with { CountedSequences = 1_000_000 };
        var result = new SharedFleetRunner(crew).Run(
            setup,
            log,
            new ProgressHandler<FleetProgress>(progress =>
            {
                if (progress.Completed > 100)
                    interrupt.Cancel();
            }),
            interrupt.Token,
            default
        );
        Assert.That(
            (result.Interrupted, result.SessionsLeft, log.Exchanges.Count),
            Is.EqualTo((true, 0, result.Exchanges))
        );
        Assert.That(result.Count(ExchangeOutcome.Cancelled), Is.GreaterThan(0));
    }

    [Test]
    public async Task A_broker_that_nobody_reaches_is_told_as_in_one_process()
    {
        var setup = Setup(VirtualRun.Profile());
        await _broker.DisposeAsync();
        Assert.That(
            () => new SharedFleetRunner(new LocalCrew(2)).Run(setup, new ExchangeList(), null, default, default),
            Throws.TypeOf<BrokerException>().With.Message.StartsWith("No client could connect to 127.0.0.1:")
        );
    }

    // Half of the deliveries cross from part to part. Sequences of three answers between 20 and 220 ms are within 197
    // ms with a probability of .7. The test is wrong with a probability of .001.
    [Test]
    [Category("Whole")]
    public async Task One_part_and_two_are_the_same_to_a_comparison()
    {
        const int mostPairs = 10;
        await using var broker = EmbeddedBroker.Start(new() { Delays = DelayPlan.Parse("uniform:20..220ms", "delay") });
        var profile = VirtualRun.Profile(new UniformLaw(0, 20)) with { SequenceLength = 3 };
        var test = new TwoSampleTest(new() { Error = .001, Indifference = .25 });
        var result = test.Conclude();
        for (var run = 0; run < mostPairs && !result.IsDecided; run++)
            result = test.AddPair(Count(1, run), Count(2, run));
        // Other work on this machine disturbs runs, so that a verdict may be withheld. Neither may be called faster.
        Assert.That(result.Verdict, Is.AnyOf(TwoSampleVerdict.NoDifference, TwoSampleVerdict.Withheld), result.Reason);
        Assert.That(TwoSampleResult.Mean(result.Second), Is.InRange(.3, .9), "the threshold tells something");

        RunCount Count(int parts, int run)
        {
            var setup = FleetSetup.For(broker, Population.Of(profile), 80, FleetSetup.NewPrefix()) with
            {
                CountedSequences = 1,
                Seed = 5,
                Run = run,
            };
            var runner = new SharedFleetRunner(new LocalCrew(parts));
            return RunCount.Of(runner.Run(setup, new ExchangeList(), null, default, default).Outcomes, 197);
        }
    }

    [Test]
    public void What_workers_could_not_reach_is_refused_before_anybody_connects()
    {
        var setup = Setup(VirtualRun.Profile());
        Assert.That(
            () => Crews.Require([setup.Endpoint], [new(System.Net.IPAddress.Parse("192.0.2.7"), 1)]),
            Throws
                .TypeOf<InputException>()
                .With.Message.Contains("is reached from this machine only, and a worker is at 192.0.2.7")
        );
        Assert.That(
            () => Crews.Require([setup.Endpoint with { WebSocket = new() }], []),
            Throws.TypeOf<InputException>().With.Message.Contains("by TLS or WebSocket; allowed with workers")
        );
    }

    [Test]
    public void The_bound_holds_the_drift_of_the_clocks_too()
    {
        PartClock[] before = [new(0, 100), new(5000, 200), new(7000, 50)],
            after = [new(20, 100), new(5600, 100), new(7000, 50)];
        // The largest error of each; two parts may differ by the sum of the two largest.
        Assert.That((SharedRun.Bound([before, after]), SharedRun.Bound([before])), Is.EqualTo((700 + 120, 200 + 100)));
    }

    private static UsageProfile Talkers =>
        VirtualRun.Profile(new UniformLaw(5, 15), topics: 1, weights: new(1, 0, 20, 4, 0));

    private (FleetRunResult Result, List<Exchange> Log) Run(
        LocalCrew? crew,
        UsageProfile? profile = null,
        int sequences = 3,
        ExchangeList? log = null
    )
    {
        log ??= new ExchangeList();
        var setup = Setup(profile ?? VirtualRun.Profile(new UniformLaw(0, 20))) with { CountedSequences = sequences };
        IFleetRunner runner = crew is null ? LocalFleetRunner.Instance : new SharedFleetRunner(crew);
        return (runner.Run(setup, log, null, default, default), log.Exchanges);
    }

    private FleetSetup Setup(UsageProfile profile) =>
        FleetSetup.For(_broker, Population.Of(profile), Clients, FleetSetup.NewPrefix()) with
        {
            CountedSequences = 3,
            Seed = 5,
        };

    private static List<string> Choices(List<Exchange> log) =>
        [
            .. log.Where(exchange => exchange.Sequence <= 3 && exchange.Phase == ExchangePhase.Counted)
                .OrderBy(exchange => exchange.Client)
                .ThenBy(exchange => exchange.IssueIndex)
                .Select(one => $"{one.Client} {one.Sequence} {one.Message} {one.Topic} {one.MessageSize} {one.Qos}"),
        ];

    private static List<Exchange> Published(List<Exchange> log) =>
        [
            .. log.Where(exchange =>
                exchange is { Message: MessageKind.Publish, Outcome: ExchangeOutcome.Success, Receivers: > 0 }
            ),
        ];

    private static double Median(List<Exchange> exchanges) =>
        exchanges.Select(exchange => exchange.LatencyMilliseconds).Order().ElementAt(exchanges.Count / 2);
}
