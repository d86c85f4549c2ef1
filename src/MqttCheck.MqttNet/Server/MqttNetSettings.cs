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

    // The limit is practically none, as with the other tuned brokers.
    private const int TunedPending = 1_000_000;
    private const int TunedBacklog = 4096;

    /// <summary>The version of the package.</summary>
    public static string Version =>
        typeof(MqttServer).Assembly.GetCustomAttribute<AssemblyFileVersionAttribute>()?.Version
        ?? typeof(MqttServer).Assembly.GetName().Version?.ToString()
        ?? "unknown";

    /// <summary>The settings.</summary>
    /// <param name="address">The address to listen on; port 0 takes a free one.</param>
    /// <param name="isTuned">Whether they are for throughput.</param>
    /// <remarks>
    /// All settings are the package's defaults, with two exceptions. The server listens on one address, while the
    /// package would take all of the machine. It keeps sessions, as the standard demands but the package does only on
    /// request. Otherwise every returning client would be told that its session is lost.
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
                // Otherwise head and payload of a PUBLISH would be two system calls, and usually two segments.
                .WithoutPacketFragmentation();
        }
        return builder.Build();
    }

    /// <summary>The settings that affect latencies or lose messages, by name.</summary>
    /// <param name="isTuned">Whether they are those for throughput.</param>
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
