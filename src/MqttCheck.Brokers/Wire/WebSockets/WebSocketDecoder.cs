using System.Buffers.Binary;

namespace MqttCheck.Brokers.Wire.WebSockets;

/// <summary>
/// Reads frames from bytes that are split anywhere. Payload is handed on as it arrives, so that frames may have any
/// length and need no buffer. Only the payload of control frames, at most 125 bytes, is collected.
/// </summary>
/// <param name="isMasked">Whether frames have to be masked: those of clients must, those of servers must not.</param>
internal sealed class WebSocketDecoder(bool isMasked)
{
    private const int MaximumHeader = 14;
    private const int MaximumControl = 125;

    private readonly byte[] _header = new byte[MaximumHeader];
    private readonly byte[] _control = new byte[MaximumControl];
    private int _headerBytes;
    private int _controlBytes;
    private bool _inPayload;
    private bool _inMessage;
    private WebSocketOpcode _opcode;
    private ulong _left;
    private uint _mask;

    /// <summary>The payload of the last control frame; the caller that handles the frame may change it.</summary>
    public Span<byte> Control => _control.AsSpan(0, _controlBytes);

    /// <summary>The close status for a violation: a status code of RFC 6455, section 7.4.1.</summary>
    public ushort Status { get; private set; }

    /// <summary>The violation in words.</summary>
    public string Problem { get; private set; } = "";

    /// <summary>Reads until an event has to be handled, or all bytes are taken.</summary>
    /// <param name="bytes">The bytes; those read are cut off.</param>
    /// <param name="payload">Gets the payload of data frames, unmasked.</param>
    public WebSocketEvent Read(ref ReadOnlySpan<byte> bytes, ByteQueue payload)
    {
        while (true)
        {
            if (!_inPayload)
            {
                if (!TryReadHeader(ref bytes))
                    return Problem.Length > 0 ? WebSocketEvent.Violation : WebSocketEvent.NeedsMore;
                _inPayload = true;
            }
            var count = (int)Math.Min((ulong)bytes.Length, _left);
            TakePayload(bytes[..count], payload);
            bytes = bytes[count..];
            _left -= (ulong)count;
            if (_left > 0)
                return WebSocketEvent.NeedsMore;
            _inPayload = false;
            if (_opcode == WebSocketOpcode.Ping)
                return WebSocketEvent.Ping;
            if (_opcode == WebSocketOpcode.Close)
                return _controlBytes == 1
                    ? Violation(1002, "a Close frame has half a status code")
                    : WebSocketEvent.Close;
        }
    }

    private bool TryReadHeader(ref ReadOnlySpan<byte> bytes)
    {
        while (true)
        {
            var needed = HeaderLength();
            var count = Math.Min(needed - _headerBytes, bytes.Length);
            bytes[..count].CopyTo(_header.AsSpan(_headerBytes));
            _headerBytes += count;
            bytes = bytes[count..];
            if (_headerBytes < needed)
                return false;
            // The second byte gives the length of the header.
            if (HeaderLength() == needed)
                break;
        }
        var length = _headerBytes;
        _headerBytes = 0;
        return Accepts(length);
    }

    private int HeaderLength() =>
        _headerBytes < 2
            ? 2
            : 2
                + (
                    (_header[1] & 0x7F) switch
                    {
                        126 => 2,
                        127 => 8,
                        _ => 0,
                    }
                )
                + (_header[1] >= 0x80 ? 4 : 0);

    private bool Accepts(int headerLength)
    {
        var isFinal = _header[0] >= 0x80;
        _opcode = (WebSocketOpcode)(_header[0] & 0x0F);
        var isControl = _opcode >= WebSocketOpcode.Close;
        _left = (_header[1] & 0x7F) switch
        {
            126 => BinaryPrimitives.ReadUInt16BigEndian(_header.AsSpan(2)),
            127 => BinaryPrimitives.ReadUInt64BigEndian(_header.AsSpan(2)),
            var small => (ulong)small,
        };
        if ((_header[0] & 0x70) != 0)
            return Refuse(1002, "a frame has reserved bits set");
        if (_header[1] >= 0x80 != isMasked)
            return Refuse(1002, isMasked ? "a frame of a client is not masked" : "a frame of a server is masked");
        if (_opcode is not (<= WebSocketOpcode.Binary or >= WebSocketOpcode.Close and <= WebSocketOpcode.Pong))
            return Refuse(1002, $"a frame has the reserved opcode {(int)_opcode}");
        if (_opcode == WebSocketOpcode.Text)
            return Refuse(1003, "a frame holds text; MQTT is binary (MQTT-6.0.0-1)");
        if (isControl && (!isFinal || _left > MaximumControl))
            return Refuse(1002, "a control frame is fragmented or too long");
        if (!isControl && (_opcode == WebSocketOpcode.Continuation) != _inMessage)
            return Refuse(
                1002,
                _inMessage ? "a message begins within another" : "a message is continued that has not begun"
            );
        var isShortest = (_header[1] & 0x7F) switch
        {
            126 => _left > 125,
            127 => _left is > ushort.MaxValue and <= long.MaxValue,
            _ => true,
        };
        if (!isShortest)
            return Refuse(1002, "a frame has a length that is not in its shortest form, or too large");
        _mask = isMasked ? BinaryPrimitives.ReadUInt32BigEndian(_header.AsSpan(headerLength - 4)) : 0;
        if (isControl)
            _controlBytes = 0;
        else
            _inMessage = !isFinal;
        return true;
    }

    private void TakePayload(ReadOnlySpan<byte> bytes, ByteQueue payload)
    {
        if (bytes.IsEmpty)
            return;
        Span<byte> target;
        if (_opcode >= WebSocketOpcode.Close)
        {
            target = _control.AsSpan(_controlBytes, bytes.Length);
            _controlBytes += bytes.Length;
        }
        else
        {
            target = payload.FreeSpace(bytes.Length)[..bytes.Length];
            payload.Extend(bytes.Length);
        }
        bytes.CopyTo(target);
        if (isMasked)
            _mask = WebSocketMask.Apply(target, _mask);
    }

    private bool Refuse(ushort status, string problem)
    {
        (Status, Problem) = (status, problem);
        return false;
    }

    private WebSocketEvent Violation(ushort status, string problem)
    {
        Refuse(status, problem);
        return WebSocketEvent.Violation;
    }
}
