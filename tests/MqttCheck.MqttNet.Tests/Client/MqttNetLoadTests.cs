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

namespace MqttCheck.MqttNet.Tests.Client;

/// <summary>Loads by MQTTnet clients on the loopback interface, in real time.</summary>
[TestFixture]
internal sealed class MqttNetLoadTests() : LiveLoad(MqttNetClient.Kind)
{
    [Test]
    [Category("Whole")]
    public async Task Every_message_arrives_once(
        [Values] QualityOfService qos,
        [Values(ProtocolVersion.V311, ProtocolVersion.V5)] ProtocolVersion version,
        [Values(0, 500)] int rate
    )
    {
        await using var broker = EmbeddedBroker.Start(new EmbeddedBrokerOptions());
        var workload = Short with { Qos = qos, SubscribeQos = qos };
        if (rate > 0)
            workload = workload with { Arrivals = ArrivalKind.Poisson, MessagesPerSecond = rate };

        var (result, log) = Run(new WireEndpoint(broker.Address), workload, version, null);

        AssertAllArrived(result, log);
    }

    [Test]
    [Category("Whole")]
    public async Task What_the_library_cannot_send_is_seen_as_back_pressure()
    {
        await using var broker = await Installed.MosquittoAsync("mosquitto:tuned");
        var stall = new StallAfter(10, TimeSpan.FromSeconds(2), broker.ProcessId!.Value);
        var workload = Short with
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

    // One exchange of every client was open when the broker stood still.
    protected override void AssertStalled(MessageList messages, ExchangeList exchanges, double seconds) =>
        Assert.That(
            exchanges
                .Exchanges.Where(exchange => exchange.LatencyMilliseconds > 2000)
                .Select(exchange => exchange.Client)
                .Distinct()
                .Count(),
            Is.EqualTo(StalledClients)
        );
}
