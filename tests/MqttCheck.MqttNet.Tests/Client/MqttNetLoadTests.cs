using System.Diagnostics;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Loads;
using MqttCheck.Brokers.Loads.Logs;
using MqttCheck.Brokers.Loads.Messages;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Tests.Fleets;
using MqttCheck.Brokers.Tests.Loads;
using MqttCheck.Brokers.Tests.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Logs;
using MqttCheck.MqttNet.Client;
using MqttCheck.Profiles;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.MqttNet.Tests.Client;

/// <summary>Loads by MQTTnet clients on the loopback interface, in real time.</summary>
public sealed class MqttNetLoadTests
{
    private static readonly Workload s_workload = VirtualLoad.Workload() with
    {
        WarmUp = LoadWarmUp.Lasting(TimeSpan.FromMilliseconds(50)),
        Duration = TimeSpan.FromMilliseconds(300),
    };

    [Test]
    [Category("Whole")]
    public async Task Every_message_arrives_once(
        [Values] QualityOfService qos,
        [Values(ProtocolVersion.V311, ProtocolVersion.V5)] ProtocolVersion version,
        [Values(0, 500)] int rate
    )
    {
        await using var broker = EmbeddedBroker.Start(new EmbeddedBrokerOptions());
        var workload = s_workload with { Qos = qos, SubscribeQos = qos };
        if (rate > 0)
            workload = workload with { Arrivals = ArrivalKind.Poisson, MessagesPerSecond = rate };

        var (result, log) = Run(new WireEndpoint(broker.Address), workload, version, null);

        AssertAllArrived(result, log);
    }

    [Test]
    [Category("Whole")]
    public async Task Subscribers_come_back_to_their_sessions_and_leave_none(
        [Values(ProtocolVersion.V311, ProtocolVersion.V5)] ProtocolVersion version
    )
    {
        Installed.Require("mosquitto");
        await using var broker = await new BrokerLauncher(new BrokerLaunchOptions()).StartAsync(
            BrokerSpecification.Parse("mosquitto:tuned"),
            CancellationToken.None
        );
        var workload = s_workload with
        {
            PersistentSubscribers = true,
            Arrivals = ArrivalKind.Constant,
            MessagesPerSecond = 400,
            Duration = TimeSpan.FromSeconds(1),
            OfflineShare = .5,
            OfflineTime = TimeSpan.FromMilliseconds(300),
        };

        var (result, log) = Run(broker.Endpoint, workload, version, broker.ProcessId);

        AssertAllArrived(result, log);
        // What they missed came right behind the CONNACK.
        Assert.That(result.Counters.CaughtUp, Is.Positive);
        Assert.That(result.SessionsLeft, Is.Zero);
    }

    [Test]
    public async Task A_broker_that_is_killed_ends_the_run()
    {
        Installed.Require("mosquitto");
        await using var broker = await new BrokerLauncher(new BrokerLaunchOptions()).StartAsync(
            BrokerSpecification.Parse("mosquitto"),
            CancellationToken.None
        );
        using var process = Process.GetProcessById(broker.ProcessId!.Value);
        var log = new MessageList();
        var setup = Setup(
            broker.Endpoint,
            s_workload with
            {
                Duration = TimeSpan.FromMinutes(5),
            },
            ProtocolVersion.V5,
            null
        ) with
        {
            ConnectPatience = TimeSpan.FromMilliseconds(300),
        };

        var result = new LoadRun(setup, log, TimeProvider.System, new KillAfter(200, process)).Run();

        log.AssertBalanced(result);
        Assert.That(result.Failure, Does.StartWith("no client was connected any more"));
    }

    // As long as it takes: 5 s.
    [Test]
    [Category("Whole")]
    public async Task A_broker_that_stands_still_for_5_s_leaves_whole_logs_of_load_and_fleet()
    {
        Installed.Require("mosquitto");
        await using var broker = await new BrokerLauncher(new BrokerLaunchOptions()).StartAsync(
            BrokerSpecification.Parse("mosquitto:tuned"),
            CancellationToken.None
        );
        var (messages, exchanges) = (new MessageList(), new ExchangeList());
        var stall = new StallAfter(100, TimeSpan.FromSeconds(5), broker.ProcessId!.Value);
        var workload = s_workload with
        {
            Arrivals = ArrivalKind.Constant,
            MessagesPerSecond = 200,
            InFlight = 2000,
            Duration = TimeSpan.FromSeconds(7),
        };
        var fleet = MqttNetFleetTests.Setup(broker.Endpoint) with
        {
            Population = Population.Of(VirtualRun.Profile(wait: new UniformLaw(0, 100))),
            Clients = 10,
            CountedSequences = null,
            Duration = TimeSpan.FromSeconds(7),
        };
        var fleetRun = Task.Run(() => new FleetRun(fleet, exchanges).Run());

        var result = new LoadRun(
            Setup(broker.Endpoint, workload, ProtocolVersion.V5, broker.ProcessId),
            messages,
            TimeProvider.System,
            stall
        ).Run();

        var fleetResult = await fleetRun;
        AssertAllArrived(result, messages);
        using var _ = Assert.EnterMultipleScope();
        Assert.That(stall.Length.TotalSeconds, Is.GreaterThanOrEqualTo(5));
        MqttNetFleetTests.AssertWhole(exchanges);
        Assert.That(exchanges.Exchanges.Select(exchange => exchange.Outcome), Is.All.EqualTo(ExchangeOutcome.Success));
        // One exchange of every client was open when the broker stood still.
        Assert.That(
            exchanges
                .Exchanges.Where(exchange => exchange.LatencyMilliseconds > 2000)
                .Select(exchange => exchange.Client)
                .Distinct()
                .Count(),
            Is.EqualTo(fleet.Clients)
        );
        Assert.That((fleetResult.Lost, fleetResult.Duplicates, fleetResult.SessionsLeft), Is.EqualTo((0L, 0L, 0)));
    }

