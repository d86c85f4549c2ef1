using MqttCheck.Protocol;

namespace MqttCheck.Captures.Messages;

/// <summary>An MQTT packet as a capture saw it.</summary>
internal readonly ref struct SeenPacket
{
    /// <summary>Its bytes; only the beginning where it is not whole.</summary>
    public ReadOnlySpan<byte> Bytes { get; init; }

    /// <summary>How long it was when it was sent.</summary>
    public int TotalLength { get; init; }

    /// <summary>Whether the client sent it.</summary>
    public bool IsFromClient { get; init; }

    /// <summary>When its first byte passed.</summary>
    public long FirstNanoseconds { get; init; }

    /// <summary>When its last byte passed.</summary>
    public long LastNanoseconds { get; init; }

    /// <summary>Whether all of it is there.</summary>
    public bool IsWhole => Bytes.Length == TotalLength;

    /// <summary>Its type.</summary>
    public PacketType Type => (PacketType)(Bytes[0] >> 4);

    /// <summary>Its sender.</summary>
    public PacketOrigin Origin => IsFromClient ? PacketOrigin.Client : PacketOrigin.Server;
}
