using System.Buffers.Binary;
using System.Net;

namespace MqttCheck.Captures.Files;

/// <summary>An address with a port. Addresses of IPv4 are those that IPv6 maps them to.</summary>
/// <param name="Address">The address.</param>
/// <param name="Port">The port.</param>
internal readonly record struct SocketKey(UInt128 Address, ushort Port)
{
    private const ulong MappedIPv4 = 0xFFFF_0000_0000;

    /// <summary>An address as a number.</summary>
    public static UInt128 AddressOf(IPAddress address) =>
        BinaryPrimitives.ReadUInt128BigEndian(address.MapToIPv6().GetAddressBytes());

    /// <summary>A socket of IPv4.</summary>
    public static SocketKey OfIPv4(uint address, ushort port) => new(MappedIPv4 | address, port);

    /// <inheritdoc/>
    public override int GetHashCode() =>
        (int)((((ulong)Address ^ (ulong)(Address >> 64)) + Port) * 0x9E37_79B9_7F4A_7C15 >> 32);

    /// <inheritdoc/>
    public override string ToString()
    {
        var bytes = new byte[16];
        BinaryPrimitives.WriteUInt128BigEndian(bytes, Address);
        var address = new IPAddress(bytes);
        return new IPEndPoint(address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address, Port).ToString();
    }
}
