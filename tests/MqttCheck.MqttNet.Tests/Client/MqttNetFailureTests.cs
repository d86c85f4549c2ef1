using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Tests.Fleets;
using MqttCheck.Brokers.Tests.Processes;
using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.MqttNet.Tests.Client;

/// <summary>
/// Fleets of MQTTnet clients on brokers that fail, in real time: the run goes on or ends with the reason, and the log
/// holds every exchange once.
/// </summary>
public sealed class MqttNetFailureTests
{
    private readonly List<Exception> _unobserved = [];

    [OneTimeSetUp]
    public void Watch() => TaskScheduler.UnobservedTaskException += Note;

    [OneTimeTearDown]
    public void No_exception_was_left_unobserved()
    {
        // Tasks complain when they are collected.
        GC.Collect();
        GC.WaitForPendingFinalizers();
        TaskScheduler.UnobservedTaskException -= Note;
        lock (_unobserved)
            Assert.That(_unobserved, Is.Empty);
    }

    [Test]
    public void A_refused_connection_ends_the_run_with_the_brokers_answer_in_words(
        [Values(ProtocolVersion.V311, ProtocolVersion.V5)] ProtocolVersion version
    )
    {
        using var live = new LiveBroker(broker =>
            (broker.Version, broker.Script) = (
                version,
                (_, packet) => packet is ConnectPacket ? Fault.Refuse : Fault.None
            )
        );
        var log = new ExchangeList();

        var failure = Assert.Throws<BrokerException>(() =>
            new FleetRun(MqttNetFleetTests.Setup(live.Endpoint) with { ProtocolVersion = version }, log).Run()
        );

        Assert.That(
            failure.Message,
            Does.StartWith(
                    $"No client could connect to {live.Broker.Address}: the broker refused the connection (CONNACK "
                )
                .And.Contain(version == ProtocolVersion.V5 ? "135: NotAuthorized" : "5: not authorized")
        );
        log.AssertWhole();
    }

    [Test]
    public void A_refused_request_fails_its_sequence_and_the_client_goes_on(
        [Values(MessageKind.Subscribe, MessageKind.Unsubscribe, MessageKind.Publish)] MessageKind kind,
        [Values(QualityOfService.AtLeastOnce, QualityOfService.ExactlyOnce)] QualityOfService qos
    )
    {
        using var live = new LiveBroker(broker =>
            (broker.Version, broker.Script) = (ProtocolVersion.V5, Once(kind, Fault.Refuse))
        );
        var log = new ExchangeList();

        var result = new FleetRun(Setup(live, ProtocolVersion.V5, qos), log).Run();

        var failed = log.Exchanges.Where(exchange => exchange.Outcome != ExchangeOutcome.Success).ToArray();
        using var _ = Assert.EnterMultipleScope();
        Assert.That(
            failed.Select(exchange => (exchange.Message, exchange.Outcome)),
            Is.EqualTo(new[] { (kind, ExchangeOutcome.Refused) })
        );
        Assert.That(result.FirstFailures, Has.Exactly(1).Items.And.All.Contain("the broker refused"));
        Assert.That(() => live.Broker.Sessions, Is.Zero.After(10).Seconds.PollEvery(10).MilliSeconds);
        log.AssertWhole();
    }

    [TestCase(Fault.Abort, ExchangeOutcome.ConnectionLost)]
    [TestCase(Fault.Close, ExchangeOutcome.ConnectionLost)]
    [TestCase(Fault.Leave, ExchangeOutcome.ConnectionLost)]
    [TestCase(Fault.Garbage, ExchangeOutcome.ConnectionLost)]
    [TestCase(Fault.Ignore, ExchangeOutcome.Timeout)]
    [Category("Whole")]
    public void A_broken_exchange_is_logged_as_such_and_the_client_goes_on(Fault fault, ExchangeOutcome outcome)
    {
        using var live = new LiveBroker(broker =>
            (broker.Version, broker.Script) = (ProtocolVersion.V5, Once(MessageKind.Publish, fault))
        );
        var log = new ExchangeList();

        var result = new FleetRun(Setup(live, ProtocolVersion.V5, QualityOfService.AtLeastOnce), log).Run();

        using var _ = Assert.EnterMultipleScope();
        Assert.That(
            log.Exchanges.Where(exchange => exchange.Outcome != ExchangeOutcome.Success)
                .Select(exchange => (exchange.Message, exchange.Outcome)),
            Is.EqualTo(new[] { (MessageKind.Publish, outcome) })
        );
        Assert.That((result.Outcomes.Count, result.SessionsLeft), Is.EqualTo((10, 0)));
        Assert.That(() => live.Broker.Sessions, Is.Zero.After(10).Seconds.PollEvery(10).MilliSeconds);
        if (fault == Fault.Leave)
            Assert.That(result.FirstFailures[0], Does.Contain("DISCONNECT 139: ServerShuttingDown"));
        log.AssertWhole();
    }

