namespace MqttCheck.Protocol.Frames;

/// <summary>
/// Splits a byte stream that arrives in arbitrary pieces into packets. A packet that lies whole in a piece is handed
/// out in place; one that is spread over pieces is collected in a buffer that grows with the bytes received, never with
/// the length announced, and never beyond one packet.
/// </summary>
/// <remarks>Not thread-safe: one stream belongs to one connection.</remarks>
internal sealed class PacketStream
{
    private const int LongestHeader = 5;

    private readonly int _maximumPacketBytes;
    private byte[] _buffer = [];
    private int _buffered;
    private bool _handedOut;

    /// <summary>A stream without bytes.</summary>
    /// <param name="maximumPacketBytes">The largest packet accepted, at least 2.</param>
    /// <exception cref="ArgumentOutOfRangeException">The limit is below 2.</exception>
    public PacketStream(int maximumPacketBytes)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(maximumPacketBytes, 2);
        _maximumPacketBytes = maximumPacketBytes;
    }

    /// <summary>
    /// Bytes of an unfinished packet; at the end of a connection anything but 0 means that it was cut.
    /// </summary>
    public int BufferedBytes => _handedOut ? 0 : _buffered;

    /// <summary>
    /// Takes the next packet. Call it until the status is not <see cref="FrameStatus.Complete"/>: then the input is
    /// used up (<see cref="FrameStatus.NeedMore"/>), or the stream is beyond repair.
    /// </summary>
    /// <param name="input">The bytes received; advanced past what was taken.</param>
    /// <param name="packet">A whole packet, valid until the next call and as long as the input's memory.</param>
    public FrameStatus TryRead(ref ReadOnlySpan<byte> input, out ReadOnlySpan<byte> packet)
    {
        packet = default;
        if (_handedOut)
            (_buffered, _handedOut) = (0, false);
        if (_buffered > 0)
            return Continue(ref input, out packet);

        var status = PacketFrame.TryRead(input, _maximumPacketBytes, out var frame);
        if (status == FrameStatus.Complete)
        {
            packet = input[..frame.TotalLength];
            input = input[frame.TotalLength..];
        }
        else if (status == FrameStatus.NeedMore)
        {
            Take(ref input, input.Length, frame.TotalLength);
        }
        return status;
    }

    private FrameStatus Continue(ref ReadOnlySpan<byte> input, out ReadOnlySpan<byte> packet)
    {
        packet = default;
        while (true)
        {
            var status = PacketFrame.TryRead(_buffer.AsSpan(0, _buffered), _maximumPacketBytes, out var frame);
            if (status == FrameStatus.Complete)
            {
                packet = _buffer.AsSpan(0, frame.TotalLength);
                _handedOut = true;
                return status;
            }
            if (status != FrameStatus.NeedMore || input.IsEmpty)
                return status;
            // Until the header is complete, its bytes are taken one by one: the next packet's must stay in the input.
            Take(ref input, frame.TotalLength == 0 ? 1 : frame.TotalLength - _buffered, frame.TotalLength);
        }
    }

    private void Take(ref ReadOnlySpan<byte> input, int wanted, int packetLength)
    {
        var count = Math.Min(wanted, input.Length);
        var needed = _buffered + count;
        if (_buffer.Length < needed)
        {
            var largest = packetLength == 0 ? LongestHeader : packetLength;
            Array.Resize(
                ref _buffer,
                (int)Math.Min(Math.Max(2L * _buffer.Length, Math.Max(needed, 64)), Math.Max(needed, largest))
            );
        }
        input[..count].CopyTo(_buffer.AsSpan(_buffered));
        _buffered = needed;
        input = input[count..];
    }
}
