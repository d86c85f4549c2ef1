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
    public async Task A_message_reaches_a_subscriber_over_TLS(
        [Values("mqttv311", "mqttv5")] string version,
        [Values(0, 1, 2)] int qos
    )
    {
        await using var broker = EmbeddedBroker.Start(
            new EmbeddedBrokerOptions
            {
                MoreListeners = [new WireListener(new(IPAddress.Loopback, 0)) { Tls = TestCertificates.ServerOptions }],
            }
        );
        var authority = Path.GetTempFileName();
        File.WriteAllText(authority, TestCertificates.Authority.ExportCertificatePem());
        // The last port given counts.
        string[] tls =
        [
            "-p",
            broker.MoreAddresses[0].Port.ToString(CultureInfo.InvariantCulture),
            "--cafile",
            authority,
        ];
        using var subscriber = await MosquittoClients.SubscribeAsync(
            broker,
            version,
            qos,
            ["-t", "t", "-C", "1", "-F", "%q %p", .. tls]
        );
        await MosquittoClients.PublishAsync(broker.Address, version, qos, ["-t", "t", "-m", "safe", .. tls]);
        Assert.That(await MosquittoClients.ReadMessagesAsync(subscriber), Is.EqualTo(new[] { $"{qos} safe" }));
        File.Delete(authority);
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

    [Test]
    public async Task A_retained_message_reaches_a_later_subscriber(
        [Values("mqttv311", "mqttv5")] string version,
        [Values(0, 1, 2)] int qos
    )
    {
        await MosquittoClients.PublishAsync(_broker.Address, version, qos, "-t", "state", "-m", "on", "-r");
        using var subscriber = await MosquittoClients.SubscribeAsync(
            _broker,
            version,
            qos,
            "-t",
            "state",
            "-C",
            "1",
            "-F",
            "%q %r %p"
        );
        Assert.That(await MosquittoClients.ReadMessagesAsync(subscriber), Is.EqualTo(new[] { $"{qos} 1 on" }));
    }

    [Test]
    public async Task Two_thousand_messages_arrive_once_and_in_order([Values(1, 2)] int qos)
    {
        const int count = 2000;
        var lines = string.Concat(Enumerable.Range(0, count).Select(i => $"{i}\n"));
        using var subscriber = await MosquittoClients.SubscribeAsync(
            _broker,
            "mqttv311",
            qos,
            "-t",
            "n",
            "-C",
            $"{count}",
            "-F",
            "%p"
        );
        var messages = MosquittoClients.ReadMessagesAsync(subscriber);
        await MosquittoClients.PublishLinesAsync(_broker.Address, "mqttv311", qos, lines, "-t", "n");
        Assert.That(await messages, Is.EqualTo(Enumerable.Range(0, count).Select(i => $"{i}")));
    }

    [Test]
    public async Task A_will_is_published_when_the_client_breaks_off()
    {
        using var observer = await MosquittoClients.SubscribeAsync(
            _broker,
            "mqttv311",
            1,
            "-t",
            "wills",
            "-C",
            "1",
            "-F",
            "%q %p"
        );
        using var dying = await MosquittoClients.SubscribeAsync(
            _broker,
            "mqttv311",
            1,
            "-t",
            "x",
            "--will-topic",
            "wills",
            "--will-payload",
            "gone",
            "--will-qos",
            "1"
        );
        dying.Kill();
        Assert.That(await MosquittoClients.ReadMessagesAsync(observer), Is.EqualTo(new[] { "1 gone" }));
    }
}