    [Test]
    public void Duplicates_and_strays_are_counted_and_fail_nothing()
    {
        using var duplicating = new LiveBroker(broker =>
            broker.Script = (_, packet) => packet is PublishPacket ? Fault.Duplicate : Fault.None
        );
        using var straying = new LiveBroker(broker =>
            broker.Script = (_, packet) => packet is PublishPacket ? Fault.Stray : Fault.None
        );
        var log = new ExchangeList();

        var duplicated = new FleetRun(
            Setup(duplicating, ProtocolVersion.V311, QualityOfService.AtLeastOnce),
            log
        ).Run();
        var strayed = new FleetRun(Setup(straying, ProtocolVersion.V311, QualityOfService.AtLeastOnce), log).Run();

        using var _ = Assert.EnterMultipleScope();
        Assert.That(log.Exchanges.Select(exchange => exchange.Outcome), Is.All.EqualTo(ExchangeOutcome.Success));
        Assert.That(duplicated.Duplicates, Is.Positive.And.LessThanOrEqualTo(duplicated.Deliveries / 2));
        Assert.That((duplicated.Strays, strayed.Duplicates), Is.EqualTo((0L, 0L)));
        Assert.That(strayed.Strays, Is.Positive);
    }

    // Twelve runs of random faults; the seeds are fixed, the order of threads is not.
    [Test]
    [Category("Whole")]
    public void Whatever_the_broker_does_the_run_ends_and_the_log_is_whole([Range(1, 12)] int seed)
    {
        var random = RandomStream.For((ulong)seed);
        var version = random.NextInt(2) == 0 ? ProtocolVersion.V311 : ProtocolVersion.V5;
        var qos = (QualityOfService)random.NextInt(3);
        Fault[] faults = Enum.GetValues<Fault>();
        using var live = new LiveBroker(broker =>
            (broker.Version, broker.Script) = (
                version,
                (_, _) => random.NextInt(30) == 0 ? faults[random.NextInt(faults.Length)] : Fault.None
            )
        );
        var log = new ExchangeList();

        var result = new FleetRun(
            Setup(live, version, qos) with
            {
                Seed = (ulong)seed,
                ExchangeTimeout = TimeSpan.FromMilliseconds(200),
            },
            log
        ).Run();

        Assert.That(result.Outcomes, Has.Count.EqualTo(10));
        log.AssertWhole();
    }

    [Test]
    [Category("Whole")]
    public void A_keep_alive_that_the_broker_asks_for_is_kept()
    {
        using var live = new LiveBroker(broker =>
            (broker.Version, broker.AnswersPings, broker.ConnackProperties) = (
                ProtocolVersion.V5,
                true,
                new PacketProperties { ServerKeepAliveSeconds = 1 }
            )
        );
        var log = new ExchangeList();
        var profile = VirtualRun.Profile(wait: new ConstantLaw(1500)) with { SequenceLength = 2 };

        var result = new FleetRun(
            MqttNetFleetTests.Setup(live.Endpoint) with
            {
                Population = Population.Of(profile),
                CountedSequences = 1,
                ProtocolVersion = ProtocolVersion.V5,
            },
            log
        ).Run();

        Assert.That(result.FirstFailures, Is.Empty);
        Assert.That(live.Broker.Received.Count(received => received.Packet is PingreqPacket), Is.Positive);
    }

    [Test]
    public async Task A_broker_that_is_killed_ends_the_run_and_the_log_is_whole()
    {
        await using var broker = await Installed.MosquittoAsync();
        using var process = System.Diagnostics.Process.GetProcessById(broker.ProcessId!.Value);
        var log = new ExchangeList();
        var setup = MqttNetFleetTests.Setup(broker.Endpoint) with
        {
            CountedSequences = 100_000,
            ConnectPatience = TimeSpan.FromMilliseconds(300),
        };

        var failure = Assert.Throws<BrokerException>(() =>
            new FleetRun(
                setup,
                log,
                new ProgressHandler<FleetProgress>(progress =>
                {
                    if (progress.Completed > 300 && !process.HasExited)
                        process.Kill();
                })
            ).Run()
        );

        Assert.That(failure.Message, Does.Contain("nobody answers at the address"));
        Assert.That(
            log.Exchanges.Count(exchange => exchange.Outcome == ExchangeOutcome.Success),
            Is.GreaterThanOrEqualTo(300)
        );
        log.AssertWhole();
    }

    private static FleetSetup Setup(LiveBroker live, ProtocolVersion version, QualityOfService qos) =>
        MqttNetFleetTests.Setup(live.Endpoint) with
        {
            Population = Population.Of(VirtualRun.Profile(wait: new UniformLaw(0, 5), qos: qos)),
            ProtocolVersion = version,
            ExchangeTimeout = TimeSpan.FromSeconds(1),
        };

    // Only the first packet of a kind goes wrong.
    private static Func<string, Packet, Fault> Once(MessageKind kind, Fault fault)
    {
        var done = false;
        return (_, packet) =>
        {
            var isIt = packet switch
            {
                PublishPacket => kind == MessageKind.Publish,
                SubscribePacket => kind == MessageKind.Subscribe,
                UnsubscribePacket => kind == MessageKind.Unsubscribe,
                _ => false,
            };
            if (done || !isIt)
                return Fault.None;
            done = true;
            return fault;
        };
    }

    private void Note(object? sender, UnobservedTaskExceptionEventArgs told)
    {
        lock (_unobserved)
            _unobserved.Add(told.Exception);
    }
}
