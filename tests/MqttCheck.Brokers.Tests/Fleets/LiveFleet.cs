using System.Net;
using System.Net.Sockets;
using MqttCheck.Broker.Core;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Tests.Wire;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.WebSockets;
using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Brokers.Tests.Fleets;

/// <summary>
/// Rules that fleets of every kind of client keep on the loopback interface, in real time: on every transport of
/// the embedded broker, with a password and with certificates of the clients.
/// </summary>
internal abstract class LiveFleet(ClientKind client)
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
            Setup(endpoint, client) with
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
    public void A_port_without_a_broker_is_named()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        var address = (IPEndPoint)socket.LocalEndPoint!;

        // Bound but not listening, so that no other program can take the port meanwhile.
        Assert.That(
            () => new FleetRun(Setup(new WireEndpoint(address), client), new ExchangeList()).Run(),
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
            Setup(new WireEndpoint(broker.Address), client) with
            {
                CountedSequences = 100_000,
            },
            log,
            new ProgressHandler<FleetProgress>(progress =>
            {
                if (progress.Completed >= 500)
                    cancellation.Cancel();
            })
        ).Run(cancellation.Token);

        using var _ = Assert.EnterMultipleScope();
        Assert.That((result.Interrupted, result.SessionsLeft), Is.EqualTo((true, 0)));
        Assert.That(
            log.Exchanges.Select(exchange => exchange.Outcome),
            Has.All.AnyOf(ExchangeOutcome.Success, ExchangeOutcome.Cancelled)
        );
        log.AssertWhole();
    }

    /// <summary>Five clients with two sequences each.</summary>
    protected static FleetSetup Setup(WireEndpoint endpoint, ClientKind client) =>
        new()
        {
            Population = Population.Of(VirtualRun.Profile(wait: new UniformLaw(0, 5))),
            Clients = 5,
            CountedSequences = 2,
            Seed = 1,
            Endpoint = endpoint,
            Prefix = FleetSetup.NewPrefix(),
            Client = client,
        };

    internal static void AssertAllSucceeded(FleetRunResult result, ExchangeList log, int sequences)
    {
        using var _ = Assert.EnterMultipleScope();
        Assert.That(result.FirstFailures, Is.Empty);
        Assert.That(log.Exchanges.Select(exchange => exchange.Outcome), Is.All.EqualTo(ExchangeOutcome.Success));
        Assert.That(
            result.Outcomes.Select(outcome => outcome.Status),
            Has.All.EqualTo(OutcomeStatus.Completed).And.Exactly(sequences).Items
        );
        Assert.That((result.Lost, result.Duplicates, result.Strays, result.SessionsLeft), Is.EqualTo((0L, 0L, 0L, 0)));
        log.AssertWhole();
    }
}
