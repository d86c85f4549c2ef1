using System.Buffers.Binary;
using MqttCheck.Captures.Files;

namespace MqttCheck.Captures.Tls;

/// <summary>Decrypted bytes of a connection, as tshark exports them: tags, and the bytes behind.</summary>
internal readonly ref struct DecryptedRecord
{
    /// <summary>The link type of such packets in a capture file.</summary>
    public const int LinkType = 252;

    /// <summary>When they passed.</summary>
    public long Nanoseconds { get; private init; }

    /// <summary>The sender.</summary>
    public SocketKey Source { get; private init; }

    /// <summary>The receiver.</summary>
    public SocketKey Destination { get; private init; }

    /// <summary>The bytes.</summary>
    public ReadOnlySpan<byte> Bytes { get; private init; }

    /// <summary>Reads a packet.</summary>
    /// <param name="frame">The packet.</param>
    /// <param name="record">The record.</param>
    /// <returns>False if it does not tell who sent it to whom.</returns>
    public static bool TryParse(in CapturedFrame frame, out DecryptedRecord record)
    {
        record = default;
        var rest = frame.Bytes;
        UInt128? source = null,
            destination = null;
        uint sourcePort = 0,
            destinationPort = 0;
        while (rest.Length >= 4)
        {
            var tag = BinaryPrimitives.ReadUInt16BigEndian(rest);
            var length = BinaryPrimitives.ReadUInt16BigEndian(rest[2..]);
            if (rest.Length < 4 + length)
                return false;
            var value = rest.Slice(4, length);
            rest = rest[(4 + length)..];
            if (tag == 0)
                break;
            switch (tag)
            {
                case 20 or 22:
                    source = AddressOf(value);
                    break;
                case 21 or 23:
                    destination = AddressOf(value);
                    break;
                case 25 when length == 4:
                    sourcePort = BinaryPrimitives.ReadUInt32BigEndian(value);
                    break;
                case 26 when length == 4:
                    destinationPort = BinaryPrimitives.ReadUInt32BigEndian(value);
                    break;
            }
        }
        if (source is not { } from || destination is not { } to || rest.IsEmpty)
            return false;
        record = new()
        {
            Nanoseconds = frame.Nanoseconds,
            Source = new(from, (ushort)sourcePort),
            Destination = new(to, (ushort)destinationPort),
            Bytes = rest,
        };
        return true;
    }

    private static UInt128? AddressOf(ReadOnlySpan<byte> value) =>
        value.Length switch
        {
            4 => SocketKey.OfIPv4(BinaryPrimitives.ReadUInt32BigEndian(value), 0).Address,
            16 => BinaryPrimitives.ReadUInt128BigEndian(value),
            _ => null,
        };
}
