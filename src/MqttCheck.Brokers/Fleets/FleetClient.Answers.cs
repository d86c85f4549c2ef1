using System.Diagnostics;
using MqttCheck.Brokers.Fleets.Requests;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Brokers.Fleets;

// The part that reads the broker's packets.
internal sealed partial class FleetClient
{
    // No packet for this client is larger: answers are short, and messages follow the profile.
    private const int LargestPacketBytes = 1 << 20;

    private bool IsLeaving => Kind == MessageKind.Disconnect && _stage is Stage.Queued or Stage.Open;

    /// <inheritdoc/>
    public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
    {
        var consumed = 0;
        _requests.Heard(stamp.Nanoseconds);
        while (connection == _connection)
        {
            var status = PacketFrame.TryRead(bytes[consumed..], LargestPacketBytes, out var frame);
            if (status == FrameStatus.NeedMore)
                return consumed;
            if (_stage == Stage.Cleaning)
            {
                ReceiveWhileCleaning(
                    connection,
                    status == FrameStatus.Complete ? bytes.Slice(consumed, frame.TotalLength) : default
                );
                return bytes.Length;
            }
            var problem =
                status == FrameStatus.Complete
                    ? Receive(connection, frame.Type, bytes.Slice(consumed, frame.TotalLength), stamp.Nanoseconds)
                    : BrokerAnswers.Malformed;
            if (problem is not null)
                Break(ExchangeOutcome.Violation, stamp.Nanoseconds, problem);
            consumed += frame.TotalLength;
        }
        // The rest belongs to a connection that was given up.
        return bytes.Length;
    }

    // Returns null, or a description of the packet's error.
    private string? Receive(WireConnection connection, PacketType type, ReadOnlySpan<byte> packet, long atNanoseconds)
    {
        if (Kind == MessageKind.Connect && _stage is Stage.Queued or Stage.Open)
            return type == PacketType.Connack && _stage == Stage.Open
                ? ReceiveConnack(packet, atNanoseconds)
                : BrokerAnswers.Unexpected;

        switch (type)
        {
            case PacketType.Publish:
                return ReceivePublish(connection, packet, atNanoseconds);
            case PacketType.Puback or PacketType.Pubrec or PacketType.Pubrel or PacketType.Pubcomp:
                return ReceiveAck(connection, packet, atNanoseconds);
            case PacketType.Suback:
                return ServerAnswers.TryReadSuback(
                    _fleet.Setup.ProtocolVersion,
                    packet,
                    out var subscribed,
                    out var granted
                )
                    ? Answer(MessageKind.Subscribe, subscribed, granted, atNanoseconds)
                    : BrokerAnswers.Malformed;
            case PacketType.Unsuback:
                return ServerAnswers.TryReadUnsuback(
                    _fleet.Setup.ProtocolVersion,
                    packet,
                    out var unsubscribed,
                    out var code
                )
                    ? Answer(MessageKind.Unsubscribe, unsubscribed, code, atNanoseconds)
                    : BrokerAnswers.Malformed;
            case PacketType.Disconnect when _fleet.Setup.ProtocolVersion >= ProtocolVersion.V5:
                return ReceiveDisconnect(packet, atNanoseconds);
            case PacketType.Pingresp when _pingTicket != 0 && packet is [0xD0, 0x00]:
                return null;
            default:
                return BrokerAnswers.Unexpected;
        }
    }

    private string? ReceiveConnack(ReadOnlySpan<byte> packet, long atNanoseconds)
    {
        if (!ServerAnswers.TryReadConnack(_fleet.Setup.ProtocolVersion, packet, out var connack))
            return BrokerAnswers.Malformed;
        if (connack.Code != 0)
        {
            _exchange.Acknowledge(atNanoseconds);
            Break(
                ExchangeOutcome.Refused,
                atNanoseconds,
                BrokerAnswers.ConnectionRefused(_fleet.Setup.ProtocolVersion, connack.Code)
            );
            return null;
        }
        _resumed = connack.SessionPresent;
        if (_resumed && !_mayResume)
            return BrokerAnswers.SessionOutOfNowhere;
        if (!_resumed && _mustResume)
            return BrokerAnswers.SessionForgotten;
        if (!_fleet.Serves(connack, _model.Profile))
            return null;
        if (_exchange.Action.Clean)
            SessionMayRemain = false;
        _exchange.Acknowledge(atNanoseconds);
        _online = true;
        _fleet.Connects.Succeeded(Index);
        KeepAlive(connack.KeepAliveSeconds, atNanoseconds);
        _aliases?.Begin(connack.TopicAliasMaximum);
        TryComplete();
        return null;
    }

    private string? ReceiveDisconnect(ReadOnlySpan<byte> packet, long atNanoseconds)
    {
        if (!ServerAnswers.TryReadDisconnect(packet, out var reason))
            return BrokerAnswers.Malformed;
        // A DISCONNECT that crosses the client's own adds nothing, because the connection ends either way.
        if (!IsLeaving)
            Break(ExchangeOutcome.ConnectionLost, atNanoseconds, BrokerAnswers.Disconnected(reason));
        return null;
    }

