using System.Buffers.Binary;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.WebSockets;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Frames;

namespace MqttCheck.Captures.Messages;

/// <summary>Takes the packets of one side out of the frames of a WebSocket connection.</summary>
/// <param name="packets">Takes the payload of the frames.</param>
/// <param name="conversation">The connection.</param>
/// <param name="isFromClient">Whether the client is the sender.</param>
internal sealed class WebSocketSide(PacketSplitter packets, MqttConversation conversation, bool isFromClient)
{
    private readonly List<byte> _head = [];
    private readonly ByteQueue _payload = new(new());
    private WebSocketDecoder _frames = new(isFromClient);
    private bool _isUpgraded,
        _isInStep = true,
        _isOver;

    /// <summary>The connection had been upgraded before the capture began.</summary>
    public void Join() => (_isUpgraded, _isInStep) = (true, false);

    /// <summary>Bytes are missing.</summary>
    /// <param name="nanoseconds">When the next byte was sent.</param>
    public void Miss(long nanoseconds)
    {
        if (!_isUpgraded)
        {
            _isOver = true;
            conversation.Refuse();
            return;
        }
        _isInStep = false;
        packets.Miss(long.MaxValue, nanoseconds);
    }

    /// <summary>Takes bytes.</summary>
    /// <param name="bytes">The bytes of a segment.</param>
    /// <param name="nanoseconds">When.</param>
    public void Take(ReadOnlySpan<byte> bytes, long nanoseconds)
    {
        if (!_isUpgraded)
            bytes = Upgrade(bytes);
        if (bytes.IsEmpty || _isOver)
            return;
        if (!_isInStep)
        {
            if (!IsAtBorder(bytes, conversation, isFromClient))
            {
                conversation.Counts.PassedOverBytes += bytes.Length;
                return;
            }
            (_isInStep, _frames) = (true, new(isFromClient));
            _payload.Clear();
        }
        while (true)
        {
            var what = _frames.Read(ref bytes, _payload);
            if (_payload.Count > 0)
                packets.Take(_payload.Bytes, nanoseconds);
            _payload.Clear();
            if (what == WebSocketEvent.NeedsMore)
                return;
            if (what == WebSocketEvent.Ping)
                continue;
            _isOver = true;
            if (what == WebSocketEvent.Violation)
                conversation.Break();
            return;
        }
    }

    /// <summary>Whether bytes are whole frames with whole packets.</summary>
    public static bool IsAtBorder(ReadOnlySpan<byte> bytes, MqttConversation conversation, bool isFromClient)
    {
        if (!AreWholeFrames(bytes, isFromClient))
            return false;
        var payload = new ByteQueue(new());
        var frames = new WebSocketDecoder(isFromClient);
        while (!bytes.IsEmpty)
        {
            if (frames.Read(ref bytes, payload) is WebSocketEvent.Violation or WebSocketEvent.Close)
                return false;
        }
        return payload.Count > 0
            && PacketBorders.Judge(
                payload.Bytes,
                conversation.IsVersionCertain ? conversation.Version : null,
                isFromClient ? PacketOrigin.Client : PacketOrigin.Server,
                out _
            ) == FrameStatus.Complete;
    }

    private static bool AreWholeFrames(ReadOnlySpan<byte> bytes, bool isMasked)
    {
        while (bytes.Length >= 2)
        {
            var (header, length) = (bytes[1] & 0x7F) switch
            {
                126 when bytes.Length >= 4 => (4, BinaryPrimitives.ReadUInt16BigEndian(bytes[2..])),
                127 when bytes.Length >= 10 => (10, BinaryPrimitives.ReadUInt64BigEndian(bytes[2..])),
                126 or 127 => (0, ulong.MaxValue),
                var small => (2, (ulong)small),
            };
            header += isMasked ? 4 : 0;
            if (bytes[1] >= 0x80 != isMasked || length > (ulong)bytes.Length || header + (int)length > bytes.Length)
                return false;
            bytes = bytes[(header + (int)length)..];
        }
        return bytes.IsEmpty;
    }

    // The bytes behind the head of HTTP, nothing before its end.
    private ReadOnlySpan<byte> Upgrade(ReadOnlySpan<byte> bytes)
    {
        var before = _head.Count;
        _head.AddRange(bytes[..Math.Min(bytes.Length, HttpHead.MaximumBytes + 4 - before)]);
        var end = HttpHead.FindEnd(_head.ToArray());
        if (end < 0)
        {
            if (_head.Count > HttpHead.MaximumBytes)
                Refuse();
            return default;
        }
        var head = HttpHead.Parse(_head.ToArray().AsSpan(0, end));
        _head.Clear();
        _isUpgraded = true;
        if (head is null || !(isFromClient ? Asks(head) : Agrees(head)))
            Refuse();
        return bytes[Math.Max(0, end - before)..];
    }

    private void Refuse()
    {
        _isOver = true;
        conversation.Refuse();
    }

    private static bool Asks(HttpHead head) => head.Lists("Upgrade", "websocket");

    // A server that agrees to compress is not read.
    private static bool Agrees(HttpHead head) =>
        head.FirstLine.Split(' ') is [_, "101", ..]
        && head.Lists("Upgrade", "websocket")
        && head["Sec-WebSocket-Extensions"].Length == 0;
}
