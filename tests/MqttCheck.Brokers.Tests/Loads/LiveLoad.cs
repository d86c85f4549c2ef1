using System.Diagnostics;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Loads;
using MqttCheck.Brokers.Loads.Logs;
using MqttCheck.Brokers.Loads.Messages;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Tests.Fleets;
using MqttCheck.Brokers.Tests.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Brokers.Tests.Loads;

/// <summary>Rules that loads of every kind of client keep on the loopback interface, in real time.</summary>
internal abstract class LiveLoad(ClientKind client)
{
    protected const int StalledRate = 200,
        StalledClients = 10;

    protected static Workload Short { get; } =
        VirtualLoad.Workload() with
        {
            WarmUp = LoadWarmUp.Lasting(TimeSpan.FromMilliseconds(50)),
            Duration = TimeSpan.FromMilliseconds(300),
        };

    [Test]
    [Category("Whole")]
    public async Task Subscribers_come_back_to_their_sessions_on_Mosquitto(
        [Values(ProtocolVersion.V311, ProtocolVersion.V5)] ProtocolVersion version
    )
    {
        await using var broker = await Installed.MosquittoAsync("mosquitto:tuned");
        var workload = Short with
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
        await using var broker = await Installed.MosquittoAsync();
        using var process = Process.GetProcessById(broker.ProcessId!.Value);
        var log = new MessageList();
        var setup = Setup(
            broker.Endpoint,
            Short with
            {
                Duration = TimeSpan.FromMinutes(5),
            },
            ProtocolVersion.V5,
            null
        ) with
        {
            ConnectPatience = TimeSpan.FromMilliseconds(300),
        };
        var result = new LoadRun(
            setup,
            log,
            TimeProvider.System,
            new ProgressHandler<LoadProgress>(progress =>
            {
                if (progress.Delivered > 200 && !process.HasExited)
                    process.Kill();
            })
        ).Run();
        log.AssertBalanced(result);
        Assert.That(result.Failure, Does.StartWith("no client was connected any more"));
    }

    // The only test that takes the whole time; the laws of stalls are tested in virtual time.
    [Test]
    [Category("Whole")]
    public async Task A_broker_that_stands_still_for_5_s_leaves_whole_logs_of_load_and_fleet()
    {
        await using var broker = await Installed.MosquittoAsync("mosquitto:tuned");
        var (messages, exchanges) = (new MessageList(), new ExchangeList());
        var stall = new StallAfter(100, TimeSpan.FromSeconds(5), broker.ProcessId!.Value);
        var workload = Short with
        {
            Arrivals = ArrivalKind.Constant,
            MessagesPerSecond = StalledRate,
            InFlight = 2000,
            Duration = TimeSpan.FromSeconds(7),
        };
        var fleet = new FleetSetup
        {
            Population = Population.Of(VirtualRun.Profile(wait: new UniformLaw(0, 100))),
            Clients = StalledClients,
            Duration = TimeSpan.FromSeconds(7),
            Seed = 1,
            Endpoint = broker.Endpoint,
            Prefix = FleetSetup.NewPrefix(),
            Client = client,
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
        AssertStalled(messages, exchanges, stall.Length.TotalSeconds);
        exchanges.AssertWhole();
        Assert.That(exchanges.Exchanges.Select(exchange => exchange.Outcome), Is.All.EqualTo(ExchangeOutcome.Success));
        Assert.That((fleetResult.Lost, fleetResult.Duplicates, fleetResult.SessionsLeft), Is.EqualTo((0L, 0L, 0)));
    }

    /// <summary>Looks at a load and a fleet whose broker stood still for a time.</summary>
    protected abstract void AssertStalled(MessageList messages, ExchangeList exchanges, double seconds);

    protected static void AssertAllArrived(LoadResult result, MessageList log)
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

    protected (LoadResult Result, MessageList Log) Run(
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

    protected LoadSetup Setup(WireEndpoint endpoint, Workload workload, ProtocolVersion version, int? processId) =>
        new()
        {
            Workload = workload,
            Endpoint = endpoint,
            Version = version,
            Prefix = FleetSetup.NewPrefix(),
            Seed = 1,
            Drain = TimeSpan.FromSeconds(20),
            BrokerProcessId = processId,
            Client = client,
        };

    // Stops a process once enough was delivered, and has it go on later.
    protected sealed class StallAfter(long messages, TimeSpan length, int process) : IProgress<LoadProgress>
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
}
