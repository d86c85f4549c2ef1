using System.Net;
using MqttCheck.Broker.Core;
using MqttCheck.Broker.Faults;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Tests.Processes;
using MqttCheck.Brokers.Tests.Wire;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.WebSockets;
using MqttCheck.Conformance.Checking;
using MqttCheck.Conformance.Generation;
using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Tests.Checking;

/// <summary>
/// The check over TLS, WebSocket and both: the same scenarios on live brokers, judged in the same way.
/// </summary>
[TestFixture]
public sealed class TransportTests
{
    private const int Scenarios = 300;

    // A handshake with Mosquitto's key of 4096 bits takes far longer than one with the embedded broker's.
    private const int MosquittoScenarios = 30;
    private const int MosquittoSeeds = 20;

    // So many scenarios take seconds; the time is there to end a run that hangs.
    private static readonly TimeSpan s_budget = TimeSpan.FromMinutes(10);

    [Test]
    [Category("Whole")]
    public async Task The_embedded_broker_does_right_over_every_transport(
        [Values(false, true)] bool tls,
        [Values(false, true)] bool webSocket
    )
    {
        await using var broker = Start("none", tls, webSocket);
        var report = Explore(broker.Target);
        Assert.That(
            report.Findings,
            Is.Empty,
            string.Join(
                "\n",
                report.Findings.Select(finding =>
                    $"{finding.Key}: {finding.Deviation.Explanation} in {finding.Scenario}"
                )
            )
        );
        Assert.That(report.Scenarios, Is.GreaterThanOrEqualTo(Scenarios));
        Assert.That(
            report.Exercised.Where(entry => entry.Key.Name == "websocket").Sum(entry => entry.Value),
            webSocket ? Is.Positive : Is.Zero
        );
    }

    // Every delivery has the wrong quality of service, so the first that comes shows it.
    [Test]
    [Category("Whole")]
    public async Task A_fault_is_found_shrunk_and_replayed_over_TLS([Values(false, true)] bool webSocket)
    {
        await using var broker = Start("wrong-qos:1", tls: true, webSocket);
        using var enough = new CancellationTokenSource();
        var finding = Explore(broker.Target, enough).Findings[0];
        Assert.That(finding.Statement.Name, Is.EqualTo("delivery-qos"));
        Assert.That(finding.Scenario.Steps, Has.Count.LessThanOrEqualTo(6));
        using var wire = WireFactory.Create(new WireOptions());
        var replays = new ConformanceCheck(wire, broker.Target, "r", new CheckOptions()).Replay(
            finding.Scenario,
            3,
            CancellationToken.None
        );
        Assert.That(
            replays.Select(result => result.Deviations.Any(deviation => deviation.Key == finding.Key)),
            Is.EqualTo([true, true, true])
        );
    }

    // Its findings are those over TCP, which other tests judge: here scenarios are to run, and nothing is to be said
    // about the transport.
    [Test, Platform("Linux,MacOsX")]
    [Category("Whole")]
    public async Task Mosquitto_is_checked_over_every_transport([Values("mosquitto:ws", "mosquitto:wss")] string name)
    {
        await using var broker = await Installed.MosquittoAsync(name);
        var transport = new[] { "available", "websocket", "connack", "no-flood" };
        long delivered = 0;
        // How much of a scenario is decided depends on how busy the machine is, so it goes on until a delivery is.
        for (ulong seed = 1; delivered == 0; seed++)
        {
            Assert.That(seed, Is.LessThanOrEqualTo(MosquittoSeeds), "no delivery was judged");
            var report = Explore(
                new CheckTarget(broker.Endpoint),
                scenarios: MosquittoScenarios,
                counts: statement => transport.Contains(statement.Name),
                seed: seed
            );
            Assert.That(
                report.Findings,
                Is.Empty,
                string.Join(
                    "\n",
                    report.Findings.Select(finding =>
                        $"{finding.Key}: {finding.Deviation.Explanation} in {finding.Scenario}"
                    )
                )
            );
            Assert.That(report.Scenarios, Is.GreaterThanOrEqualTo(MosquittoScenarios));
            delivered = report.Exercised.Where(entry => entry.Key.Name == "delivered").Sum(entry => entry.Value);
        }
    }

    private static CheckReport Explore(
        CheckTarget target,
        CancellationTokenSource? enough = null,
        int scenarios = Scenarios,
        Predicate<Statement>? counts = null,
        ulong seed = 1
    )
    {
        using var wire = WireFactory.Create(new WireOptions());
        var options = new CheckOptions
        {
            Seed = seed,
            Counts = counts,
            Generator = new GeneratorOptions
            {
                Versions = [ProtocolVersion.V311, ProtocolVersion.V5],
                Defects311 = MalformedPackets.Names(ProtocolVersion.V311),
                Defects5 = MalformedPackets.Names(ProtocolVersion.V5),
            },
        };
        return new ConformanceCheck(wire, target, "t", options) { Found = _ => enough?.Cancel() }.Explore(
            s_budget,
            scenarios,
            enough?.Token ?? CancellationToken.None
        );
    }

    private static ServedBroker Start(string faults, bool tls, bool webSocket)
    {
        var broker = EmbeddedBroker.Start(
            new EmbeddedBrokerOptions
            {
                Broker = new BrokerOptions { Faults = FaultPlan.Parse(faults, "test") },
                MoreListeners =
                [
                    new WireListener(new IPEndPoint(IPAddress.Loopback, 0))
                    {
                        Tls = tls ? TestCertificates.ServerOptions : null,
                        WebSocket = webSocket ? new WebSocketServerOptions() : null,
                    },
                ],
            }
        );
        return new ServedBroker(
            broker,
            new CheckTarget(
                new WireEndpoint(broker.MoreAddresses[0])
                {
                    Tls = tls ? TestCertificates.ClientOptions : null,
                    WebSocket = webSocket ? new WebSocketClientOptions() : null,
                }
            )
        );
    }

    private sealed record ServedBroker(EmbeddedBroker Broker, CheckTarget Target) : IAsyncDisposable
    {
        public ValueTask DisposeAsync() => Broker.DisposeAsync();
    }
}
