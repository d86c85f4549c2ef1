using System.Net;
using System.Net.Sockets;
using MqttCheck.Broker.Core;
using MqttCheck.Broker.Delays;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Tests.Fleets;
using MqttCheck.Brokers.Tests.Processes;
using MqttCheck.Brokers.Tests.Wire;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.WebSockets;
using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.MqttNet.Client;
using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.MqttNet.Tests.Client;

/// <summary>The fleet with MQTTnet clients, in real time: the same models, the same log.</summary>
public sealed class MqttNetFleetTests
{
    [Test]
    [Category("Whole")]
    public async Task Every_exchange_succeeds_over_each_transport(
        [Values("tcp", "tls", "ws", "wss")] string transport,
        [Values(ProtocolVersion.V311, ProtocolVersion.V5)] ProtocolVersion version,
        [Values] QualityOfService qos
    )
    {
        await using var broker = EmbeddedBroker.Start(
            new EmbeddedBrokerOptions
            {
                MoreListeners =
                [
                    new(new IPEndPoint(IPAddress.Loopback, 0))
                    {
                        // Clients have to show a certificate.
                        Tls = transport is "tls" or "wss"
                            ? TestCertificates.ServerOptions with
                            {
                                ClientRoots = TestCertificates.Roots,
                            }
                            : null,
                        WebSocket = transport is "ws" or "wss" ? new WebSocketServerOptions() : null,
                    },
                ],
                Broker = new()
                {
                    Access = BrokerAccess.Parse("user anna secret\nanonymous no\nallow anna both #", "access"),
                },
            }
        );
        var endpoint = new WireEndpoint(broker.MoreAddresses[0])
        {
            Tls = transport is "tls" or "wss"
                ? TestCertificates.ClientOptions with
                {
                    ServerName = "localhost",
                    Certificate = TestCertificates.Client,
                }
                : null,
            WebSocket = transport is "ws" or "wss" ? new WebSocketClientOptions() : null,
        };
        var log = new ExchangeList();

        var result = new FleetRun(
            Setup(endpoint) with
            {
                Population = Population.Of(VirtualRun.Profile(wait: new UniformLaw(0, 2), qos: qos)),
                Credentials = new("anna", "secret"),
                ProtocolVersion = version,
            },
            log
        ).Run();

        AssertAllSucceeded(result, log, sequences: 10);
    }

