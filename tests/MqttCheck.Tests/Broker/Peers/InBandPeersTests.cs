using MqttCheck.Broker.Core;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Broker.Peers;

/// <summary>
/// Peers that mark their CONNECT by the top bit of the level, and put bytes of their own into PINGREQ.
/// </summary>
[TestFixture]
internal sealed class InBandPeersTests : PeerFixture
{
    [SetUp]
    public void Allow() => Peers.IsInBand = true;

    [Test]
    public void A_marked_peer_is_taken_and_what_its_pings_carry_is_told()
    {
        var peer = Bench.Open(ProtocolVersion.V5);
        peer.SendBytes(Marked(Connect("x", "3")));
        Assert.That(peer.Take<ConnackPacket>().ReasonCode, Is.EqualTo(ReasonCode.Success));
        peer.SendBytes([0xC0, 2, 0x11, 0x22]);
        Assert.That(peer.Take<PingrespPacket>(), Is.Not.Null);
        peer.SendBytes([0xC0, 0]);
        Assert.That(peer.Take<PingrespPacket>(), Is.Not.Null);
        Assert.That(Peers.Told, Is.EqualTo(["3 connected", "3 pings 1122"]));
        peer.SendBytes([0xC0, 1, 0xFF]);
        Assert.That(peer.Take<DisconnectPacket>().ReasonCode, Is.EqualTo(ReasonCode.MalformedPacket));
    }

    // A level with the top bit is one that nobody knows, in the words of the version below it (MQTT-3.1.2-2).
    [TestCase(ProtocolVersion.V311, true)]
    [TestCase(ProtocolVersion.V5, true)]
    [TestCase(ProtocolVersion.V311, false)]
    [TestCase(ProtocolVersion.V5, false)]
    public void A_foreign_client_with_the_bit_is_refused_with_the_reason(ProtocolVersion version, bool isInBand)
    {
        Peers.IsInBand = isInBand;
        // Without in-band peers a broker answers a level that it does not know in the words of 3.1.1.
        var client = Bench.Open(isInBand ? version : ProtocolVersion.V311);
        client.SendBytes(
            Marked(PacketEncoder.Encode(new ConnectPacket { ClientId = "c", ProtocolVersion = version }, version))
        );
        Assert.That(client.Take<ConnackPacket>().ReasonCode, Is.EqualTo(ReasonCode.UnsupportedProtocolVersion));
        Assert.That(client.IsClosed, Is.True);
    }

    [TestCase("9")]
    [TestCase(null)]
    public void A_marked_client_that_is_no_peer_is_refused(string? greeting)
    {
        var client = Bench.Open(ProtocolVersion.V5);
        client.SendBytes(Marked(Connect("x", greeting)));
        Assert.That(client.Take<ConnackPacket>().ReasonCode, Is.EqualTo(ReasonCode.UnsupportedProtocolVersion));
    }

    [Test]
    public void Clients_and_peers_without_the_mark_have_PINGREQ_without_bytes_alone()
    {
        var (client, peer) = (Bench.Connect(ProtocolVersion.V5, "c"), Connect("x", properties: Greeting("3")));
        foreach (var one in (BenchClient[])[client, peer])
        {
            one.SendBytes([0xC0, 0]);
            Assert.That(one.Take<PingrespPacket>(), Is.Not.Null);
            one.SendBytes([0xC0, 1, 0x11]);
            Assert.That(one.Take<DisconnectPacket>().ReasonCode, Is.EqualTo(ReasonCode.MalformedPacket));
        }
    }

    // Seed 57.
    [Test]
    public void Ten_thousand_fuzzed_CONNECTs_and_PINGREQs_leave_a_broker_that_serves()
    {
        var random = RandomStream.For(57, 2);
        byte[] connect = Marked(Connect("x", "3"));
        var output = new Closes();
        var core = new BrokerCore(new BrokerOptions { Peers = Peers }, output);
        var accepted = 0;
        for (var i = 0; i < 10_000; i++)
        {
            Assert.That(core.TryOpen(i, out var connection), Is.True);
            byte[] first = i % 2 == 0 ? Fuzzed(connect, ref random) : connect;
            byte[] ping = [0xC0, (byte)(1 + random.NextInt(60)), .. new byte[60]];
            core.Receive(connection, [.. first, .. Fuzzed(ping, ref random)], i);
            if (output.Closed.Remove(connection))
                continue;
            accepted++;
            core.Lost(connection, i);
        }
        Assert.That(accepted, Is.InRange(1, 9_999));
        Assert.That(core.Counters.Connections, Is.Zero);
        core.TryOpen(10_000, out var last);
        core.Receive(last, PacketEncoder.Encode(new ConnectPacket { ClientId = "after" }, ProtocolVersion.V5), 10_000);
        Assert.That((output.Names[^1], output.Closed), Is.EqualTo(("after", Array.Empty<int>())));
    }

    private sealed class Closes : IBrokerOutput
    {
        public HashSet<int> Closed { get; } = [];

        public List<string> Names { get; } = [];

        public void Accepted(int connection, string clientId, ProtocolVersion version) => Names.Add(clientId);

        public void Send(int connection, ReadOnlySpan<byte> packet) { }

        public void Close(int connection, BrokerCloseReason reason) => Closed.Add(connection);

        public bool IsCongested(int connection) => false;

        public void PauseReading(int connection, long forNanoseconds) { }
    }

    private static byte[] Fuzzed(byte[] packet, ref RandomStream random)
    {
        byte[] fuzzed = [.. packet];
        for (var change = random.NextInt(4); change >= 0; change--)
            fuzzed[random.NextInt(fuzzed.Length)] = (byte)random.NextInt(256);
        return random.NextInt(8) == 0 ? fuzzed[..random.NextInt(fuzzed.Length)] : fuzzed;
    }

    private static byte[] Connect(string clientId, string? greeting) =>
        PacketEncoder.Encode(
            new ConnectPacket
            {
                ClientId = clientId,
                Properties = new PacketProperties { UserProperties = greeting is null ? [] : [Greeting(greeting)] },
            },
            ProtocolVersion.V5
        );

    private static byte[] Marked(byte[] connect)
    {
        ConnectLevel.Mark(connect);
        return connect;
    }
}
