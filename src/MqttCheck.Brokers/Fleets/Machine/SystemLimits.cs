using System.Globalization;
using System.Net;

namespace MqttCheck.Brokers.Fleets.Machine;

/// <summary>
/// Checks whether this system lets one process make the connections that a run needs. Only Linux can be checked;
/// elsewhere no limit is found.
/// </summary>
internal static class SystemLimits
{
    // The event loop, files and libraries need these descriptors beside the connections.
    private const int SpareDescriptors = 64;

    /// <summary>
    /// Refuses a run that would exceed a limit of this system. Commands call it before they start a broker.
    /// </summary>
    /// <param name="connections">How many connections will be made at the same time, all to one broker.</param>
    /// <exception cref="InputException">The system does not allow so many; a line for each limit.</exception>
    public static void Require(int connections)
    {
        InputException.ThrowIfAny(Check(connections, broker: null));
    }

    /// <summary>Finds limits that a run would meet.</summary>
    /// <param name="connections">How many connections it makes at the same time.</param>
    /// <param name="broker">The address of the broker; null while it is not known.</param>
    /// <returns>One sentence for each limit with its numbers, empty when there is room.</returns>
    public static IReadOnlyList<string> Check(int connections, IPEndPoint? broker)
    {
        if (!OperatingSystem.IsLinux())
            return [];
        var limits = SystemFile.Read("/proc/self/limits");
        var ports = SystemFile.Read("/proc/sys/net/ipv4/ip_local_port_range");
        return Check(
            connections,
            broker,
            limits is null ? null : Descriptors(limits),
            DescriptorsInUse(),
            ports is null ? null : Ports(ports)
        );
    }

    /// <summary>Finds limits, given the numbers of the system.</summary>
    /// <param name="connections">How many connections.</param>
    /// <param name="broker">The address of the broker; null while it is not known.</param>
    /// <param name="descriptors">How many descriptors the process may have, or null if unknown.</param>
    /// <param name="inUse">How many it has.</param>
    /// <param name="ports">How many local ports connections may take, or null if unknown.</param>
    internal static IReadOnlyList<string> Check(
        int connections,
        IPEndPoint? broker,
        long? descriptors,
        long inUse,
        long? ports
    )
    {
        var errors = new List<string>();
        if (descriptors is { } most && connections + inUse + SpareDescriptors > most)
        {
            errors.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"Clients: {connections} given; allowed: at most "
                        + $"{Math.Max(0, most - inUse - SpareDescriptors)}, since this process may have {most} "
                        + $"descriptors and needs {inUse + SpareDescriptors} for other things; raise the limit "
                        + $"with 'ulimit -n'."
                )
            );
        }
        if (ports is { } range && connections > range)
        {
            errors.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"Clients: {connections} given; allowed: at most {range} connections to "
                        + $"{broker?.ToString() ?? "a broker"}, one for each local port of "
                        + $"net.ipv4.ip_local_port_range."
                )
            );
        }
        return errors;
    }

    /// <summary>
    /// The soft limit of open files in the text of /proc/self/limits; null for "unlimited" or an unknown text.
    /// </summary>
    internal static long? Descriptors(string limits)
    {
        const string name = "Max open files";
        var line = limits.Split('\n').FirstOrDefault(line => line.StartsWith(name, StringComparison.Ordinal));
        var soft = line?[name.Length..].Split(' ', StringSplitOptions.RemoveEmptyEntries).FirstOrDefault();
        return long.TryParse(soft, NumberStyles.None, CultureInfo.InvariantCulture, out var limit) ? limit : null;
    }

    /// <summary>
    /// The number of ports in the text of ip_local_port_range, two numbers; null for an unknown text.
    /// </summary>
    internal static long? Ports(string range)
    {
        var ends = range.Split((char[])['\t', ' ', '\n'], StringSplitOptions.RemoveEmptyEntries);
        return
            ends.Length == 2
            && int.TryParse(ends[0], NumberStyles.None, CultureInfo.InvariantCulture, out var first)
            && int.TryParse(ends[1], NumberStyles.None, CultureInfo.InvariantCulture, out var last)
            ? last - first + 1
            : null;
    }

    private static long DescriptorsInUse()
    {
        try
        {
            return Directory.EnumerateFileSystemEntries("/proc/self/fd").LongCount();
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return 0;
        }
    }
}
