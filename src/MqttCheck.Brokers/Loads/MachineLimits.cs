using System.Globalization;
using System.Net;

namespace MqttCheck.Brokers.Loads;

/// <summary>How many connections this machine allows one process to make: open files, and ports towards one address.</summary>
/// <param name="Descriptors">How many files a process may have open, or null where the system does not tell.</param>
/// <param name="Ports">How many ports connections to one address can come from, or null.</param>
public readonly record struct MachineLimits(long? Descriptors, long? Ports)
{
    // Log files, assemblies, the event loop, the broker's pipes.
    private const int OtherDescriptors = 200;

    /// <summary>Reads the limits of this process. The runtime has raised the soft limit of open files to the hard one.</summary>
    public static MachineLimits Read()
    {
        if (!OperatingSystem.IsLinux()) return default;
        return new(ParseDescriptors(Text("/proc/self/limits")), ParsePorts(Text("/proc/sys/net/ipv4/ip_local_port_range")));
    }

    /// <summary>Says why so many connections cannot be made.</summary>
    /// <param name="connections">How many.</param>
    /// <param name="broker">Where to.</param>
    /// <returns>One sentence, or null when they can.</returns>
    public string? Problem(int connections, IPEndPoint broker)
    {
        if (Descriptors is { } files && connections + OtherDescriptors > files)
        {
            return string.Create(CultureInfo.InvariantCulture,
                $"Clients: {connections} connections need {connections + OtherDescriptors} open files, and this process may open {files}; raise the limit (ulimit -n) or take fewer clients.");
        }
        if (Ports is { } ports && connections > ports)
        {
            return string.Create(CultureInfo.InvariantCulture,
                $"Clients: {connections} connections to {broker} need as many local ports, and there are {ports}; widen net.ipv4.ip_local_port_range or take fewer clients.");
        }
        return null;
    }

    /// <summary>Reads the soft limit of open files from the text of /proc/PID/limits.</summary>
    internal static long? ParseDescriptors(string limits)
    {
        const string name = "Max open files";
        var line = limits.Split('\n').FirstOrDefault(line => line.StartsWith(name, StringComparison.Ordinal));
        var words = line?[name.Length..].Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return words is [var soft, ..] && long.TryParse(soft, CultureInfo.InvariantCulture, out var limit) ? limit : null;
    }

    /// <summary>Reads the number of ports from a range such as <c>32768 60999</c>.</summary>
    internal static long? ParsePorts(string range) =>
        range.Split((char[])[' ', '\t', '\n'], StringSplitOptions.RemoveEmptyEntries) is [var first, var last]
        && long.TryParse(first, CultureInfo.InvariantCulture, out var from) && long.TryParse(last, CultureInfo.InvariantCulture, out var to)
            ? to - from + 1 : null;

    private static string Text(string path)
    {
        try
        {
            return File.ReadAllText(path);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }
}
