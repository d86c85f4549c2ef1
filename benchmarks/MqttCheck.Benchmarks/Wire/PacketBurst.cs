using MqttCheck.Brokers.Wire;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Benchmarks.Wire;

/// <summary>
/// A client that sends packets as fast as the broker takes them, then a PINGREQ, and is done when that is answered.
/// Whatever else comes is dropped.
/// </summary>
/// <param name="clientId">Its identifier.</param>
/// <param name="packets">The packets after CONNECT.</param>
internal sealed class PacketBurst(string clientId, IEnumerable<Packet> packets) : IWireHandler
{
    private const ProtocolVersion Version = ProtocolVersion.V311;

    private readonly TaskCompletionSource _done = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Ends when the broker has taken all packets.</summary>
    public Task Done => _done.Task;

    public void OnConnected(WireConnection connection, in ArrivalStamp stamp) =>
        connection.Send(
            PacketEncoder.Encode(
                new ConnectPacket
                {
                    ProtocolVersion = Version,
                    ClientId = clientId,
                    CleanStart = true,
                },
                Version
            )
        );

    public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
    {
        var consumed = 0;
        while (PacketFrame.TryRead(bytes[consumed..], int.MaxValue, out var frame) == FrameStatus.Complete)
        {
            consumed += frame.TotalLength;
            if (frame.Type == PacketType.Pingresp)
                _done.TrySetResult();
            if (frame.Type != PacketType.Connack)
                continue;
            foreach (var packet in packets.Append(new PingreqPacket()))
                connection.Send(PacketEncoder.Encode(packet, Version));
        }
        return consumed;
    }

    public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp) =>
        _done.TrySetException(new InvalidOperationException($"The connection of {clientId} ended: {reason}, {detail}"));
}
