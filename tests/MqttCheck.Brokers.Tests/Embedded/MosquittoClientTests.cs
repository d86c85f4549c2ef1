using System.Globalization;
using System.Net;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Tests.Wire;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Tests.Embedded;

/// <summary>The embedded broker judged by Mosquitto's clients.</summary>
public sealed class MosquittoClientTests
{
    private EmbeddedBroker _broker = null!;

    [SetUp]
    public void Start()
    {
        MosquittoClients.RequireInstalled();
        _broker = EmbeddedBroker.Start(new EmbeddedBrokerOptions());
    }

    [TearDown]
    public async Task Stop()
    {
        if (_broker is not null)
            await _broker.DisposeAsync();
    }

    [Test]
    public async Task A_message_reaches_a_subscriber(
        [Values("mqttv31", "mqttv311", "mqttv5")] string version,
        [Values(0, 1, 2)] int qos
    )
    {
        using var subscriber = await MosquittoClients.SubscribeAsync(
            _broker,
            version,
            qos,
            "-t",
            "rooms/+/temperature",
            "-C",
            "1",
            "-F",
            "%q %r %t %p"
        );
        await MosquittoClients.PublishAsync(
            _broker.Address,
            version,
            qos,
            "-t",
            "rooms/küche/temperature",
            "-m",
            "21.5"
        );
        Assert.That(
            await MosquittoClients.ReadMessagesAsync(subscriber),
            Is.EqualTo(new[] { $"{qos} 0 rooms/küche/temperature 21.5" })
        );
    }

    [Test]
    public async Task Versions_can_be_mixed([Values(0, 1, 2)] int qos)
    {
        using var subscriber = await MosquittoClients.SubscribeAsync(
            _broker,
            "mqttv311",
            qos,
            "-t",
            "#",
            "-C",
            "1",
            "-F",
            "%q %t %p"
        );
        await MosquittoClients.PublishAsync(
            _broker.Address,
            "mqttv5",
            qos,
            "-t",
            "a/b",
            "-m",
            "hello",
            "-D",
            "publish",
            "user-property",
            "name",
            "value",
            "-D",
            "publish",
            "message-expiry-interval",
            "60"
        );
        Assert.That(await MosquittoClients.ReadMessagesAsync(subscriber), Is.EqualTo(new[] { $"{qos} a/b hello" }));
    }
}
