using System.Buffers.Binary;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Fleets;

// The half that reads the broker's packets.
internal sealed partial class FleetClient
{
    // Larger than any packet that a server sends to this client: answers are short, messages are those of the profile.
    private const int LargestPacketBytes = 1 << 20;

    private bool IsLeaving => _action.Kind == MessageKind.Disconnect && _stage is Stage.Queued or Stage.Open;

    /// <inheritdoc/>
    public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
    {
        var consumed = 0;
        while (connection == _connection)
        {
            var status = PacketFrame.TryRead(bytes[consumed..], LargestPacketBytes, out var frame);
            if (status == FrameStatus.NeedMore) return consumed;
            if (_stage == Stage.Cleaning)
            {
                ReceiveWhileCleaning(connection, status == FrameStatus.Complete ? bytes.Slice(consumed, frame.TotalLength) : default);
                return bytes.Length;
            }
            var problem = status == FrameStatus.Complete
                ? Receive(connection, frame.Type, bytes.Slice(consumed, frame.TotalLength), stamp.Nanoseconds)
                : BrokerAnswers.Malformed;
            if (problem is not null) Break(ExchangeOutcome.Violation, stamp.Nanoseconds, problem);
            consumed += frame.TotalLength;
        }
        // The rest belongs to a connection that was given up.
        return bytes.Length;
    }

    // Null, or what is wrong with the packet.
    private string? Receive(WireConnection connection, PacketType type, ReadOnlySpan<byte> packet, long atNanoseconds)
    {
        if (_action.Kind == MessageKind.Connect && _stage is Stage.Queued or Stage.Open)
            return type == PacketType.Connack && _stage == Stage.Open ? ReceiveConnack(packet, atNanoseconds) : BrokerAnswers.Unexpected;

        switch (type)
        {
            case PacketType.Publish:
                return ReceivePublish(connection, packet, atNanoseconds);
            case PacketType.Puback or PacketType.Pubrec or PacketType.Pubrel or PacketType.Pubcomp:
                return ReceiveAck(connection, packet, atNanoseconds);
            case PacketType.Suback when packet.Length == 5 && packet[0] == 0x90:
                return ReceiveSuback(BinaryPrimitives.ReadUInt16BigEndian(packet[2..]), packet[4], atNanoseconds);
            case PacketType.Unsuback when packet.Length == 4 && packet[0] == 0xB0:
                return Acknowledge(MessageKind.Unsubscribe, BinaryPrimitives.ReadUInt16BigEndian(packet[2..]), atNanoseconds);
            default:
                return BrokerAnswers.Unexpected;
        }
    }

    private string? ReceiveConnack(ReadOnlySpan<byte> packet, long atNanoseconds)
    {
        if (packet.Length != 4 || packet[0] != 0x20 || packet[2] > 1) return BrokerAnswers.Malformed;
        var code = (ConnectReturnCode)packet[3];
        if (code != ConnectReturnCode.Accepted)
        {
            SetAcknowledged(atNanoseconds);
            Break(ExchangeOutcome.Refused, atNanoseconds, BrokerAnswers.Describe(code));
            return null;
        }
        _resumed = packet[2] == 1;
        if (_resumed != _sessionExpected) return _resumed ? BrokerAnswers.SessionOutOfNowhere : BrokerAnswers.SessionForgotten;
        if (_action.Clean) SessionMayRemain = false;
        SetAcknowledged(atNanoseconds);
        GoOnline();
        TryComplete();
        return null;
    }

    private string? ReceiveSuback(ushort packetId, byte code, long atNanoseconds)
    {
        if (code > (byte)QualityOfService.ExactlyOnce && code != 0x80) return BrokerAnswers.Malformed;
        if (code != 0x80 || packetId == _abandonedPacketId || !IsOpen(MessageKind.Subscribe, packetId)) return Acknowledge(MessageKind.Subscribe, packetId, atNanoseconds);
        SetAcknowledged(atNanoseconds);
        Fail(ExchangeOutcome.Refused, atNanoseconds, BrokerAnswers.SubscriptionRefused);
        Advance(atNanoseconds);
        return null;
    }

    private string? ReceiveAck(WireConnection connection, ReadOnlySpan<byte> packet, long atNanoseconds)
    {
        if (!AckView.TryParse(_fleet.ProtocolVersion, packet, out var ack, PacketOrigin.Server)) return BrokerAnswers.Malformed;
        switch (ack.Type)
        {
            case PacketType.Pubrel:
                Reply(connection, PacketType.Pubcomp, ack.PacketId);
                return null;
            case PacketType.Pubrec when _qos == QualityOfService.ExactlyOnce && (IsOpen(MessageKind.Publish, ack.PacketId) || ack.PacketId == _abandonedPacketId):
                Reply(connection, PacketType.Pubrel, ack.PacketId);
                return null;
            case PacketType.Puback when _qos == QualityOfService.AtLeastOnce:
            case PacketType.Pubcomp when _qos == QualityOfService.ExactlyOnce:
                return Acknowledge(MessageKind.Publish, ack.PacketId, atNanoseconds);
            default:
                return BrokerAnswers.Unexpected;
        }
    }

    private string? Acknowledge(MessageKind kind, ushort packetId, long atNanoseconds)
    {
        if (IsOpen(kind, packetId) && _acknowledged == None)
        {
            SetAcknowledged(atNanoseconds);
            TryComplete();
            return null;
        }
        // An answer to what has timed out comes too late, but it is one.
        return packetId == _abandonedPacketId ? null : BrokerAnswers.Unexpected;
    }

    private bool IsOpen(MessageKind kind, ushort packetId) => _stage == Stage.Open && _action.Kind == kind && _packetId == packetId;

    private string? ReceivePublish(WireConnection connection, ReadOnlySpan<byte> packet, long atNanoseconds)
    {
        if (!PublishView.TryParse(_fleet.ProtocolVersion, packet, out var message, PacketOrigin.Server)) return BrokerAnswers.Malformed;
        if (message.Qos == QualityOfService.AtLeastOnce) Reply(connection, PacketType.Puback, message.PacketId);
        else if (message.Qos == QualityOfService.ExactlyOnce) Reply(connection, PacketType.Pubrec, message.PacketId);
        if (_fleet.Packets.TryRead(message.Topic, message.Payload, out var topic, out var number))
            _fleet.Deliver(Index, topic, number, isRedelivery: message.Duplicate && _resumed, atNanoseconds);
        else
            _fleet.Strays++;
        return null;
    }

    private void Reply(WireConnection connection, PacketType type, ushort packetId)
    {
        // Nothing may follow a DISCONNECT.
        if (IsLeaving) return;
        Span<byte> packet = stackalloc byte[PacketWriter.MaximumAckBytes];
        connection.Send(packet[..PacketWriter.WriteAck(packet, type, packetId, _fleet.ProtocolVersion)]);
    }

    private void ReceiveWhileCleaning(WireConnection connection, ReadOnlySpan<byte> packet)
    {
        if (packet.Length == 4 && packet[0] == 0x20 && packet[3] == 0)
        {
            SessionMayRemain = false;
            connection.Send(RequestPackets.Disconnect);
        }
        // Ends in OnClosed, where the client is finished.
        connection.Close();
    }
}
