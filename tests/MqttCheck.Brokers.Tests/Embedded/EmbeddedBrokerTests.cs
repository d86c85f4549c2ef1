using System.Collections.Concurrent;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using MqttCheck.Broker.Core;
using MqttCheck.Broker.Delays;
using MqttCheck.Broker.Faults;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Tests.Wire;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.WebSockets;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Brokers.Tests.Embedded;

public sealed class EmbeddedBrokerTests
{
    [Test]
    public async Task What_the_broker_says_before_it_closes_arrives()
    {
        await using var broker = EmbeddedBroker.Start(new EmbeddedBrokerOptions());
        using var client = RawClient.Connected("a", broker.Address, ProtocolVersion.V5);
        client.SendBytes([0xF0, 0]);
        Assert.That(client.Receive<DisconnectPacket>().ReasonCode, Is.EqualTo(ReasonCode.ProtocolError));
        Assert.That(client.Receive(), Is.Null);
    }

    [Test]
    public async Task Answers_and_deliveries_wait_for_their_delay()
    {
        await using var broker = EmbeddedBroker.Start(
            new EmbeddedBrokerOptions
            {
                Delays = DelayPlan.Parse("constant:20ms;publish=constant:60ms;pingresp=none", "test"),
            }
        );
        using var client = new RawClient(broker.Address);
        AtLeast(20, () => client.Connect("a"));
        AtLeast(20, () => client.Subscribe("t", 1));
        AtLeast(
            60,
            () =>
            {
                // PUBACK was drawn 20 ms, but order is kept and the delivery, drawn 60 ms, comes first.
                client.Publish("t", Bytes.FromText("x"), 1);
                client.Receive<PublishPacket>();
                client.Receive<PubackPacket>();
            }
        );
        AtLeast(
            20,
            () =>
            {
                client.Send(new UnsubscribePacket(3, ["t"]));
                client.Receive<UnsubackPacket>();
            }
        );
        AtLeast(
            20,
            () =>
            {
                client.Send(new DisconnectPacket());
                Assert.That(client.Receive(), Is.Null);
            }
        );

        static void AtLeast(int milliseconds, Action exchange)
        {
            var clock = Stopwatch.StartNew();
            exchange();
            Assert.That(clock.Elapsed, Is.GreaterThanOrEqualTo(TimeSpan.FromMilliseconds(milliseconds)));
        }
    }

    [Test]
    public async Task Stopping_ends_every_connection_and_frees_the_port()
    {
        var broker = EmbeddedBroker.Start(new EmbeddedBrokerOptions());
        using var old = RawClient.Connected("old", broker.Address);
        using var modern = RawClient.Connected("modern", broker.Address, ProtocolVersion.V5);
        await broker.StopAsync();
        Assert.That(modern.Receive<DisconnectPacket>().ReasonCode, Is.EqualTo(ReasonCode.ServerShuttingDown));
        Assert.That(
            (modern.Receive(), old.Receive(), broker.Failure),
            Is.EqualTo((default(Packet), default(Packet), default(string)))
        );
        await using var next = EmbeddedBroker.Start(new EmbeddedBrokerOptions { Address = broker.Address });
        using var client = RawClient.Connected("a", next.Address);
        Assert.That(async () => await broker.GetCountersAsync(), Throws.TypeOf<BrokerException>());
    }

    [Test]
    public async Task A_port_in_use_is_named()
    {
        await using var broker = EmbeddedBroker.Start(new EmbeddedBrokerOptions());
        Assert.That(
            () => EmbeddedBroker.Start(new EmbeddedBrokerOptions { Address = broker.Address }),
            Throws.TypeOf<BrokerException>().With.Message.Contains(broker.Address.ToString())
        );
    }

    [Test]
    public void A_wrong_limit_is_refused() =>
        Assert.That(
            () =>
                EmbeddedBroker.Start(
                    new EmbeddedBrokerOptions
                    {
                        Broker = new BrokerOptions { Limits = new BrokerLimits { Sessions = 0 } },
                    }
                ),
            Throws.TypeOf<InputException>().With.Message.Contains("Sessions is 0")
        );

