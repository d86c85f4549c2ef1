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

/// <summary>Loads by clients of our own, over each transport, in real time.</summary>
[TestFixture]
internal sealed class LiveLoadTests() : LiveLoad(ClientKind.Own)
{
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
        var workload = Short with
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
        await using var broker = await Installed.MosquittoAsync(name);
        Assert.That(BrokerVersions.Newest(broker), Is.EqualTo(ProtocolVersion.V5));
        foreach (var qos in Enum.GetValues<QualityOfService>())
        {
            var workload = Short with
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

    // A short stop leaves several messages for the broker at once, after which each answer waits for the next message.
    // Now and then the broker gets over it.
    [Test]
    [Category("Whole")]
    public async Task Answers_that_Mosquitto_holds_back_are_named_at_any_rate(
        [Values(40, 500)] int rate,
        [Values(QualityOfService.AtLeastOnce, QualityOfService.ExactlyOnce)] QualityOfService qos
    )
    {
        Assert.That((await StoppedOnceAsync("mosquitto:tuned", rate, qos)).Health.HeldAnswerShare, Is.Zero);
        for (var attempt = 0; attempt < 5; attempt++)
        {
            var result = await StoppedOnceAsync("mosquitto", rate, qos);
            if (result.Times.Acknowledgement.QuantileNanoseconds(.3) < .9e9 / rate)
                continue;
            Assert.That(result.Health.HeldAnswerShare, Is.GreaterThan(.3));
            return;
        }
        Assert.Fail("The broker held nothing back.");
    }

    private async Task<LoadResult> StoppedOnceAsync(string name, int rate, QualityOfService qos)
    {
        await using var broker = await Installed.MosquittoAsync(name);
        var workload = Short with
        {
            Publishers = 1,
            Subscribers = 1,
            Qos = qos,
            SubscribeQos = QualityOfService.AtLeastOnce,
            Arrivals = ArrivalKind.Constant,
            MessagesPerSecond = rate,
            InFlight = 100,
            Duration = TimeSpan.FromSeconds(6),
        };
        var stall = new StallAfter(10, TimeSpan.FromMilliseconds(50), broker.ProcessId!.Value);
        var setup = Setup(broker.Endpoint, workload, ProtocolVersion.V5, broker.ProcessId);
        return new LoadRun(setup, new MessageList(), TimeProvider.System, stall).Run();
    }

    [Test]
    public async Task The_newest_version_is_asked_for()
    {
        await using var broker = EmbeddedBroker.Start(new EmbeddedBrokerOptions());
        Assert.That(BrokerVersions.Newest(broker), Is.EqualTo(ProtocolVersion.V5));
    }

    protected override void AssertStalled(MessageList messages, ExchangeList exchanges, double seconds)
    {
        // r (S - x), S as it was; a second stall, of the machine, may add to it.
        Assert.That(
            messages.Messages.Count(message =>
                message.DeliveredNanoseconds - message.IntendedNanoseconds > 2_000_000_000
            ),
            Is.GreaterThan(0.9 * StalledRate * (5 - 2)).And.LessThan(1.1 * StalledRate * (seconds - 2) + 50)
        );
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
            Has.Some.EqualTo(StalledClients),
            string.Join('\n', slow.Select(one => (one.Client, one.SentMicroseconds, one.EndMicroseconds)))
        );
    }
}
