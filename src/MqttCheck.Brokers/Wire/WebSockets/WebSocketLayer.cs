using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;
using MqttCheck.Brokers.Wire.Layers;

namespace MqttCheck.Brokers.Wire.WebSockets;

/// <summary>
/// WebSocket (RFC 6455) with the sub-protocol of MQTT. The handler's bytes travel in binary messages, whose boundaries
/// MQTT ignores. The bytes queued in one batch of the loop form one message.
/// </summary>
/// <param name="loop">The loop of the connection.</param>
/// <param name="upper">Who is told.</param>
/// <param name="deadlineNanoseconds">When the handshake has to be over.</param>
/// <param name="handshake">This side of the handshake.</param>
internal sealed class WebSocketLayer(
    EventLoop loop,
    IWireHandler upper,
    long deadlineNanoseconds,
    WebSocketHandshake handshake
) : ConnectionLayer(loop, upper, deadlineNanoseconds)
{
    private const ushort NormalClosure = 1000;

    private readonly WebSocketDecoder _decoder = new(isMasked: !handshake.IsClient);
    private ByteQueue? _head = new(loop.Buffers);

    /// <inheritdoc/>
    protected override string Name => "WebSocket";

    /// <inheritdoc/>
    protected override void BeginHandshake() => Lower.Send(handshake.Opening);

    /// <inheritdoc/>
    protected override void Decode(ReadOnlySpan<byte> bytes)
    {
        if (_head is { } head)
        {
            head.Append(bytes);
            var length = HttpHead.FindEnd(head.Bytes);
            if (length < 0 && head.Count <= HttpHead.MaximumBytes)
                return;
            if (length is < 0 or > HttpHead.MaximumBytes)
            {
                Fail(
                    CloseReason.HandshakeFailed,
                    $"WebSocket: the head of the peer's message is longer than {HttpHead.MaximumBytes} bytes"
                );
                return;
            }
            var problem = handshake.Judge(HttpHead.Parse(head.Bytes[..length]), out var answer);
            Lower.Send(answer);
            if (problem is not null)
            {
                Fail(CloseReason.HandshakeFailed, $"WebSocket: {problem}");
                return;
            }
            head.Consume(length);
            _head = null;
            Open();
            ReadFrames(head.Bytes);
            head.Clear();
            return;
        }
        ReadFrames(bytes);
    }

    /// <inheritdoc/>
    protected override void Encode(ByteQueue outgoing) => Send(WebSocketOpcode.Binary, outgoing.Bytes);

    /// <inheritdoc/>
    protected override void EncodeEnd() => SendClose(NormalClosure);

    /// <inheritdoc/>
    protected override void Free() => _head?.Clear();

    private void ReadFrames(ReadOnlySpan<byte> bytes)
    {
        while (Stage == LayerStage.Open)
        {
            switch (_decoder.Read(ref bytes, Incoming))
            {
                case WebSocketEvent.Ping:
                    Send(WebSocketOpcode.Pong, _decoder.Control);
                    break;
                case WebSocketEvent.Close:
                    SendClose(
                        _decoder.Control.IsEmpty
                            ? NormalClosure
                            : BinaryPrimitives.ReadUInt16BigEndian(_decoder.Control)
                    );
                    EndByPeer();
                    return;
                case WebSocketEvent.Violation:
                    SendClose(_decoder.Status);
                    Fail(CloseReason.Reset, $"WebSocket: {_decoder.Problem}");
                    return;
                default:
                    return;
            }
        }
    }

    private void SendClose(ushort status)
    {
        Span<byte> payload = stackalloc byte[sizeof(ushort)];
        BinaryPrimitives.WriteUInt16BigEndian(payload, status);
        Send(WebSocketOpcode.Close, payload);
    }

    private void Send(WebSocketOpcode opcode, Span<byte> payload)
    {
        Span<byte> head = stackalloc byte[WebSocketFrame.MaximumHead];
        uint? mask = null;
        if (handshake.IsClient)
        {
            Span<byte> random = stackalloc byte[sizeof(uint)];
            RandomNumberGenerator.Fill(random);
            mask = BinaryPrimitives.ReadUInt32BigEndian(random);
            WebSocketMask.Apply(payload, mask.Value);
        }
        Lower.Send(head[..WebSocketFrame.WriteHead(head, opcode, payload.Length, mask)]);
        Lower.Send(payload);
    }
}
