using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Fleets.Probes;
using MqttCheck.Brokers.Fleets.Requests;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Brokers.Tests.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clients;
using MqttCheck.Latency.Features;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Brokers.Tests.Fleets;

/// <summary>Runs against a real broker, in real time.</summary>
public sealed class MosquittoTests
{
    private IBrokerUnderTest _broker = null!;
    private FleetSetup _setup = null!;

    [OneTimeSetUp]
    public async Task Start()
    {
        Installed.Require("mosquitto");
        _broker = await new BrokerLauncher(new BrokerLaunchOptions()).StartAsync(
            BrokerSpecification.Parse("mosquitto"),
            CancellationToken.None
        );
    }

    [OneTimeTearDown]
    public async Task Stop()
    {
        if (_broker is not null)
            await _broker.DisposeAsync();
    }

    [SetUp]
    public void Prepare() =>
        _setup = new()
        {
            Population = Population.Of(VirtualRun.Profile(wait: new UniformLaw(0, 20), topics: 10)),
            Clients = 20,
            CountedSequences = 2,
            Seed = 1,
            Endpoint = new WireEndpoint(_broker.Address),
            Prefix = FleetSetup.NewPrefix(),
        };

    [Test]
    [Category("Whole")]
    public void Every_exchange_succeeds_and_no_session_is_left(
        [Values] QualityOfService qos,
        [Values(WireEngine.Auto, WireEngine.Portable)] WireEngine engine
    )
    {
        var setup = _setup with
        {
            Population = Population.Of(VirtualRun.Profile(wait: new UniformLaw(0, 20), qos: qos, topics: 10)),
        };
        var log = new ExchangeList();

        var result = new FleetRun(
            setup,
            log,
            createWire: options => WireFactory.Create(options with { Engine = engine })
        ).Run();

        using var _ = Assert.EnterMultipleScope();
        Assert.That(result.FirstFailures, Is.Empty);
        Assert.That(log.Exchanges.Select(exchange => exchange.Outcome), Has.All.EqualTo(ExchangeOutcome.Success));
        Assert.That(
            result.Outcomes.Select(outcome => outcome.Status),
            Has.All.EqualTo(OutcomeStatus.Completed).And.Exactly(40).Items
        );
        Assert.That(
            (result.Lost, result.Duplicates, result.Strays, result.SessionsLeft, result.Interrupted),
            Is.EqualTo((0L, 0L, 0L, 0, false))
        );
        Assert.That(
            log.Exchanges.Where(exchange => exchange.Message == MessageKind.Publish)
                .Sum(exchange => exchange.Receivers),
            Is.Positive
        );
        Assert.That(
            log.Exchanges,
            Has.All.Matches<Exchange>(exchange => !(exchange.AcknowledgedMicroseconds < exchange.SentMicroseconds))
        );
        Assert.That(
            log.Exchanges,
            Has.All.Matches<Exchange>(exchange => !(exchange.AcknowledgedMicroseconds > exchange.EndMicroseconds))
        );
        Assert.That(Enumerable.Range(0, setup.Clients).Where(client => HasSession(setup, client)), Is.Empty);
        log.AssertWhole();
    }

    [Test]
    public void The_log_replays_to_the_features_that_it_holds()
    {
        var log = new ExchangeList();

        new FleetRun(_setup, log).Run();

        // Where an event was stamped within the last microsecond of another, or handled 100 ms late, the two may differ
        // by the order of the two.
        var replayed = ExchangeLogReplay.Features(log.Exchanges.ToArray());
        var equal = log
            .Exchanges.Zip(replayed)
            .Count(pair =>
                pair.First.ActiveMessages == pair.Second.Active
                && pair.First.TotalSubscriptions == pair.Second.TotalSubscriptions
            );
        Assert.That(equal, Is.GreaterThanOrEqualTo(0.98 * log.Exchanges.Count));
    }

