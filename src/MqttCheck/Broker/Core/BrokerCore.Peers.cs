using MqttCheck.Broker.Peers;
using MqttCheck.Broker.Sessions;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Broker.Core;

/// <content>Brokers that work together. Without peers nothing here is called.</content>
internal sealed partial class BrokerCore
{
    private const int NoPeer = -1;
    private const long NotHeld = -1;

    private readonly IBrokerPeers? _peers;
    private readonly Dictionary<long, HeldAck> _heldAcks = [];
    private long _publications;
    private long _heldToken = NotHeld;
    private bool _isDismissing;
    private int _clients;

    /// <summary>
    /// Routes a peer's message to the sessions of this broker and, if flagged, to the retained store. It does not come
    /// back through <see cref="IBrokerPeers.Published"/>.
    /// </summary>
    /// <param name="message">The message.</param>
    /// <param name="nowNanoseconds">The time.</param>
    internal void Inject(Message message, long nowNanoseconds)
    {
        Advance(nowNanoseconds);
        Route(message, topic: null);
    }

    /// <summary>
    /// Lets the acknowledgement of a publication go, as soon as those before it of the same client have gone. One that
    /// does not wait is left alone.
    /// </summary>
    /// <param name="token">The number that <see cref="IBrokerPeers.Published"/> was given.</param>
    internal void Accept(long token)
    {
        if (!_heldAcks.Remove(token, out var accepted))
            return;
        accepted.IsAccepted = true;
        ReleaseAcks(accepted.Session);
    }

    // Peers are told apart from clients that only use a name of theirs.
    private bool Greets(Connection from, ConnectPacket connect)
    {
        string? greeting = null;
        foreach (var property in connect.Properties.UserProperties)
            if (property.Name == PeerProtocol.PropertyName)
                greeting ??= property.Value;
        if (greeting is null)
            return !connect.ClientId.StartsWith(PeerProtocol.ClientIdPrefix, StringComparison.Ordinal);
        if (_peers!.Greet(greeting, out var peer) is not { } answer)
            return false;
        (from.Peer, from.PeerAnswer) = (peer, answer);
        from.LargestPacketBytes = _limits.PacketBytes + PeerProtocol.ExtraBytes;
        return true;
    }

    // The length of a frame that was read takes one byte up to 127.
    private void HandleStatement(Connection from, ReadOnlySpan<byte> packet)
    {
        if (packet[1] > 127 || !_peers!.IsStatement(packet[2..]))
        {
            Fail(from, ReasonCode.MalformedPacket);
            return;
        }
        _sender.SendPingresp(from);
        _peers.Pinged(from.Peer, packet[2..]);
    }

    private void CountClient(Connection of, int change)
    {
        if (_peers is null || of.Peer != NoPeer)
            return;
        _clients += change;
        _peers.ClientsChanged(_clients);
    }

    private static PacketProperties AnswerToPeer(Connection connection, PacketProperties announcement) =>
        announcement with
        {
            UserProperties = [new UserProperty(PeerProtocol.PropertyName, connection.PeerAnswer!)],
        };

    private static bool IsReserved(ReadOnlySpan<byte> topic) => topic.StartsWith("$mqttcheck/"u8);

    // The acknowledgement speaks of this hop alone.
    private void TakeFromPeer(Connection from, in PublishView publish, ReadOnlySpan<byte> topic)
    {
        if (publish.Qos == QualityOfService.ExactlyOnce)
            from.Session!.ReceivedQos2.Add(publish.PacketId);
        if (publish.Qos != QualityOfService.AtMostOnce)
            _sender.SendAck(
                from,
                publish.Qos == QualityOfService.ExactlyOnce ? PacketType.Pubrec : PacketType.Puback,
                publish.PacketId,
                ReasonCode.Success
            );
        _peers!.Receive(from.Peer, MessageOf(from, publish, topic));
    }

    private void TellPeers(Message message)
    {
        var token = _publications++;
        _heldToken = _peers!.Published(message, token) ? token : NotHeld;
    }

    // Acknowledgements of one client keep their order (MQTT-4.6.0-2, -3): one waits for those before it, too.
    private bool IsHeld(Connection to, PacketType type, ushort packetId, ReasonCode reason)
    {
        var token = _heldToken;
        _heldToken = NotHeld;
        var session = to.Session!;
        if (token == NotHeld && session.HeldAcks is not { Count: > 0 })
            return false;
        var held = new HeldAck(session, type, packetId, reason) { IsAccepted = token == NotHeld };
        (session.HeldAcks ??= new Queue<HeldAck>()).Enqueue(held);
        if (token != NotHeld)
            _heldAcks.Add(token, held);
        return true;
    }

    private static bool IsHeld(Session session, ushort packetId) =>
        session.HeldAcks?.Any(held => held.Type == PacketType.Pubrec && held.PacketId == packetId) == true;

    private void ReleaseAcks(Session session)
    {
        while (session.HeldAcks is { Count: > 0 } held && held.Peek().IsAccepted)
        {
            var ack = held.Dequeue();
            // A publisher that is away sends its QoS 2 message again, and is answered then.
            if (session.Connection is { } connection)
                _sender.SendAck(connection, ack.Type, ack.PacketId, ack.Reason);
        }
    }

    // A QoS 1 message that is sent again over another connection is another publication.
    private static void DropHeldPubacks(Session session)
    {
        if (session.HeldAcks is { Count: > 0 } held)
            session.HeldAcks = new Queue<HeldAck>(held.Where(ack => ack.Type == PacketType.Pubrec));
    }
}
