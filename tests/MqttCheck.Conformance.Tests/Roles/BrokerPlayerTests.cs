using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Roles.Playing;
using MqttCheck.Conformance.Roles.Scripts;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Tests.Roles;

[TestFixture]
internal sealed class BrokerPlayerTests : IPlayedWire
{
    private readonly List<(int Connection, byte[] Bytes)> _sent = [];
    private readonly List<int> _closed = [];
    private long _now;

    [SetUp]
    public void Begin()
    {
        _sent.Clear();
        _closed.Clear();
        _now = 0;
    }

    [Test]
    public void A_level_that_nobody_knows_gets_return_code_1_and_no_finding()
    {
        var player = Player("accept");
        var connect = PacketEncoder.Encode(Connect("bridge"), ProtocolVersion.V311);
        connect[8] = 0x84;
        Open(player, 1, connect);
        Assert.That(_sent.Single().Bytes, Is.EqualTo(new byte[] { 0x20, 2, 0, 1 }));
        Assert.That(_closed, Is.EqualTo(new[] { 1 }));
        Assert.That(player.Monitor.Deviations, Is.Empty);
    }

    [Test]
    public void Another_client_gets_a_broker_that_does_what_is_right()
    {
        var player = Player("accept; hold; wait ms=1000");
        Open(player, 1, Encode(Connect("first")));
        Open(player, 2, Encode(Connect("second")));
        Pass(player);
        var publish = Encode(
            new PublishPacket
            {
                Topic = "t",
                Qos = QualityOfService.AtLeastOnce,
                PacketId = 9,
            }
        );
        player.Received(1, publish, _now);
        player.Received(2, publish, _now);
        Assert.That(
            _sent.Select(one => (one.Connection, PacketDecoder.Decode(one.Bytes, ProtocolVersion.V311).Type)),
            Is.EqualTo(new[] { (1, PacketType.Connack), (2, PacketType.Connack), (2, PacketType.Puback) })
                .Or.EqualTo(new[] { (2, PacketType.Connack), (1, PacketType.Connack), (2, PacketType.Puback) })
        );
    }

    [Test]
    public void A_second_CONNECT_ends_the_connection_also_before_CONNACK()
    {
        var player = Player("accept");
        Open(player, 1, [.. Encode(Connect("a")), .. Encode(Connect("a"))]);
        Assert.That(_closed, Is.EqualTo(new[] { 1 }));
        Assert.That(player.Monitor.Deviations.Select(one => one.Statement.Name), Is.EqualTo(new[] { "connect-once" }));
    }

    [Test]
    public void A_packet_that_is_cut_into_pieces_is_whole()
    {
        var player = Player("accept split=1");
        Open(player, 1, Encode(Connect("a")));
        Pass(player);
        Assert.That(_sent.Select(one => one.Bytes.Length), Is.EqualTo(new[] { 1, 1, 1, 1 }));
        Assert.That(_sent.SelectMany(one => one.Bytes), Is.EqualTo(new byte[] { 0x20, 2, 0, 0 }));
    }

    [Test]
    public void A_line_that_makes_no_sense_is_left_out()
    {
        var player = Player("close; send qos=1; release; disconnect; await publish; malformed flags");
        Pass(player);
        Open(player, 1, Encode(Connect("a")));
        Pass(player);
        Assert.That(_sent, Has.Count.EqualTo(1), "CONNACK");
        Assert.That(player.Monitor.Trace.Count(entry => entry.Kind == TraceKind.Received), Is.EqualTo(1));
    }

    [Test]
    public void A_message_of_a_client_whose_connection_was_lost_comes_again_with_DUP()
    {
        var player = Player("accept; await subscribe; send qos=1; close; accept");
        var subscribe = new SubscribePacket(1, [new("a/+/#", QualityOfService.ExactlyOnce)]);
        Open(player, 1, Encode(Connect("a")));
        Pass(player);
        player.Received(1, Encode(subscribe), _now);
        Pass(player);
        Open(player, 2, Encode(Connect("a")));
        Pass(player);
        var messages = _sent
            .Select(one => PacketDecoder.Decode(one.Bytes, ProtocolVersion.V311))
            .OfType<PublishPacket>()
            .ToList();
        Assert.That(messages.Select(message => message.Duplicate), Is.EqualTo(new[] { false, true }));
        Assert.That(messages.Select(message => message.Topic), Has.All.EqualTo("a/x/x"));
        Assert.That(messages[1].PacketId, Is.EqualTo(messages[0].PacketId));
    }

    void IPlayedWire.Send(int connection, ReadOnlyMemory<byte> bytes) => _sent.Add((connection, bytes.ToArray()));

    void IPlayedWire.Close(int connection) => _closed.Add(connection);

    private BrokerPlayer Player(string script) =>
        new(BrokerScript.Parse(script, "test"), this, TimeSpan.FromSeconds(2));

    private void Open(BrokerPlayer player, int connection, byte[] bytes)
    {
        player.Opened(connection, _now);
        player.Received(connection, bytes, _now);
    }

    private void Pass(BrokerPlayer player)
    {
        for (var i = 0; i < 10; i++)
            player.Tick(_now += 10_000_000);
    }

    private static byte[] Encode(Packet packet) => PacketEncoder.Encode(packet, ProtocolVersion.V311);

    private static ConnectPacket Connect(string identifier) =>
        new()
        {
            ProtocolVersion = ProtocolVersion.V311,
            ClientId = identifier,
            CleanStart = false,
        };
}
