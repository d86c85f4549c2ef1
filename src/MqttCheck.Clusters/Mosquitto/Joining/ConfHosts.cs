using System.Net;

namespace MqttCheck.Clusters.Mosquitto.Joining;

/// <summary>Tells by the name or address of a host which one it may be.</summary>
internal static class ConfHosts
{
    /// <summary>Whether it is the host of whoever says so.</summary>
    public static bool IsLoopback(string? host) =>
        host is not null
        && (
            host.Equals("localhost", StringComparison.OrdinalIgnoreCase)
            || (IPAddress.TryParse(host, out var address) && IPAddress.IsLoopback(address))
        );

    /// <summary>Whether a listener takes connections at every address of its host.</summary>
    public static bool IsAny(string? host) => host is null or "" or "0.0.0.0" or "::" or "[::]";

    /// <summary>
    /// Whether a listener may be at a host that is not loopback: it takes every address, or one of both is a name.
    /// </summary>
    public static bool MayBe(string? listener, string host) =>
        IsAny(listener)
        || (!IsLoopback(listener) && (!IPAddress.TryParse(listener, out _) || !IPAddress.TryParse(host, out _)));

    /// <summary>Whether the first part of a host's name, without other signs, is the name of a node.</summary>
    public static bool IsNamed(string host, string node) =>
        !IPAddress.TryParse(host, out _)
        && string.Concat(host.Split('.')[0].ToLowerInvariant().Where(char.IsAsciiLetterOrDigit)) == node;
}
