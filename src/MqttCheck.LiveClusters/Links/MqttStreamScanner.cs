using MqttCheck.Protocol;

namespace MqttCheck.LiveClusters.Links;

/// <summary>
/// Finds the packets of an MQTT stream as its bytes pass, without decoding them. It keeps the beginning of a packet
/// only while the packet is split between reads.
/// </summary>
/// <param name="found">Who is told of each packet.</param>
internal sealed class MqttStreamScanner(IPacketFound found)
{
    /// <summary>How much of a packet's body is handed on.</summary>
    public const int HeadBytes = 2048;

    private const int MaximumLengthBytes = 4;

    private byte[] _head = [];
    private int _headCount;
    private byte _first;
    private int _lengthBytes;
    private int _length;
    private int _left = -1;

    /// <summary>Whether the stream has turned out not to be MQTT; nothing is found any more.</summary>
    public bool IsBroken { get; private set; }

    /// <summary>Looks for no more packets.</summary>
    public void Stop() => IsBroken = true;

    /// <summary>Takes the next bytes of the stream.</summary>
    /// <param name="bytes">The bytes.</param>
    /// <param name="nanoseconds">When they passed.</param>
    public void Take(ReadOnlySpan<byte> bytes, long nanoseconds)
    {
        while (!bytes.IsEmpty && !IsBroken)
        {
            if (_left < 0)
            {
                ReadHeader(bytes[0]);
                bytes = bytes[1..];
                if (_left == 0)
                    Tell([], nanoseconds);
                continue;
            }
            var count = Math.Min(_left, bytes.Length);
            var piece = bytes[..count];
            bytes = bytes[count..];
            var isWhole = _headCount == 0 && count == _length;
            _left -= count;
            if (isWhole)
                Tell(piece[..Math.Min(count, HeadBytes)], nanoseconds);
            else
                Keep(piece, nanoseconds);
        }
    }

    // The header comes byte by byte: the first byte, then up to four bytes of length.
    private void ReadHeader(byte value)
    {
        if (_lengthBytes == 0)
        {
            _first = value;
            _length = 0;
            _lengthBytes = 1;
            IsBroken = value >> 4 == (int)PacketType.Reserved;
            return;
        }
        if (_lengthBytes > MaximumLengthBytes)
        {
            IsBroken = true;
            return;
        }
        _length |= (value & 0x7F) << (7 * (_lengthBytes - 1));
        _lengthBytes++;
        if ((value & 0x80) == 0)
            _left = _length;
    }

    private void Keep(ReadOnlySpan<byte> piece, long nanoseconds)
    {
        var kept = Math.Min(piece.Length, HeadBytes - _headCount);
        if (_head.Length == 0)
            _head = new byte[HeadBytes];
        piece[..kept].CopyTo(_head.AsSpan(_headCount));
        _headCount += kept;
        if (_left == 0)
            Tell(_head.AsSpan(0, _headCount), nanoseconds);
    }

    private void Tell(ReadOnlySpan<byte> head, long nanoseconds)
    {
        var total = _lengthBytes + _length;
        (_left, _lengthBytes, _headCount) = (-1, 0, 0);
        found.Packet(_first, total, head, nanoseconds);
    }
}