    [Test]
    [Category("Whole")]
    public async Task What_the_library_cannot_send_is_seen_as_back_pressure()
    {
        Installed.Require("mosquitto");
        await using var broker = await new BrokerLauncher(new BrokerLaunchOptions()).StartAsync(
            BrokerSpecification.Parse("mosquitto:tuned"),
            CancellationToken.None
        );
        var stall = new StallAfter(10, TimeSpan.FromSeconds(2), broker.ProcessId!.Value);
        var workload = s_workload with
        {
            Publishers = 1,
            Subscribers = 1,
            Qos = QualityOfService.AtMostOnce,
            SubscribeQos = QualityOfService.AtMostOnce,
            Payload = LoadPayload.OfSize(256 << 10),
            Arrivals = ArrivalKind.Constant,
            MessagesPerSecond = 50,
            Duration = TimeSpan.FromSeconds(3),
        };
        var log = new MessageList();

        var result = new LoadRun(
            Setup(broker.Endpoint, workload, ProtocolVersion.V311, broker.ProcessId),
            log,
            TimeProvider.System,
            stall
        ).Run();

        log.AssertBalanced(result);
        // Two seconds of 13 MB/s that the broker does not read: sending stops at 1 MiB, or at 5 MiB where many messages
        // were due at once, and goes on afterwards. The kernel holds 6 MB, and all the rest would be 20 MB.
        Assert.That(result.Counters.LargestBacklogBytes, Is.InRange(1 << 20, 6 << 20));
        Assert.That(result.Counters[LoadOutcome.Delivered], Is.GreaterThan(50));
    }

    private static void AssertAllArrived(LoadResult result, MessageList log)
    {
        log.AssertBalanced(result);
        using var _ = Assert.EnterMultipleScope();
        Assert.That(result.Failure, Is.Null);
        Assert.That(result.Notes, Is.Empty);
        Assert.That(result.Counters[LoadOutcome.Delivered], Is.Positive.And.EqualTo(result.Counters.Messages));
        Assert.That(
            (result.Counters.Duplicates, result.Counters.Reordered, result.Counters.Strays),
            Is.EqualTo((0L, 0L, 0L))
        );
        Assert.That(
            log.Messages.Where(message => message.AcknowledgedNanoseconds != LoadMessage.None)
                .Select(message => message.AcknowledgedNanoseconds - message.SentNanoseconds),
            Is.All.Not.Negative
        );
        Assert.That(
            log.Messages.Select(message => message.DeliveredNanoseconds - message.SentNanoseconds),
            Is.All.Not.Negative
        );
    }

    private static (LoadResult Result, MessageList Log) Run(
        WireEndpoint endpoint,
        Workload workload,
        ProtocolVersion version,
        int? processId
    )
    {
        var log = new MessageList();
        return (new LoadRun(Setup(endpoint, workload, version, processId), log, TimeProvider.System).Run(), log);
    }

    private static LoadSetup Setup(WireEndpoint endpoint, Workload workload, ProtocolVersion version, int? processId) =>
        new()
        {
            Workload = workload,
            Endpoint = endpoint,
            Version = version,
            Prefix = FleetSetup.NewPrefix(),
            Seed = 1,
            Drain = TimeSpan.FromSeconds(20),
            BrokerProcessId = processId,
            Client = MqttNetClient.Kind,
        };

    // Stops a process once enough was delivered, and has it go on later.
    private sealed class StallAfter(long messages, TimeSpan length, int process) : IProgress<LoadProgress>
    {
        private Suspended? _suspended;
        private long _start;

        public TimeSpan Length { get; private set; }

        public void Report(LoadProgress value)
        {
            if (Length > TimeSpan.Zero)
                return;
            if (_suspended is null && value.Delivered > messages)
            {
                _start = Stopwatch.GetTimestamp();
                _suspended = new(process);
            }
            if (_suspended is null || Stopwatch.GetElapsedTime(_start) < length)
                return;
            _suspended.Dispose();
            Length = Stopwatch.GetElapsedTime(_start);
        }
    }

    private sealed class KillAfter(long messages, Process process) : IProgress<LoadProgress>
    {
        public void Report(LoadProgress value)
        {
            if (value.Delivered > messages && !process.HasExited)
                process.Kill();
        }
    }
}