    [Test]
    public async Task Clients_that_send_garbage_or_half_a_packet_or_nothing_harm_nobody()
    {
        await using var broker = EmbeddedBroker.Start(new EmbeddedBrokerOptions());
        using var silent = new RawClient(broker.Address);
        using var half = RawClient.Connected("half", broker.Address);
        half.SendBytes([0x30, 200, 1, 0, 1]);
        using var garbage = new RawClient(broker.Address);
        garbage.SendBytes("GET / HTTP/1.1\r\n\r\n"u8);
        Assert.That(garbage.Receive(), Is.Null);
        AssertServes(broker);
    }

    [Test]
    public async Task A_client_that_never_reads_harms_nobody_and_gets_its_QoS_1_messages_in_the_end()
    {
        const int messages = 1500;
        var limits = new BrokerLimits { QueuedMessagesPerSession = messages };
        await using var broker = EmbeddedBroker.Start(
            new EmbeddedBrokerOptions { Broker = new BrokerOptions { Limits = limits } }
        );
        using var lazy = RawClient.Connected("lazy", broker.Address, receiveBufferBytes: 4096);
        lazy.Subscribe("big", 1);
        using var publisher = RawClient.Connected("publisher", broker.Address);
        for (var i = 0; i < messages; i++)
        {
            // 15 MB in all: more than a connection holds back, more than the system's buffers take.
            publisher.Publish("big", BitConverter.GetBytes(i).Concat(new byte[10_000]).ToArray(), 1);
            publisher.Receive<PubackPacket>();
        }
        AssertServes(broker);
        for (var i = 0; i < messages; i++)
        {
            var message = lazy.Receive<PublishPacket>();
            Assert.That(BitConverter.ToInt32(message.Payload.Span), Is.EqualTo(i));
            lazy.Send(new PubackPacket(message.PacketId));
        }
        Assert.That((await broker.GetCountersAsync()).Dropped, Is.Zero);
    }

    [Test]
    public async Task A_client_with_ten_thousand_subscriptions_harms_nobody()
    {
        await using var broker = EmbeddedBroker.Start(new EmbeddedBrokerOptions());
        using var greedy = RawClient.Connected("greedy", broker.Address);
        for (var i = 0; i < 100; i++)
        {
            greedy.Send(
                new SubscribePacket(
                    1,
                    ValueList.Create<SubscriptionRequest>([
                        .. Enumerable.Range(0, 100).Select(j => new SubscriptionRequest($"+/{i}/{j}/#", 0)),
                    ])
                )
            );
            Assert.That(greedy.Receive<SubackPacket>().ReasonCodes, Has.Count.EqualTo(100));
        }
        Assert.That((await broker.GetCountersAsync()).Subscriptions, Is.EqualTo(10_000));
        AssertServes(broker);
        greedy.Dispose();
        AssertServes(broker);
    }

    [Test]
    public async Task A_slow_reader_disturbance_delays_and_loses_nothing()
    {
        var options = new BrokerOptions { Faults = FaultPlan.Parse("slow-reader:0.02", "test") };
        await using var broker = EmbeddedBroker.Start(new EmbeddedBrokerOptions { Broker = options });
        using var client = RawClient.Connected("a", broker.Address);
        client.Subscribe("t", 0);
        for (var i = 0; i < 300; i++)
            client.Publish("t", BitConverter.GetBytes(i), 0);
        for (var i = 0; i < 300; i++)
            Assert.That(BitConverter.ToInt32(client.Receive<PublishPacket>().Payload.Span), Is.EqualTo(i));
    }

    [Test]
    public async Task Connections_beyond_the_limit_are_reset()
    {
        await using var broker = EmbeddedBroker.Start(
            new EmbeddedBrokerOptions { Broker = new BrokerOptions { Limits = new BrokerLimits { Connections = 1 } } }
        );
        using var first = RawClient.Connected("a", broker.Address);
        using var second = new RawClient(broker.Address);
        Assert.That(
            () => second.Receive(),
            Throws
                .TypeOf<SocketException>()
                .With.Property(nameof(SocketException.SocketErrorCode))
                .EqualTo(SocketError.ConnectionReset)
        );
        first.Send(new PingreqPacket());
        first.Receive<PingrespPacket>();
    }

