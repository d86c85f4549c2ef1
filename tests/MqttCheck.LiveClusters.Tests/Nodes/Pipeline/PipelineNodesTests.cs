using System.Collections.Concurrent;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using MqttCheck.LiveClusters.Nodes.Pipeline.Stores;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;
using MQTTnet;
using MQTTnet.Exceptions;
using MQTTnet.Formatter;
using MQTTnet.Protocol;

namespace MqttCheck.LiveClusters.Tests.Nodes.Pipeline;

/// <summary>The nodes of a pipeline judged by MQTTnet's client.</summary>
[TestFixture]
internal sealed class PipelineNodesTests
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(60);

    private readonly List<IMqttClient> _clients = [];
    private LivePipeline _pipeline = null!;

    [SetUp]
    public void Start() => _pipeline = new LivePipeline();

    [TearDown]
    public async Task Stop()
    {
        foreach (var client in _clients)
            client.Dispose();
        _clients.Clear();
        Assert.That(_pipeline.Failure, Is.Null);
        await _pipeline.DisposeAsync();
    }

    [Test]
    public async Task Every_message_comes_once_and_in_order_from_one_broker_to_another(
        [Values] MqttQualityOfServiceLevel qos,
        [Values] bool isPersistent
    )
    {
        const int messages = 100;
        var (subscriber, inbox) = await ConnectAsync(1, "s", isPersistent);
        await subscriber.SubscribeAsync($"judge/+/{qos}", qos);
        var (publisher, _) = await ConnectAsync(3, "p");
        await SettleAsync(publisher, inbox, $"judge/0/{qos}");
        for (var i = 0; i < messages; i++)
            await publisher.PublishAsync(Message($"judge/1/{qos}", i, qos));
        await inbox.AwaitAsync(messages);
        Assert.That(inbox.Numbers, Is.EqualTo(Enumerable.Range(0, messages)));
        Assert.That(inbox.Messages.Select(one => one.QualityOfServiceLevel), Is.All.EqualTo(qos));
    }

    [Test]
    public async Task A_session_gets_at_another_broker_what_came_while_its_client_was_away()
    {
        var (first, inbox) = await ConnectAsync(0, "s", isPersistent: true);
        await first.SubscribeAsync("t", MqttQualityOfServiceLevel.AtLeastOnce);
        var (publisher, _) = await ConnectAsync(1, "p");
        await SettleAsync(publisher, inbox, "t");
        await first.DisconnectAsync();
        for (var i = 0; i < 20; i++)
            await publisher.PublishAsync(Message("t", i, MqttQualityOfServiceLevel.AtLeastOnce));
        var (_, later) = await ConnectAsync(2, "s", isPersistent: true, isPresent: true);
        await later.AwaitAsync(20);
        Assert.That(later.Numbers, Is.EqualTo(Enumerable.Range(0, 20)));
    }

    [Test]
    public async Task A_second_connection_of_a_client_ends_the_first_at_whichever_broker_it_is()
    {
        var (first, _) = await ConnectAsync(0, "s", isPersistent: true);
        await ConnectAsync(1, "s", isPersistent: true, isPresent: true);
        Assert.That(() => first.IsConnected, Is.False.After(60).Seconds.PollEvery(10).MilliSeconds);
    }

    [TestCase("log")]
    [TestCase("store")]
    [TestCase("b3")]
    public async Task What_was_acknowledged_arrives_though_a_node_starts_again(string node)
    {
        const int messages = 60;
        var (subscriber, inbox) = await ConnectAsync(1, "s", isPersistent: true);
        await subscriber.SubscribeAsync("t/+", MqttQualityOfServiceLevel.AtLeastOnce);
        var (publisher, _) = await ConnectAsync(0, "p");
        await SettleAsync(publisher, inbox, "t/x");
        var publishing = Task.Run(async () =>
        {
            for (var i = 0; i < messages; i++)
                await publisher.PublishAsync(Message($"t/{i % 7}", i, MqttQualityOfServiceLevel.AtLeastOnce));
        });
        await inbox.AwaitAsync(messages / 4);
        await _pipeline.StopAsync(node);
        _pipeline.Restart(node);
        await publishing.WaitAsync(s_patience);
        await inbox.AwaitAsync(messages);
        Assert.That(inbox.Numbers.Distinct(), Is.EquivalentTo(Enumerable.Range(0, messages)));
    }

    [Test]
    public async Task A_broker_that_starts_routes_nothing_before_it_has_read_of_all_sessions()
    {
        const int topics = 40;
        // So many changes are read in several steps, and the subscription is among the last.
        await using var store = new StoreNodeClient(_pipeline.AddressOf("store"), s_patience);
        await Task.WhenAll(Enumerable.Range(0, 5000).Select(i => store.OpenAsync($"other{i}", 4, isPersistent: true)));
        var (subscriber, inbox) = await ConnectAsync(1, "s", isPersistent: true);
        await subscriber.SubscribeAsync("t/+", MqttQualityOfServiceLevel.AtLeastOnce);
        var (publisher, _) = await ConnectAsync(0, "p");
        await SettleAsync(publisher, inbox, "t/x");
        await _pipeline.StopAsync("b3");
        for (var i = 0; i < topics; i++)
            await publisher.PublishAsync(Message($"t/{i}", i, MqttQualityOfServiceLevel.AtLeastOnce));
        _pipeline.Restart("b3");
        await inbox.AwaitAsync(topics);
    }

    [Test]
    public async Task A_client_of_another_version_is_refused_and_told_why()
    {
        var (buffer, count) = (new byte[64], 0);
        // A broker turns clients away until it has heard of all sessions.
        while (count == 0)
        {
            using var client = new TcpClient();
            try
            {
                await client.ConnectAsync(IPAddress.Loopback, _pipeline.PortOf(0));
                var connect = PacketEncoder.Encode(new ConnectPacket { ClientId = "s" }, ProtocolVersion.V5);
                await client.GetStream().WriteAsync(connect);
                count = await client.GetStream().ReadAsync(buffer);
            }
            catch (Exception gone) when (gone is IOException or SocketException)
            {
                // The next connection may be accepted.
            }
        }
        Assert.That(
            PacketDecoder.Decode(buffer.AsSpan(0, count), ProtocolVersion.V5, PacketOrigin.Server),
            Is.EqualTo(new ConnackPacket(SessionPresent: false, ReasonCode.UnsupportedProtocolVersion))
        );
    }

    // Each broker hears of a subscription some time after its acknowledgement.
    private static async Task SettleAsync(IMqttClient publisher, Inbox inbox, string topic)
    {
        while (inbox.Messages.IsEmpty)
        {
            await publisher.PublishAsync(Message(topic, -1, MqttQualityOfServiceLevel.AtLeastOnce));
            await Task.Delay(20);
        }
        await publisher.PublishAsync(Message(topic, -2, MqttQualityOfServiceLevel.AtLeastOnce));
        while (inbox.Messages.All(one => Inbox.NumberOf(one) != -2))
            await Task.Delay(5);
        inbox.Messages.Clear();
    }

    private async Task<(IMqttClient Client, Inbox Inbox)> ConnectAsync(
        int broker,
        string clientId,
        bool isPersistent = false,
        bool isPresent = false
    )
    {
        var client = new MqttClientFactory().CreateMqttClient();
        _clients.Add(client);
        var inbox = new Inbox();
        client.ApplicationMessageReceivedAsync += received =>
        {
            inbox.Messages.Enqueue(received.ApplicationMessage);
            return Task.CompletedTask;
        };
        var options = new MqttClientOptionsBuilder()
            .WithTcpServer("127.0.0.1", _pipeline.PortOf(broker))
            .WithProtocolVersion(MqttProtocolVersion.V311)
            .WithClientId(clientId)
            .WithCleanSession(!isPersistent)
            .Build();
        var until = Environment.TickCount64 + (long)s_patience.TotalMilliseconds;
        while (true)
        {
            try
            {
                var result = await client.ConnectAsync(options);
                Assert.That(result.IsSessionPresent, Is.EqualTo(isPresent));
                return (client, inbox);
            }
            // A broker turns clients away until it has heard of all sessions.
            catch (MqttCommunicationException) when (Environment.TickCount64 < until)
            {
                await Task.Delay(20);
            }
        }
    }

    private static MqttApplicationMessage Message(string topic, int number, MqttQualityOfServiceLevel qos) =>
        new MqttApplicationMessageBuilder()
            .WithTopic(topic)
            .WithPayload(number.ToString(CultureInfo.InvariantCulture))
            .WithQualityOfServiceLevel(qos)
            .Build();

    private sealed class Inbox
    {
        public ConcurrentQueue<MqttApplicationMessage> Messages { get; } = new();

        // Those that only find out whether messages arrive do not count.
        public IEnumerable<int> Numbers => Messages.Select(NumberOf).Where(number => number >= 0);

        public static int NumberOf(MqttApplicationMessage message) =>
            int.Parse(message.ConvertPayloadToString(), CultureInfo.InvariantCulture);

        public async Task AwaitAsync(int different)
        {
            var until = Environment.TickCount64 + (long)s_patience.TotalMilliseconds;
            while (Numbers.Distinct().Count() < different)
            {
                Assert.That(Environment.TickCount64, Is.LessThan(until), $"{Numbers.Distinct().Count()} have come");
                await Task.Delay(10);
            }
        }
    }
}
