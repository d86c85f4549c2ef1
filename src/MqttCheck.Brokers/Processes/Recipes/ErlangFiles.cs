using System.Net;
using MqttCheck.Brokers.Processes.Children;

namespace MqttCheck.Brokers.Processes.Recipes;

/// <summary>The environment of brokers written in Erlang, which keeps them inside their directory.</summary>
internal static class ErlangFiles
{
    /// <summary>
    /// Environment variables that keep host name look-ups, crash dumps and the cookie inside the directory.
    /// </summary>
    /// <param name="directory">The path of the broker's directory, which exists.</param>
    /// <param name="others">The hosts that the broker can find beside localhost, and nothing else.</param>
    public static Dictionary<string, string> Environment(
        string directory,
        params IEnumerable<(string Name, IPAddress Address)> others
    )
    {
        var lines = others
            .Prepend((Name: "localhost", Address: IPAddress.Loopback))
            .Select(host => $"{{host,{{{host.Address.ToString().Replace('.', ',')}}},[\"{host.Name}\"]}}.\n");
        return new()
        {
            ["HOME"] = directory,
            ["ERL_INETRC"] = TemporaryDirectory.Write(
                directory,
                "inetrc",
                $"{{lookup,[file]}}.\n{string.Concat(lines)}"
            ),
            ["ERL_CRASH_DUMP"] = "/dev/null",
        };
    }

    /// <summary>
    /// The version at the end of the first directory with a prefix, for example 3.10.8 of rabbitmq_server-3.10.8.
    /// </summary>
    /// <param name="parents">The directories to search.</param>
    /// <param name="prefix">The beginning of the directory's name.</param>
    /// <returns>The parent directory and the version, or null.</returns>
    public static (string Parent, string Version)? FindVersion(IEnumerable<string> parents, string prefix) =>
        parents
            .Where(Directory.Exists)
            .SelectMany(parent => Directory.EnumerateDirectories(parent, prefix + "*").Order(StringComparer.Ordinal))
            .Select(path => ((string, string)?)(Path.GetDirectoryName(path)!, Path.GetFileName(path)[prefix.Length..]))
            .FirstOrDefault();
}
