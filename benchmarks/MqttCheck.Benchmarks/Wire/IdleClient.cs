using System.Globalization;
using MqttCheck.Brokers.Wire;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Benchmarks.Wire;

/// <summary>A client that connects, subscribes, and waits.</summary>
/// <param name="number">Its number.</param>
/// <param name="ready">Told when it is subscribed.</param>
internal sealed class IdleClient(int number, Action ready) : IWireHandler
{
    private const ProtocolVersion Version = ProtocolVersion.V311;

    public void OnConnected(WireConnection connection, in ArrivalStamp stamp)
    {
        var id = string.Create(CultureInfo.InvariantCulture, $"idle{number}");
        connection.Send(
            PacketEncoder.Encode(
                new ConnectPacket
                {
                    ProtocolVersion = Version,
                    ClientId = id,
                    CleanStart = true,
                },
                Version
            )
        );
        connection.Send(
            PacketEncoder.Encode(
                new SubscribePacket(1, [new SubscriptionRequest($"devices/{id}/+", QualityOfService.AtLeastOnce)]),
                Version
            )
        );
    }

    public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
    {
        var consumed = 0;
        while (PacketFrame.TryRead(bytes[consumed..], int.MaxValue, out var frame) == FrameStatus.Complete)
        {
            consumed += frame.TotalLength;
            if (frame.Type == PacketType.Suback)
                ready();
        }
        return consumed;
    }

    public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp) =>
        throw new InvalidOperationException($"An idle connection ended: {reason}, {detail}");
}