    [Test]
    [Category("Whole")]
    public async Task Every_exchange_succeeds_on_Mosquitto_and_the_messages_come_in(
        [Values] QualityOfService qos,
        [Values(ProtocolVersion.V311, ProtocolVersion.V5)] ProtocolVersion version
    )
    {
        Installed.Require("mosquitto");
        await using var broker = await new BrokerLauncher(new BrokerLaunchOptions()).StartAsync(
            BrokerSpecification.Parse("mosquitto"),
            CancellationToken.None
        );
        var log = new ExchangeList();

        var result = new FleetRun(
            Setup(broker.Endpoint) with
            {
                Population = Population.Of(VirtualRun.Profile(wait: new UniformLaw(0, 20), qos: qos, topics: 10)),
                Clients = 20,
                ProtocolVersion = version,
            },
            log
        ).Run();

        AssertAllSucceeded(result, log, sequences: 40);
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
            Has.All.Matches<Exchange>(exchange => !(exchange.LastDeliveryMicroseconds < exchange.SentMicroseconds))
        );
    }

    [Test]
    public async Task An_exchange_lasts_from_the_call_on_and_no_shorter_than_the_broker_holds_it_back()
    {
        await using var broker = EmbeddedBroker.Start(
            new EmbeddedBrokerOptions { Delays = DelayPlan.Parse("constant:20ms", "test") }
        );
        var log = new ExchangeList();

        new FleetRun(Setup(new WireEndpoint(broker.Address)), log).Run();

        // The end of a connection is no answer, and is not held back.
        var answered = log.Exchanges.Where(exchange => exchange.Message != MessageKind.Disconnect).ToArray();
        Assert.That(answered, Is.Not.Empty);
        Assert.That(answered.Select(exchange => exchange.LatencyMilliseconds), Is.All.GreaterThanOrEqualTo(20));
        // The bound is how long the call itself took: no answer has come within it.
        Assert.That(
            answered,
            Has.All.Matches<Exchange>(exchange =>
                exchange.SendBoundMicroseconds is > 0 and var bound
                && exchange.SentMicroseconds + bound <= exchange.EndMicroseconds
            )
        );
    }

    [Test]
    public void A_port_without_a_broker_is_named()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        var address = (IPEndPoint)socket.LocalEndPoint!;

        // Bound but not listening, so that no other program can take the port meanwhile.
        Assert.That(
            () => new FleetRun(Setup(new WireEndpoint(address)), new ExchangeList()).Run(),
            Throws
                .TypeOf<BrokerException>()
                .With.Message.StartsWith($"No client could connect to {address}: nobody answers at the address")
        );
    }

    [Test]
    public async Task A_run_cancelled_midway_has_a_whole_log_and_leaves_no_session()
    {
        await using var broker = EmbeddedBroker.Start(new EmbeddedBrokerOptions());
        using var cancellation = new CancellationTokenSource();
        var log = new ExchangeList();

        var result = new FleetRun(
            Setup(new WireEndpoint(broker.Address)) with
            {
                CountedSequences = 100_000,
            },
            log,
            new CancelAt(500, cancellation)
        ).Run(cancellation.Token);

        using var _ = Assert.EnterMultipleScope();
        Assert.That((result.Interrupted, result.SessionsLeft), Is.EqualTo((true, 0)));
        Assert.That(
            log.Exchanges.Select(exchange => exchange.Outcome),
            Has.All.AnyOf(ExchangeOutcome.Success, ExchangeOutcome.Cancelled)
        );
        AssertWhole(log);
    }

    [Test]
    public void Kernel_stamps_are_refused_by_name()
    {
        var setup = Setup(new WireEndpoint(new IPEndPoint(IPAddress.Loopback, 1883))) with { KernelSendStamps = true };

        Assert.That(
            () => new FleetRun(setup, new ExchangeList()),
            Throws.TypeOf<InputException>().With.Message.Contains("client mqttnet; allowed: only with own")
        );
    }

    [Test]
    public void The_rehearsal_is_held_with_the_client_that_is_measured() =>
        Assert.That(Rehearsal.Hold(MqttNetClient.Kind), Is.True);

    /// <summary>Five clients with two sequences each.</summary>
    internal static FleetSetup Setup(WireEndpoint endpoint) =>
        new()
        {
            Population = Population.Of(VirtualRun.Profile(wait: new UniformLaw(0, 5))),
            Clients = 5,
            CountedSequences = 2,
            Seed = 1,
            Endpoint = endpoint,
            Prefix = FleetSetup.NewPrefix(),
            Client = MqttNetClient.Kind,
        };

    /// <summary>Every request is in the log exactly once, and a client has one open exchange at a time.</summary>
    internal static void AssertWhole(ExchangeList log)
    {
        Assert.That(
            log.Exchanges.Select(exchange => exchange.IssueIndex).Order(),
            Is.EqualTo(Enumerable.Range(0, log.Exchanges.Count))
        );
        foreach (var own in log.Exchanges.GroupBy(exchange => exchange.Client))
        {
            foreach (var (before, after) in own.Zip(own.Skip(1)))
                Assert.That(
                    after.SentMicroseconds,
                    Is.GreaterThanOrEqualTo(before.EndMicroseconds - 1e-3),
                    $"client {own.Key}"
                );
        }
        Assert.That(
            log.Exchanges,
            Has.All.Matches<Exchange>(exchange =>
                double.IsNaN(exchange.LatencyMilliseconds) == (exchange.Outcome != ExchangeOutcome.Success)
            )
        );
    }

    private static void AssertAllSucceeded(FleetRunResult result, ExchangeList log, int sequences)
    {
        using var _ = Assert.EnterMultipleScope();
        Assert.That(result.FirstFailures, Is.Empty);
        Assert.That(log.Exchanges.Select(exchange => exchange.Outcome), Is.All.EqualTo(ExchangeOutcome.Success));
        Assert.That(
            result.Outcomes.Select(outcome => outcome.Status),
            Has.All.EqualTo(OutcomeStatus.Completed).And.Exactly(sequences).Items
        );
        Assert.That((result.Lost, result.Duplicates, result.Strays, result.SessionsLeft), Is.EqualTo((0L, 0L, 0L, 0)));
        AssertWhole(log);
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