    // Handles the answer to a request by its packet identifier.
    private string? Answer(MessageKind kind, ushort packetId, ReasonCode code, long atNanoseconds)
    {
        if (!code.IsError() || !IsOpen(kind, packetId))
            return Acknowledge(kind, packetId, atNanoseconds);
        _exchange.Acknowledge(atNanoseconds);
        Fail(
            ExchangeOutcome.Refused,
            atNanoseconds,
            kind switch
            {
                MessageKind.Subscribe => BrokerAnswers.SubscriptionRefused(code),
                MessageKind.Unsubscribe => BrokerAnswers.UnsubscriptionRefused(code),
                MessageKind.Publish => BrokerAnswers.PublicationRefused(code),
                _ => throw new UnreachableException(),
            }
        );
        Advance(atNanoseconds);
        return null;
    }

    private string? ReceiveAck(WireConnection connection, ReadOnlySpan<byte> packet, long atNanoseconds)
    {
        if (!AckView.TryParse(_fleet.Setup.ProtocolVersion, packet, out var ack, PacketOrigin.Server))
            return BrokerAnswers.Malformed;
        switch (ack.Type)
        {
            case PacketType.Pubrel:
                Reply(connection, PacketType.Pubcomp, ack.PacketId);
                return null;
            case PacketType.Pubrec when Awaits(ack.PacketId, QualityOfService.ExactlyOnce):
                // A refusal ends the packet exchange.
                if (ack.ReasonCode.IsError())
                    return Answer(MessageKind.Publish, ack.PacketId, ack.ReasonCode, atNanoseconds);
                Reply(connection, PacketType.Pubrel, ack.PacketId);
                return null;
            case PacketType.Puback when Awaits(ack.PacketId, QualityOfService.AtLeastOnce):
            case PacketType.Pubcomp when Awaits(ack.PacketId, QualityOfService.ExactlyOnce):
                return Answer(MessageKind.Publish, ack.PacketId, ack.ReasonCode, atNanoseconds);
            default:
                return BrokerAnswers.Unexpected;
        }
    }

    private string? Acknowledge(MessageKind kind, ushort packetId, long atNanoseconds)
    {
        if (IsOpen(kind, packetId) && _exchange.Acknowledged == OpenExchange.None)
        {
            _exchange.Acknowledge(atNanoseconds);
            TryComplete();
            return null;
        }
        // An answer to a request that has timed out is late but expected.
        return packetId == _abandonedPacketId ? null : BrokerAnswers.Unexpected;
    }

    // Whether an acknowledgement belongs to the open publication with this quality of service, or to one that has timed
    // out.
    private bool Awaits(ushort packetId, QualityOfService qos) =>
        packetId == _abandonedPacketId || (IsOpen(MessageKind.Publish, packetId) && _exchange.Action.Qos == qos);

    private bool IsOpen(MessageKind kind, ushort packetId) =>
        _stage == Stage.Open && Kind == kind && _exchange.PacketId == packetId;

    private string? ReceivePublish(WireConnection connection, ReadOnlySpan<byte> packet, long atNanoseconds)
    {
        if (!PublishView.TryParse(_fleet.Setup.ProtocolVersion, packet, out var message, PacketOrigin.Server))
            return BrokerAnswers.Malformed;
        if (message.Qos == QualityOfService.AtLeastOnce)
            Reply(connection, PacketType.Puback, message.PacketId);
        else if (message.Qos == QualityOfService.ExactlyOnce)
            Reply(connection, PacketType.Pubrec, message.PacketId);
        if (_fleet.Packets.TryRead(message.Topic, message.Payload, out var topic, out var number))
        {
            // A client that subscribes again gets the retained message once more.
            var isRedelivery = (message.Duplicate && _resumed) || message.Retain;
            _fleet.Deliveries.Take(Index, topic, number, isRedelivery, atNanoseconds);
        }
        else if (_fleet.Packets.Names.TryReadFirst(message.Topic, message.Payload, out topic, out var publisher))
        {
            // A kept copy may be an earlier one of the same text, so it answers for none.
            if (message.Retain)
                _fleet.Deliveries.Redeliveries++;
            else
                _fleet.Deliveries.Take(Index, topic, DeliveryLedger.OpenOf(publisher), false, atNanoseconds);
        }
        else if (!_fleet.Packets.Names.IsWill(message.Topic))
            _fleet.Deliveries.Strays++;
        return null;
    }

    private void Reply(WireConnection connection, PacketType type, ushort packetId)
    {
        // Nothing may follow a DISCONNECT.
        if (IsLeaving)
            return;
        Span<byte> packet = stackalloc byte[PacketWriter.MaximumAckBytes];
        connection.Send(packet[..PacketWriter.WriteAck(packet, type, packetId, _fleet.Setup.ProtocolVersion)]);
    }

    private void ReceiveWhileCleaning(WireConnection connection, ReadOnlySpan<byte> packet)
    {
        if (
            packet.Length >= 4
            && ServerAnswers.TryReadConnack(_fleet.Setup.ProtocolVersion, packet, out var connack)
            && connack.Code == 0
        )
        {
            SessionMayRemain = false;
            connection.Send(RequestPackets.Disconnect);
        }
        // Ends in OnClosed, where the client is finished.
        connection.Close();
    }
}
