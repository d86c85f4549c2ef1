using System.Buffers.Binary;

namespace MqttCheck.Captures.Files;

/// <summary>A TCP segment as a capture saw it.</summary>
internal readonly ref struct TcpSegment
{
    /// <summary>When it passed, since 1970.</summary>
    public long Nanoseconds { get; init; }

    /// <summary>The sender.</summary>
    public SocketKey Source { get; init; }

    /// <summary>The receiver.</summary>
    public SocketKey Destination { get; init; }

    /// <summary>The sequence number of its first byte.</summary>
    public uint Sequence { get; init; }

    /// <summary>The sequence number that its sender expects next.</summary>
    public uint Acknowledgement { get; init; }

    private byte Flags { get; init; }

    /// <summary>The captured beginning of its data.</summary>
    public ReadOnlySpan<byte> Data { get; init; }

    /// <summary>How many bytes of data it had.</summary>
    public int Length { get; init; }

    /// <summary>Whether its sender has no more to send.</summary>
    public bool IsFin => (Flags & 1) != 0;

    /// <summary>Whether it begins a direction of a connection.</summary>
    public bool IsSyn => (Flags & 2) != 0;

    /// <summary>Whether it breaks the connection off.</summary>
    public bool IsReset => (Flags & 4) != 0;

    /// <summary>Whether it acknowledges.</summary>
    public bool IsAck => (Flags & 16) != 0;

    /// <summary>The segment of a kept one, without its ends.</summary>
    public static TcpSegment Of(KeptSegment kept) =>
        new()
        {
            Nanoseconds = kept.Nanoseconds,
            Sequence = kept.Sequence,
            Length = kept.Length,
            Flags = (byte)(kept.IsFin ? 1 : 0),
            Data = kept.Data,
        };

    /// <summary>A copy that outlives the packet.</summary>
    public KeptSegment Keep() => new(Nanoseconds, Sequence, Length, IsFin, Data.ToArray());

    /// <summary>Reads a segment out of an IP packet's payload.</summary>
    /// <param name="payload">The payload, as far as it was captured.</param>
    /// <param name="length">Its length when it was sent.</param>
    /// <param name="nanoseconds">When it passed.</param>
    /// <param name="source">The sender, without its port.</param>
    /// <param name="destination">The receiver, without its port.</param>
    /// <param name="segment">The segment.</param>
    /// <returns>False if the header is not whole.</returns>
    public static bool TryParse(
        ReadOnlySpan<byte> payload,
        int length,
        long nanoseconds,
        UInt128 source,
        UInt128 destination,
        out TcpSegment segment
    )
    {
        segment = default;
        if (payload.Length < 20)
            return false;
        var header = payload[12] >> 4 << 2;
        if (header < 20 || header > length)
            return false;
        segment = new()
        {
            Nanoseconds = nanoseconds,
            Source = new(source, BinaryPrimitives.ReadUInt16BigEndian(payload)),
            Destination = new(destination, BinaryPrimitives.ReadUInt16BigEndian(payload[2..])),
            Sequence = BinaryPrimitives.ReadUInt32BigEndian(payload[4..]),
            Acknowledgement = BinaryPrimitives.ReadUInt32BigEndian(payload[8..]),
            Flags = payload[13],
            // A frame may be padded at its end.
            Data = payload.Length > header ? payload[header..Math.Min(payload.Length, length)] : default,
            Length = length - header,
        };
        return true;
    }
}
