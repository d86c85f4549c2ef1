using System.Globalization;
using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;
using StackExchange.Redis;

namespace MqttCheck.Workers.Joining;

/// <summary>
/// The address at which workers find each other. It is a Redis server that keeps the list of workers, or the first
/// worker itself. The first worker suffices for a trial, but must not end before the others.
/// </summary>
internal sealed class WorkerAddress
{
    private const string Redis = "redis://",
        RedisOverTls = "rediss://";

    private WorkerAddress(string text, ConfigurationOptions? redis, IPEndPoint? first) =>
        (Text, RedisOptions, First) = (text, redis, first);

    /// <summary>The address without a password, so that it is safe to show.</summary>
    public string Text { get; }

    /// <summary>The options for reaching Redis; null if the first worker keeps the list.</summary>
    internal ConfigurationOptions? RedisOptions { get; }

    /// <summary>
    /// The address at which the first worker listens for workers; one port higher it listens for coordinators.
    /// </summary>
    internal IPEndPoint? First { get; }

    /// <summary>
    /// Whether a process of this machine has claimed to be the first worker, though it may not answer yet.
    /// </summary>
    internal bool IsClaimed =>
        First is { } first && IPGlobalProperties.GetIPGlobalProperties().GetActiveUdpListeners().Contains(first);

    /// <summary>Reads an address.</summary>
    /// <param name="text">
    /// <c>redis://[:PASSWORD@]HOST:PORT</c>, with <c>rediss</c> over TLS, or <c>HOST:PORT</c> of the first worker.
    /// </param>
    /// <param name="option">The option that it was given with, for messages.</param>
    /// <exception cref="InputException">It is malformed, or its host has no address.</exception>
    public static WorkerAddress Parse(string text, string option)
    {
        if (
            text.StartsWith(Redis, StringComparison.OrdinalIgnoreCase)
            || text.StartsWith(RedisOverTls, StringComparison.OrdinalIgnoreCase)
        )
            return OfRedis(text, option);
        if (text.Contains("//", StringComparison.Ordinal) || !TrySplit(text, out var host, out var port))
            throw Wrong(text, option);
        return new(text, null, new(Resolve(host, option), port));
    }

    private static WorkerAddress OfRedis(string text, string option)
    {
        if (!Uri.TryCreate(text, UriKind.Absolute, out var uri) || uri.Host.Length == 0 || uri.PathAndQuery != "/")
            throw Wrong(Hidden(text), option);
        var port = uri.Port > 0 ? uri.Port : 6379;
        var user = Uri.UnescapeDataString(uri.UserInfo).Split(':', 2);
        var options = new ConfigurationOptions
        {
            EndPoints = { { uri.Host, port } },
            Ssl = uri.Scheme.Equals("rediss", StringComparison.OrdinalIgnoreCase),
            User = user[0].Length > 0 && user.Length > 1 ? user[0] : null,
            Password = user.Length > 1 ? user[1] : null,
            ConnectTimeout = 5_000,
            AbortOnConnectFail = true,
        };
        return new($"{uri.Scheme}://{uri.Host}:{port.ToString(CultureInfo.InvariantCulture)}", options, null);
    }

    private static string Hidden(string text) =>
        text.LastIndexOf('@') is var at and >= 0
            ? $"{text[..text.IndexOf(':', StringComparison.Ordinal)]}://...{text[at..]}"
            : text;

    private static bool TrySplit(string text, out string host, out int port)
    {
        var colon = text.LastIndexOf(':');
        host = colon > 0 ? text[..colon].Trim('[', ']') : "";
        // The next port is used as well.
        return int.TryParse(text[(colon + 1)..], NumberStyles.None, CultureInfo.InvariantCulture, out port)
            && host.Length > 0
            && port is > 0 and < IPEndPoint.MaxPort;
    }

    private static IPAddress Resolve(string host, string option)
    {
        try
        {
            return IPAddress.TryParse(host, out var address)
                ? address
                : Dns.GetHostAddresses(host)
                    .OrderBy(found => found.AddressFamily != AddressFamily.InterNetwork)
                    .First();
        }
        catch (Exception failure) when (failure is SocketException or InvalidOperationException or ArgumentException)
        {
            throw new InputException($"{option}: the host '{host}' has no address; allowed: a host that has one.");
        }
    }

    private static InputException Wrong(string text, string option) =>
        new(
            $"{option}: '{text}' is not allowed; allowed is redis://HOST:PORT, the Redis server that keeps the list of "
                + "workers, or HOST:PORT of the first worker with a port from 1 to 65534."
        );
}
