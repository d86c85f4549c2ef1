using System.Buffers;
using System.Collections.Concurrent;
using System.Globalization;
using MqttCheck.Brokers.Embedded;
using MQTTnet;
using MQTTnet.Formatter;
using MQTTnet.Packets;
using MQTTnet.Protocol;

namespace MqttCheck.Brokers.Tests.Embedded.Judges;

/// <summary>The embedded broker judged by MQTTnet's client, which most .NET applications use.</summary>
public sealed class MqttNetClientTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    private EmbeddedBroker _broker = null!;
    private readonly List<IMqttClient> _clients = [];

    [SetUp]
    public void Start() => _broker = EmbeddedBroker.Start(new EmbeddedBrokerOptions());

    [TearDown]
    public async Task Stop()
    {
        foreach (var client in _clients)
            client.Dispose();
        _clients.Clear();
        await _broker.DisposeAsync();
    }

    [Test]
    public async Task Mqttnet_gets_every_message_once_and_in_order(
        [Values(MqttProtocolVersion.V310, MqttProtocolVersion.V311, MqttProtocolVersion.V500)]
            MqttProtocolVersion version,
        [Values] MqttQualityOfServiceLevel qos
    )
    {
        const int messages = 200;
        var (subscriber, inbox) = await ConnectAsync(version);
        var granted = await subscriber.SubscribeAsync(Subscription("judge/#", qos));
        Assert.That(granted.Items.Single().ResultCode, Is.EqualTo((MqttClientSubscribeResultCode)qos));
        var (publisher, _) = await ConnectAsync(version);
        for (var i = 0; i < messages; i++)
        {
            var result = await publisher.PublishAsync(Message($"judge/ä/{i % 3}", Text(i), qos));
            Assert.That(result.IsSuccess, Is.True);
        }
        var received = await inbox.TakeAsync(messages);
        Assert.That(
            received.Select(message => message.ConvertPayloadToString()),
            Is.EqualTo(Enumerable.Range(0, messages).Select(Text))
        );
        Assert.That(
            received.Select(message => message.Topic),
            Is.EqualTo(Enumerable.Range(0, messages).Select(i => $"judge/ä/{i % 3}"))
        );
        Assert.That(
            received.Select(message => (message.QualityOfServiceLevel, message.Retain, message.Dup)).Distinct(),
            Is.EqualTo(new[] { (qos, false, false) })
        );
        Assert.That(inbox.Count, Is.Zero);
    }

    [Test]
    public async Task A_retained_message_is_there_for_later_clients_until_it_is_deleted(
        [Values(MqttProtocolVersion.V311, MqttProtocolVersion.V500)] MqttProtocolVersion version
    )
    {
        var (publisher, _) = await ConnectAsync(version);
        await publisher.PublishAsync(Message("kept", "first", MqttQualityOfServiceLevel.AtLeastOnce, retain: true));
        await publisher.PublishAsync(Message("kept", "second", MqttQualityOfServiceLevel.AtLeastOnce, retain: true));
        var (subscriber, inbox) = await ConnectAsync(version);
        await subscriber.SubscribeAsync(Subscription("+", MqttQualityOfServiceLevel.AtLeastOnce));
        var stored = await inbox.TakeOneAsync();
        Assert.That(
            (stored.Topic, stored.ConvertPayloadToString(), stored.Retain),
            Is.EqualTo(("kept", "second", true))
        );

        await publisher.PublishAsync(Message("kept", "", MqttQualityOfServiceLevel.AtLeastOnce, retain: true));
        Assert.That((await inbox.TakeOneAsync()).Payload.Length, Is.Zero);
        var (later, none) = await ConnectAsync(version);
        await later.SubscribeAsync(Subscription("+", MqttQualityOfServiceLevel.AtLeastOnce));
        await publisher.PublishAsync(Message("live", "third", MqttQualityOfServiceLevel.AtLeastOnce));
        Assert.That((await none.TakeOneAsync()).Topic, Is.EqualTo("live"));
    }

    [Test]
    public async Task A_will_is_published_when_the_connection_breaks_and_not_when_it_is_closed(
        [Values(MqttProtocolVersion.V311, MqttProtocolVersion.V500)] MqttProtocolVersion version,
        [Values] MqttQualityOfServiceLevel qos
    )
    {
        var (witness, inbox) = await ConnectAsync(version);
        await witness.SubscribeAsync(Subscription("wills/#", MqttQualityOfServiceLevel.ExactlyOnce));
        foreach (var isClosed in (bool[])[true, false])
        {
            var (mortal, _) = await ConnectAsync(
                version,
                options =>
                    options
                        .WithWillTopic($"wills/{isClosed}")
                        .WithWillPayload("gone")
                        .WithWillQualityOfServiceLevel(qos)
            );
            // Disposing breaks the connection without a DISCONNECT.
            if (isClosed)
                await mortal.DisconnectAsync();
            else
                mortal.Dispose();
        }
        var will = await inbox.TakeOneAsync();
        Assert.That(
            (will.Topic, will.ConvertPayloadToString(), will.QualityOfServiceLevel),
            Is.EqualTo(("wills/False", "gone", qos))
        );
    }

    [Test]
    public async Task A_session_keeps_subscriptions_and_messages_while_the_client_is_away(
        [Values(MqttProtocolVersion.V311, MqttProtocolVersion.V500)] MqttProtocolVersion version,
        [Values(MqttQualityOfServiceLevel.AtLeastOnce, MqttQualityOfServiceLevel.ExactlyOnce)]
            MqttQualityOfServiceLevel qos
    )
    {
        var isV5 = version == MqttProtocolVersion.V500;
        Action<MqttClientOptionsBuilder> lasting = options =>
        {
            options.WithClientId("lasting").WithCleanSession(false);
            if (isV5)
                options.WithSessionExpiryInterval(3600);
        };
        var (first, _) = await ConnectAsync(version, lasting, isPresent: false);
        await first.SubscribeAsync(Subscription("away/#", qos));
        await first.DisconnectAsync();
        var (publisher, _) = await ConnectAsync(version);
        for (var i = 0; i < 30; i++)
            await publisher.PublishAsync(Message("away/a", Text(i), qos));

        var (_, inbox) = await ConnectAsync(version, lasting, isPresent: true);
        Assert.That(
            (await inbox.TakeAsync(30)).Select(message => message.ConvertPayloadToString()),
            Is.EqualTo(Enumerable.Range(0, 30).Select(Text))
        );

        // A clean start ends what was there.
        var (_, _) = await ConnectAsync(
            version,
            options => options.WithClientId("lasting").WithCleanSession(),
            isPresent: false
        );
        await publisher.PublishAsync(Message("away/a", "lost", qos));
        var (again, empty) = await ConnectAsync(version, lasting, isPresent: false);
        await again.SubscribeAsync(Subscription("away/#", qos));
        await publisher.PublishAsync(Message("away/a", "new", qos));
        Assert.That((await empty.TakeOneAsync()).ConvertPayloadToString(), Is.EqualTo("new"));
    }

    [Test]
    public async Task Properties_of_version_5_arrive_as_they_were_sent()
    {
        var (subscriber, inbox) = await ConnectAsync(MqttProtocolVersion.V500);
        await subscriber.SubscribeAsync(
            new MqttClientSubscribeOptionsBuilder()
                .WithSubscriptionIdentifier(268_435_455)
                .WithTopicFilter("properties", MqttQualityOfServiceLevel.ExactlyOnce)
                .Build()
        );
        var (publisher, _) = await ConnectAsync(MqttProtocolVersion.V500);
        var result = await publisher.PublishAsync(
            new MqttApplicationMessageBuilder()
                .WithTopic("properties")
                .WithPayload("{}")
                .WithQualityOfServiceLevel(MqttQualityOfServiceLevel.AtLeastOnce)
                .WithPayloadFormatIndicator(MqttPayloadFormatIndicator.CharacterData)
                .WithContentType("application/json")
                .WithResponseTopic("answers/here")
                .WithCorrelationData([0, 255, 1])
                .WithMessageExpiryInterval(100)
                .WithUserProperty("name", "ü"u8.ToArray().AsMemory())
                .WithUserProperty("name", "again"u8.ToArray().AsMemory())
                .Build()
        );
        Assert.That(result.ReasonCode, Is.EqualTo(MqttClientPublishReasonCode.Success));

        var message = await inbox.TakeOneAsync();
        Assert.That(
            (
                message.PayloadFormatIndicator,
                message.ContentType,
                message.ResponseTopic,
                Convert.ToHexString(message.CorrelationData)
            ),
            Is.EqualTo((MqttPayloadFormatIndicator.CharacterData, "application/json", "answers/here", "00FF01"))
        );
        Assert.That(message.MessageExpiryInterval, Is.InRange(90, 100));
        Assert.That(
            message.UserProperties.Select(property => (property.Name, property.ReadValueAsString())),
            Is.EqualTo(new[] { ("name", "ü"), ("name", "again") })
        );
        Assert.That(message.SubscriptionIdentifiers, Is.EqualTo(new uint[] { 268_435_455 }));
    }

    [Test]
    public async Task Reason_codes_and_limits_of_version_5_reach_the_client()
    {
        var client = NewClient(out _);
        var connected = await client.ConnectAsync(
            Options(MqttProtocolVersion.V500).WithClientId("").WithCleanStart().Build()
        );
        Assert.That(connected.AssignedClientIdentifier, Is.Not.Empty);
        Assert.That(
            (connected.WildcardSubscriptionAvailable, connected.SharedSubscriptionAvailable, connected.RetainAvailable),
            Is.EqualTo((true, true, true))
        );
        Assert.That(
            (await client.PublishAsync(Message("nobody", "here", MqttQualityOfServiceLevel.AtLeastOnce))).ReasonCode,
            Is.EqualTo(MqttClientPublishReasonCode.NoMatchingSubscribers)
        );
        var unknown = await client.UnsubscribeAsync("never/asked/for");
        Assert.That(
            unknown.Items.Single().ResultCode,
            Is.EqualTo(MqttClientUnsubscribeResultCode.NoSubscriptionExisted)
        );
    }

    [Test]
    public async Task No_local_retain_as_published_and_shared_subscriptions_are_understood()
    {
        var (own, ownInbox) = await ConnectAsync(MqttProtocolVersion.V500);
        await own.SubscribeAsync(
            new MqttClientSubscribeOptionsBuilder()
                .WithTopicFilter(
                    new MqttTopicFilter
                    {
                        Topic = "options",
                        QualityOfServiceLevel = MqttQualityOfServiceLevel.AtLeastOnce,
                        NoLocal = true,
                        RetainAsPublished = true,
                    }
                )
                .Build()
        );
        var (other, _) = await ConnectAsync(MqttProtocolVersion.V500);
        await own.PublishAsync(Message("options", "own", MqttQualityOfServiceLevel.AtLeastOnce));
        await other.PublishAsync(Message("options", "other", MqttQualityOfServiceLevel.AtLeastOnce, retain: true));
        var message = await ownInbox.TakeOneAsync();
        Assert.That((message.ConvertPayloadToString(), message.Retain), Is.EqualTo(("other", true)));

        var shared = new Inbox();
        foreach (var _ in (int[])[1, 2, 3])
        {
            var (member, _) = await ConnectAsync(MqttProtocolVersion.V500, inbox: shared);
            await member.SubscribeAsync(Subscription("$share/group/work", MqttQualityOfServiceLevel.AtLeastOnce));
        }
        for (var i = 0; i < 30; i++)
            await other.PublishAsync(Message("work", Text(i), MqttQualityOfServiceLevel.AtLeastOnce));
        var received = await shared.TakeAsync(30);
        Assert.That(
            received.Select(each => each.ConvertPayloadToString()),
            Is.EquivalentTo(Enumerable.Range(0, 30).Select(Text))
        );
        Assert.That(shared.Count, Is.Zero);
    }

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);

    private static MqttClientSubscribeOptions Subscription(string filter, MqttQualityOfServiceLevel qos) =>
        new MqttClientSubscribeOptionsBuilder().WithTopicFilter(filter, qos).Build();

    private static MqttApplicationMessage Message(
        string topic,
        string payload,
        MqttQualityOfServiceLevel qos,
        bool retain = false
    ) =>
        new MqttApplicationMessageBuilder()
            .WithTopic(topic)
            .WithPayload(payload)
            .WithQualityOfServiceLevel(qos)
            .WithRetainFlag(retain)
            .Build();

    private MqttClientOptionsBuilder Options(MqttProtocolVersion version) =>
        new MqttClientOptionsBuilder()
            .WithTcpServer(_broker.Address.Address.ToString(), _broker.Address.Port)
            .WithProtocolVersion(version)
            .WithTimeout(Patience);

    private IMqttClient NewClient(out Inbox inbox, Inbox? given = null)
    {
        var client = new MqttClientFactory().CreateMqttClient();
        _clients.Add(client);
        var target = inbox = given ?? new Inbox();
        client.ApplicationMessageReceivedAsync += received =>
        {
            target.Add(received.ApplicationMessage);
            return Task.CompletedTask;
        };
        return client;
    }

    private async Task<(IMqttClient Client, Inbox Inbox)> ConnectAsync(
        MqttProtocolVersion version,
        Action<MqttClientOptionsBuilder>? configure = null,
        bool? isPresent = null,
        Inbox? inbox = null
    )
    {
        var client = NewClient(out var messages, inbox);
        var options = Options(version);
        configure?.Invoke(options);
        var result = await client.ConnectAsync(options.Build());
        Assert.That(result.ResultCode, Is.EqualTo(MqttClientConnectResultCode.Success));
        if (isPresent is { } expected)
            Assert.That(result.IsSessionPresent, Is.EqualTo(expected));
        return (client, messages);
    }

    private sealed class Inbox
    {
        private readonly ConcurrentQueue<MqttApplicationMessage> _messages = new();
        private readonly SemaphoreSlim _arrived = new(0);

        public int Count => _messages.Count;

        public void Add(MqttApplicationMessage message)
        {
            _messages.Enqueue(message);
            _arrived.Release();
        }

        public async Task<MqttApplicationMessage> TakeOneAsync() => (await TakeAsync(1))[0];

        public async Task<List<MqttApplicationMessage>> TakeAsync(int count)
        {
            var taken = new List<MqttApplicationMessage>();
            while (taken.Count < count)
            {
                if (!await _arrived.WaitAsync(Patience))
                    throw new AssertionException(
                        $"{taken.Count} of {count} messages arrived within {Patience.TotalSeconds} s"
                    );
                _messages.TryDequeue(out var message);
                taken.Add(message!);
            }
            return taken;
        }
    }
}
