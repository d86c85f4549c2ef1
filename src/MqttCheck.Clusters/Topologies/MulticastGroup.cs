using System.Globalization;
using System.Net;

namespace MqttCheck.Clusters.Topologies;

/// <summary>
/// The group and the port by which the nodes of a cluster announce themselves. Groups of 239.0.0.0/8 stay within a site
/// (RFC 2365); live nodes use them on the loopback interface, so that nothing leaves the machine.
/// </summary>
/// <param name="Address">An address in 239.0.0.0/8.</param>
/// <param name="Port">The port, 1 .. 65535.</param>
internal sealed record MulticastGroup(IPAddress Address, int Port)
{
    /// <summary>The description of allowed groups, for error messages.</summary>
    internal const string Allowed = "a group in 239.0.0.0/8 with a port, such as 239.255.77.113:18839, or none";

    private const int LocalBlock = 239;

    /// <summary>The group for files that name none. A cluster that is started has a port of its own.</summary>
    public static MulticastGroup Default { get; } = new(new IPAddress([LocalBlock, 255, 77, 113]), 18839);

    /// <summary>Reads a group: <c>ADDRESS:PORT</c>.</summary>
    internal static bool TryParse(string text, out MulticastGroup group)
    {
        group = Default;
        if (
            text.Split(':') is not [var address, var port]
            || address.Split('.').Length != 4
            || !IPAddress.TryParse(address, out var parsed)
            || parsed.GetAddressBytes() is not [LocalBlock, _, _, _]
            || !int.TryParse(port, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            || number is < 1 or > ushort.MaxValue
        )
            return false;
        group = new MulticastGroup(parsed, number);
        return true;
    }

    /// <summary>The group as it is read.</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Address}:{Port}");
}