    [Test]
    public async Task Handshakes_that_are_never_finished_count_as_connections_and_harm_nobody(
        [Values(WireEngine.Epoll, WireEngine.Portable)] WireEngine engine
    )
    {
        const int limit = 300;
        // Long, so that none ends on a machine that is busy.
        var timeout = TimeSpan.FromMinutes(5);
        Assume.That(engine != WireEngine.Epoll || WireFactory.IsEpollSupported);
        var log = new ConcurrentQueue<string>();
        var options = new EmbeddedBrokerOptions
        {
            Broker = new BrokerOptions { Limits = new BrokerLimits { Connections = limit } },
            MoreListeners =
            [
                new WireListener(new IPEndPoint(IPAddress.Loopback, 0))
                {
                    Tls = TestCertificates.ServerOptions,
                    HandshakeTimeout = timeout,
                },
                new WireListener(new IPEndPoint(IPAddress.Loopback, 0))
                {
                    WebSocket = new WebSocketServerOptions(),
                    HandshakeTimeout = timeout,
                },
            ],
            Log = log.Enqueue,
        };
        await using var broker = EmbeddedBroker.Start(options, WireFactory.Create(new WireOptions { Engine = engine }));
        using var present = RawClient.Connected("present", broker.Address);
        var halves = new List<RawClient>();
        try
        {
            // One more than there are places; which of them finds none is left to the order in which the listeners are
            // served.
            for (var i = 0; i < limit; i++)
            {
                var half = new RawClient(broker.MoreAddresses[i % 2]);
                halves.Add(half);
                TrySend(half, i % 2 == 0 ? [0x16, 3, 1, 2, 0, 1] : "GET /mqtt HTTP/1.1\r\n"u8);
            }
            Assert.That(
                () => log,
                Is.EqualTo(
                        new[]
                        {
                            "connection 0 accepted: client 'present', V311",
                            "a connection is turned away: there are as many as the limits allow",
                        }
                    )
                    .After(30_000, 5)
            );
            present.Send(new PingreqPacket());
            present.Receive<PingrespPacket>();
            // The places of those that give up are free again.
            foreach (var half in halves[..10])
                half.Dispose();
            Assert.That(
                () =>
                    log.Count(line =>
                        line.StartsWith("a connection is lost before its first packet", StringComparison.Ordinal)
                    ),
                Is.GreaterThanOrEqualTo(9).After(30_000, 5)
            );
            AssertServes(broker);
        }
        finally
        {
            foreach (var half in halves)
                half.Dispose();
        }
    }

    [Test]
    public async Task The_log_tells_who_came_and_went()
    {
        var lines = new List<string>();
        await using (var broker = EmbeddedBroker.Start(new EmbeddedBrokerOptions { Log = lines.Add }))
        {
            using var client = RawClient.Connected("visitor", broker.Address);
            client.Send(new DisconnectPacket());
            client.Receive();
        }
        Assert.That(
            lines,
            Is.EqualTo(new[] { "connection 0 accepted: client 'visitor', V311", "connection 0 closed: Disconnected" })
        );
    }

    [Test]
    public async Task It_describes_itself()
    {
        await using var broker = EmbeddedBroker.Start(
            new EmbeddedBrokerOptions { Delays = DelayPlan.Parse("lognormal:5ms,0.5", "test") }
        );
        Assert.That(
            (broker.Description.Name, broker.Description.Details["delay"], broker.Description.Details["faults"]),
            Is.EqualTo(("embedded", "lognormal:5ms,0.5", "none"))
        );
        Assert.That((broker.Address.Address, broker.Address.Port > 0), Is.EqualTo((IPAddress.Loopback, true)));
    }

    // One that was turned away may hear of it before it sends.
    private static void TrySend(RawClient client, ReadOnlySpan<byte> bytes)
    {
        try
        {
            client.SendBytes(bytes);
        }
        catch (SocketException failure)
            when (failure.SocketErrorCode is SocketError.ConnectionReset or SocketError.Shutdown) { }
    }

    private static void AssertServes(EmbeddedBroker broker)
    {
        using var client = RawClient.Connected("checker", broker.Address);
        client.Subscribe("check", 1);
        client.Publish("check", Bytes.FromText("x"), 1);
        Assert.That(client.Receive<PublishPacket>().Topic, Is.EqualTo("check"));
        client.Receive<PubackPacket>();
    }
}
