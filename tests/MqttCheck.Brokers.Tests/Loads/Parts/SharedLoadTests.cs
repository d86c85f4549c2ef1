using System.Net;
using MqttCheck.Broker.Delays;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Loads;
using MqttCheck.Brokers.Loads.Logs;
using MqttCheck.Brokers.Loads.Parts;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Tests.Fleets.Parts;
using MqttCheck.Health;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Tests.Loads.Parts;

/// <summary>A load in several parts, on a broker in this process that holds each answer back for 3 ms.</summary>
[TestFixture]
internal sealed class SharedLoadTests
{
    private static readonly Workload s_pairs = new()
    {
        Name = "test",
        Publishers = 7,
        Subscribers = 7,
        Arrivals = ArrivalKind.Constant,
        MessagesPerSecond = 210,
        WarmUp = LoadWarmUp.Lasting(TimeSpan.FromMilliseconds(200)),
        Duration = TimeSpan.FromSeconds(1),
        Version = ProtocolVersion.V311,
    };

    private EmbeddedBroker _broker = null!;

    [SetUp]
    public void Start() => _broker = EmbeddedBroker.Start(new() { Delays = DelayPlan.Parse("constant:3ms", "delay") });

    [TearDown]
    public async Task End() => await _broker.DisposeAsync();

    [TestCase(1)]
    [TestCase(2)]
    [TestCase(3)]
    [Category("Whole")]
    public void Parts_send_together_what_one_process_sends_and_nothing_is_lost_or_counted_twice(int parts)
    {
        var result = Run(new LocalCrew(parts), s_pairs);
        Assert.That(result.Failure, Is.Null);
        // A rate that does not divide leaves a message more or less to each part.
        Assert.That(result.Counters.Messages, Is.EqualTo(210).Within(parts));
        Assert.That(
            (result.Counters[LoadOutcome.Delivered], result.Times.Latency.Count),
            Is.EqualTo((result.Counters.Messages, result.Counters.Messages))
        );
        Assert.That(result.Times.Latency.QuantileNanoseconds(.5), Is.GreaterThan(3e6));
        Assert.That(result.Counters.Duplicates + result.Counters.Strays + result.Counters.Reordered, Is.Zero);
        Assert.That(
            (result.Workload, result.SessionsLeft, result.Health.Loop),
            Is.EqualTo((s_pairs, 0, LoadLoop.Open))
        );
    }

    [Test]
    [Category("Whole")]
    public void A_subscriber_of_a_fan_in_is_in_one_part_with_all_who_publish_to_it()
    {
        var workload = s_pairs with { Shape = WorkloadShape.FanIn, Publishers = 7, Subscribers = 3 };
        var parts = Enumerable.Range(0, 2).Select(part => LoadDivision.Part(Setup(workload), part, 2).Workload);
        Assert.That(
            parts.Select(part => (part.Publishers, part.Subscribers)),
            // Publishers 0, 2, 3, 5 and 6 send to subscribers 0 and 2; 1 and 4 to subscriber 1.
            Is.EqualTo([(5, 2), (2, 1)])
        );
        var result = Run(new LocalCrew(2), workload);
        Assert.That(result.Counters[LoadOutcome.Delivered], Is.EqualTo(result.Counters.Messages).And.Positive);
        Assert.That(result.Counters.Strays, Is.Zero);
    }

    [Test]
    [Category("Whole")]
    public void A_lost_worker_makes_the_run_invalid_with_the_reason_and_the_next_one_is_made()
    {
        var asked = 0;
        var crew = new LocalCrew(2) { Loses = part => part == 1 && ++asked > 5 };
        var result = Run(crew, s_pairs with { Duration = TimeSpan.FromMinutes(1) });
        Assert.That(result.Verdict, Is.EqualTo(LoadVerdict.Invalid));
        Assert.That(result.Health.LostWorker, Does.Contain("worker 1 did not answer"));
        crew.Loses = null;
        Assert.That(Run(crew, s_pairs).Health.LostWorker, Is.Null);
    }

    [Test]
    public void A_cancelled_run_ends_early_in_all_parts()
    {
        using var cancellation = new CancellationTokenSource(TimeSpan.FromSeconds(1));
        var result = Run(new LocalCrew(2), s_pairs with { Duration = TimeSpan.FromMinutes(10) }, cancellation.Token);
        Assert.That((result.Interrupted, result.Verdict), Is.EqualTo((true, LoadVerdict.Interrupted)));
    }

    [Test]
    public void A_broker_that_is_not_there_is_one_failure()
    {
        var setup = Setup(s_pairs) with
        {
            // Nobody listens at the discard port of loopback.
            Endpoint = new(new IPEndPoint(IPAddress.Loopback, 9)),
            ConnectPatience = TimeSpan.FromMilliseconds(200),
        };
        Assert.That(
            () => new SharedLoadRunner(new LocalCrew(2)).Run(setup, null, TimeProvider.System, null, default, default),
            Throws.TypeOf<BrokerException>()
        );
    }

    [Test]
    public void What_cannot_be_divided_is_refused()
    {
        var runner = new SharedLoadRunner(new LocalCrew(2));
        Assert.That(
            () => runner.Require(Setup(s_pairs with { Shape = WorkloadShape.FanOut, Publishers = 1 })),
            Throws.TypeOf<InputException>().With.Message.Contains("fan-out")
        );
        Assert.That(
            () => runner.Require(Setup(s_pairs with { Topic = "all/{publisher}", Filter = "all/{subscriber}" })),
            Throws.TypeOf<InputException>().With.Message.Contains("{prefix}")
        );
    }

    private LoadResult Run(LocalCrew crew, Workload workload, CancellationToken cancellation = default) =>
        new SharedLoadRunner(crew).Run(Setup(workload), null, TimeProvider.System, null, cancellation, default);

    private LoadSetup Setup(Workload workload) =>
        new()
        {
            Workload = workload,
            Endpoint = new(_broker.Address),
            Prefix = "mqttcheck/0badcafe/",
            Seed = 3,
        };
}
