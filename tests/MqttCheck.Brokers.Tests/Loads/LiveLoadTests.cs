using System.Diagnostics;
using System.Net;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Loads;
using MqttCheck.Brokers.Loads.Logs;
using MqttCheck.Brokers.Loads.Messages;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Tests.Fleets;
using MqttCheck.Brokers.Tests.Processes;
using MqttCheck.Brokers.Tests.Wire;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.WebSockets;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Brokers.Tests.Loads;

/// <summary>Loads against brokers on the loopback interface, in real time.</summary>
public sealed class LiveLoadTests
{
    private static readonly Workload s_workload = VirtualLoad.Workload() with
    {
        WarmUp = LoadWarmUp.Lasting(TimeSpan.FromMilliseconds(50)),
        Duration = TimeSpan.FromMilliseconds(300),
    };

    [Test]
    [Category("Whole")]
    public async Task Over_each_transport_everything_arrives(
        [Values] bool tls,
        [Values] bool webSocket,
        [Values(WireEngine.Auto, WireEngine.Portable)] WireEngine engine
    )
    {
        var listener = new WireListener(new IPEndPoint(IPAddress.Loopback, 0))
        {
            Tls = tls ? TestCertificates.ServerOptions : null,
            WebSocket = webSocket ? new WebSocketServerOptions() : null,
        };
        await using var broker = EmbeddedBroker.Start(new EmbeddedBrokerOptions { MoreListeners = [listener] });
        var endpoint = new WireEndpoint(broker.MoreAddresses[0])
        {
            Tls = tls ? TestCertificates.ClientOptions : null,
            WebSocket = webSocket ? new WebSocketClientOptions() : null,
        };
        // At a constant rate, messages that fall due while the machine is busy are sent afterwards.
        var workload = s_workload with
        {
            Arrivals = ArrivalKind.Constant,
            MessagesPerSecond = 2000,
        };
        var (result, log) = Run(endpoint, workload, ProtocolVersion.V5, null, engine);
        AssertAllArrived(result, log);
        Assert.That(
            result.Transport,
            Is.EqualTo(
                (tls, webSocket) switch
                {
                    (true, true) => BrokerTransport.SecureWebSocket,
                    (true, false) => BrokerTransport.Tls,
                    (false, true) => BrokerTransport.WebSocket,
                    _ => BrokerTransport.Tcp,
                }
            )
        );
    }

    [TestCase("mosquitto", 5)]
    [TestCase("mosquitto:tuned", 4)]
    [TestCase("mosquitto:tls", 5)]
    [Category("Whole")]
    public async Task Mosquitto_takes_every_quality_of_service(string name, int version)
    {
        Installed.Require("mosquitto");
        await using var broker = await new BrokerLauncher(new BrokerLaunchOptions()).StartAsync(
            BrokerSpecification.Parse(name),
            CancellationToken.None
        );
        Assert.That(BrokerVersions.Newest(broker), Is.EqualTo(ProtocolVersion.V5));
        foreach (var qos in Enum.GetValues<QualityOfService>())
        {
            var workload = s_workload with
            {
                Qos = qos,
                SubscribeQos = qos,
                Arrivals = ArrivalKind.Poisson,
                MessagesPerSecond = 500,
            };
            var (result, log) = Run(broker.Endpoint, workload, (ProtocolVersion)version, broker.ProcessId);
            AssertAllArrived(result, log);
            Assert.That(result.Health.BrokerResidentBytes, Is.Positive);
        }
    }

    [Test]
    [Category("Whole")]
    public async Task Subscribers_come_back_to_their_sessions_on_Mosquitto(
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
        using var process = System.Diagnostics.Process.GetProcessById(broker.ProcessId!.Value);
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

    // The only test that takes the whole time; the laws of stalls are tested in virtual time.
    [Test]
    [Category("Whole")]
    public async Task A_broker_that_stands_still_for_5_s_leaves_whole_logs_of_load_and_fleet()
    {
        Installed.Require("mosquitto");
        await using var broker = await new BrokerLauncher(new BrokerLaunchOptions()).StartAsync(
            BrokerSpecification.Parse("mosquitto:tuned"),
            CancellationToken.None
        );
        const double rate = 200;
        var (messages, exchanges) = (new MessageList(), new ExchangeList());
        var stall = new StallAfter(100, TimeSpan.FromSeconds(5), broker.ProcessId!.Value);
        var workload = s_workload with
        {
            Arrivals = ArrivalKind.Constant,
            MessagesPerSecond = rate,
            InFlight = 2000,
            Duration = TimeSpan.FromSeconds(7),
        };
        var fleet = new FleetSetup
        {
            Population = Population.Of(VirtualRun.Profile(wait: new UniformLaw(0, 100))),
            Clients = 10,
            Duration = TimeSpan.FromSeconds(7),
            Seed = 1,
            Endpoint = broker.Endpoint,
            Prefix = FleetSetup.NewPrefix(),
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
        // r (S - x), S as it was; a second stall, of the machine, may add to it.
        Assert.That(stall.Length.TotalSeconds, Is.GreaterThanOrEqualTo(5));
        Assert.That(
            messages.Messages.Count(message =>
                message.DeliveredNanoseconds - message.IntendedNanoseconds > 2_000_000_000
            ),
            Is.GreaterThan(0.9 * rate * (5 - 2)).And.LessThan(1.1 * rate * (stall.Length.TotalSeconds - 2) + 50)
        );
        Assert.That(
            exchanges.Exchanges.Select(exchange => exchange.IssueIndex).Order(),
            Is.EqualTo(Enumerable.Range(0, exchanges.Exchanges.Count))
        );
        Assert.That(exchanges.Exchanges.Select(exchange => exchange.Outcome), Is.All.EqualTo(ExchangeOutcome.Success));
        // One exchange of every client was open at once, for most of the time that the broker stood still. The machine
        // may have stood still as well, at another time.
        var slow = exchanges.Exchanges.Where(exchange => exchange.LatencyMilliseconds > 2000).ToArray();
        var open = slow.Select(ended =>
            slow.Where(other =>
                    other.SentMicroseconds < ended.EndMicroseconds && other.EndMicroseconds >= ended.EndMicroseconds
                )
                .Select(other => other.Client)
                .Distinct()
                .Count()
        );
        Assert.That(
            open,
            Has.Some.EqualTo(fleet.Clients),
            string.Join('\n', slow.Select(one => (one.Client, one.SentMicroseconds, one.EndMicroseconds)))
        );
        Assert.That((fleetResult.Lost, fleetResult.Duplicates, fleetResult.SessionsLeft), Is.EqualTo((0L, 0L, 0)));
    }

    [Test]
    public async Task The_newest_version_is_asked_for()
    {
        await using var broker = EmbeddedBroker.Start(new EmbeddedBrokerOptions());
        Assert.That(BrokerVersions.Newest(broker), Is.EqualTo(ProtocolVersion.V5));
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
            Is.EqualTo((0, 0, 0))
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
        int? processId,
        WireEngine engine = WireEngine.Auto
    )
    {
        var log = new MessageList();
        var run = new LoadRun(
            Setup(endpoint, workload, version, processId),
            log,
            TimeProvider.System,
            createWire: options => WireFactory.Create(options with { Engine = engine })
        );
        return (run.Run(), log);
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

    private sealed class KillAfter(long messages, System.Diagnostics.Process process) : IProgress<LoadProgress>
    {
        public void Report(LoadProgress value)
        {
            if (value.Delivered > messages && !process.HasExited)
                process.Kill();
        }
    }
}
