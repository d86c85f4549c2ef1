using System.Net;
using MqttCheck.Broker.Core;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Tests.Wire;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.WebSockets;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Brokers.Tests.Fleets;

/// <summary>
/// The fleet on every transport of the embedded broker, with a password and with certificates of the clients, in both
/// versions and at every quality of service.
/// </summary>
public sealed class FleetTransportTests
{
    [Test]
    [Category("Whole")]
    public async Task Every_exchange_succeeds(
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
        var log = new ExchangeList();
        var setup = new FleetSetup
        {
            Population = Population.Of(VirtualRun.Profile(wait: new UniformLaw(0, 2), qos: qos)),
            Clients = 5,
            CountedSequences = 2,
            Seed = 1,
            Endpoint = new WireEndpoint(broker.MoreAddresses[0])
            {
                Tls = transport is "tls" or "wss"
                    ? TestCertificates.ClientOptions with
                    {
                        ServerName = "localhost",
                        Certificate = TestCertificates.Client,
                    }
                    : null,
                WebSocket = transport is "ws" or "wss" ? new WebSocketClientOptions() : null,
            },
            Credentials = new("anna", "secret"),
            ProtocolVersion = version,
            Prefix = FleetSetup.NewPrefix(),
        };

        var result = new FleetRun(setup, log).Run();

        using var _ = Assert.EnterMultipleScope();
        Assert.That(result.FirstFailures, Is.Empty);
        Assert.That(log.Exchanges.Select(exchange => exchange.Outcome), Is.All.EqualTo(ExchangeOutcome.Success));
        Assert.That(result.Outcomes, Has.Count.EqualTo(10));
        Assert.That((result.Lost, result.Strays, result.SessionsLeft), Is.EqualTo((0L, 0L, 0)));
    }
}
