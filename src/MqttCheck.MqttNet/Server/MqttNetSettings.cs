using System.Globalization;
using System.Net;
using System.Reflection;
using MQTTnet.Server;

namespace MqttCheck.MqttNet.Server;

/// <summary>The settings of MQTTnet's server: the package's own, or those for throughput.</summary>
public static class MqttNetSettings
{
    /// <summary>
    /// The settings in words: what is changed from the package's own, and what <c>mqttnet:tuned</c> changes besides.
    /// </summary>
    public const string Changes =
        "keeps sessions, all else as the package; mqttnet:tuned queues 1000000 "
        + "messages per client (1000), sends each packet in one piece, backlog 4096 (100)";

    // Practically none, as the limits of the other tuned brokers.
    private const int TunedPending = 1_000_000;
    private const int TunedBacklog = 4096;

    /// <summary>The version of the package.</summary>
    public static string Version =>
        typeof(MqttServer).Assembly.GetCustomAttribute<AssemblyFileVersionAttribute>()?.Version
        ?? typeof(MqttServer).Assembly.GetName().Version?.ToString()
        ?? "unknown";

    /// <summary>The settings.</summary>
    /// <param name="address">Where it listens; port 0 takes a free one.</param>
    /// <param name="isTuned">Whether they are for throughput.</param>
    /// <remarks>
    /// By default all is as the package leaves it, with two exceptions. It listens on one address; the package would
    /// take all of the machine. It keeps sessions: the standard demands that, the package does so only when asked, and
    /// every client that comes back would be told that its session is lost.
    /// </remarks>
    public static MqttServerOptions Create(IPEndPoint address, bool isTuned)
    {
        ArgumentNullException.ThrowIfNull(address);
        var builder = new MqttServerOptionsBuilder()
            .WithDefaultEndpoint()
            .WithDefaultEndpointBoundIPAddress(address.Address)
            .WithDefaultEndpointBoundIPV6Address(IPAddress.None)
            .WithDefaultEndpointPort(address.Port)
            .WithPersistentSessions();
        if (isTuned)
        {
            builder = builder
                .WithMaxPendingMessagesPerClient(TunedPending)
                .WithConnectionBacklog(TunedBacklog)
                // Otherwise head and payload of a PUBLISH are two system calls, and mostly two segments.
                .WithoutPacketFragmentation();
        }
        return builder.Build();
    }

    /// <summary>The settings that move latencies or lose messages, by name.</summary>
    /// <param name="isTuned">Which ones.</param>
    public static IReadOnlyDictionary<string, string> Describe(bool isTuned)
    {
        var options = Create(new(IPAddress.Loopback, 0), isTuned);
        return new Dictionary<string, string>
        {
            ["nodelay"] = options.DefaultEndpointOptions.NoDelay ? "true" : "false",
            ["persistent_sessions"] = options.EnablePersistentSessions ? "true" : "false",
            ["max_pending_messages"] = options.MaxPendingMessagesPerClient.ToString(CultureInfo.InvariantCulture),
            ["overflow"] = options.PendingMessagesOverflowStrategy.ToString(),
            ["packet_fragmentation"] = options.DefaultEndpointOptions.AllowPacketFragmentation ? "true" : "false",
            ["backlog"] = options.DefaultEndpointOptions.ConnectionBacklog.ToString(CultureInfo.InvariantCulture),
        };
    }
}
