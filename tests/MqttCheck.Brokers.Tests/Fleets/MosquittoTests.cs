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
public sealed class MosquittoTests : MosquittoFixture
{
    private FleetSetup _setup = null!;

    [SetUp]
    public void Prepare() =>
        _setup = new()
        {
            Population = Population.Of(VirtualRun.Profile(wait: new UniformLaw(0, 20), topics: 10)),
            Clients = 20,
            CountedSequences = 2,
            Seed = 1,
            Endpoint = new WireEndpoint(Broker.Address),
            Prefix = FleetSetup.NewPrefix(),
        };

    // Clients that publish every few milliseconds set free what waits for them, seldom the timer of 40 ms.
    [Test]
    [Category("Whole")]
    public async Task Deliveries_that_are_held_back_until_the_receivers_next_request_are_named()
    {
        await using var tuned = await Installed.MosquittoAsync("mosquitto:tuned");
        Assert.That(HeldShare(tuned), Is.Zero);
        Assert.That(HeldShare(Broker), Is.GreaterThan(.125));
    }

    private double HeldShare(IBrokerUnderTest broker)
    {
        var profile = VirtualRun.Profile(wait: new UniformLaw(0, 20), topics: 5, weights: new(1, 0, 20, 3, 0));
        var setup = _setup with
        {
            Population = Population.Of(profile with { SequenceLength = 200 }),
            CountedSequences = null,
            Duration = TimeSpan.FromSeconds(6),
            Endpoint = broker.Endpoint,
        };
        return new FleetRun(setup, new ExchangeList()).Run().Health.HeldAnswerShare;
    }

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

        LiveFleet.AssertAllSucceeded(result, log, sequences: 40);
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
                    $"{Broker.Address.Port}",
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
}