    [Test]
    public void Another_program_sees_what_was_published()
    {
        Installed.Require("mosquitto_sub");
        Installed.Require("stdbuf");
        var seen = new List<string>();
        using var subscribed = new ManualResetEventSlim();
        // %t topic, %l payload bytes; the debug lines, which only stdbuf lets through at once, tell when the
        // subscription stands.
        using var subscriber = Process.Start(
            new ProcessStartInfo(CommandSearch.Find("stdbuf")!)
            {
                ArgumentList =
                {
                    "-oL",
                    CommandSearch.Find("mosquitto_sub")!,
                    "-h",
                    "127.0.0.1",
                    "-p",
                    $"{_broker.Address.Port}",
                    "-t",
                    _setup.Prefix + "#",
                    "-q",
                    "1",
                    "-d",
                    "-F",
                    "message %t %l",
                },
                RedirectStandardOutput = true,
            }
        )!;
        try
        {
            subscriber.OutputDataReceived += (_, line) =>
            {
                if (line.Data?.StartsWith("Subscribed", StringComparison.Ordinal) == true)
                    subscribed.Set();
                if (line.Data?.StartsWith("message ", StringComparison.Ordinal) != true)
                    return;
                lock (seen)
                    seen.Add(line.Data);
            };
            subscriber.BeginOutputReadLine();
            Assert.That(subscribed.Wait(TimeSpan.FromSeconds(20)), Is.True);
            var log = new ExchangeList();

            var result = new FleetRun(_setup, log).Run();

            Assert.That(SpinWait.SpinUntil(() => Count() >= result.Publications, TimeSpan.FromSeconds(20)), Is.True);
            var published = log.Exchanges.Where(exchange => exchange.Message == MessageKind.Publish);
            lock (seen)
                Assert.That(
                    seen,
                    Is.EquivalentTo(
                        published.Select(exchange => $"message {_setup.Prefix}{exchange.Topic} {exchange.MessageSize}")
                    )
                );
        }
        finally
        {
            subscriber.Kill();
            subscriber.WaitForExit();
        }

        int Count()
        {
            lock (seen)
                return seen.Count;
        }
    }

    [Test]
    public void A_run_cancelled_midway_has_a_whole_log_and_leaves_no_session()
    {
        using var cancellation = new CancellationTokenSource();
        var log = new ExchangeList();
        var setup = _setup with { CountedSequences = 100_000 };
        var progress = new CancelAt(1000, cancellation);

        var result = new FleetRun(setup, log, progress).Run(cancellation.Token);

        Assert.That(result.Interrupted, Is.True);
        Assert.That(result.Count(ExchangeOutcome.Success), Is.GreaterThanOrEqualTo(900));
        Assert.That(
            log.Exchanges.Select(exchange => exchange.Outcome),
            Has.All.AnyOf(ExchangeOutcome.Success, ExchangeOutcome.Cancelled)
        );
        Assert.That(
            result.Outcomes.Count(outcome => outcome.Status == OutcomeStatus.Unfinished),
            Is.InRange(1, setup.Clients)
        );
        Assert.That(Enumerable.Range(0, setup.Clients).Where(client => HasSession(setup, client)), Is.Empty);
        log.AssertWhole();
    }

    [Test]
    public void The_idle_latency_is_measured()
    {
        var latency = new IdleProbe(_setup.Endpoint, _broker.Credentials, _setup.Prefix, samples: 200).Run();

        Assert.That(latency.Samples, Is.EqualTo(200));
        Assert.That(
            new[]
            {
                0,
                latency.MinimumMilliseconds,
                latency.MedianMilliseconds,
                latency.P90Milliseconds,
                latency.P99Milliseconds,
                latency.MaximumMilliseconds,
            },
            Is.Ordered
        );
        Assert.That(latency.MinimumMilliseconds, Is.Positive);
    }

    // Asks the broker whether it resumes the client's session, then has it dropped again.
    private static bool HasSession(FleetSetup setup, int client)
    {
        var packets = new RequestPackets(setup);
        var resumed = Connect(clean: false);
        Connect(clean: true);
        return resumed;

        bool Connect(bool clean)
        {
            using var connection = new TcpClient();
            connection.Connect(setup.Endpoint.Address);
            var stream = connection.GetStream();
            stream.Write(packets.Connect(client, clean));
            var connack = new byte[4];
            stream.ReadExactly(connack);
            stream.Write(RequestPackets.Disconnect);
            return connack[2] == 1;
        }
    }

    private sealed class CancelAt(long completed, CancellationTokenSource cancellation) : IProgress<FleetProgress>
    {
        public void Report(FleetProgress value)
        {
            if (value.Completed >= completed)
                cancellation.Cancel();
        }
    }
}
