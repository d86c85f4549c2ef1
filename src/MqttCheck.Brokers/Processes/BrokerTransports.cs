namespace MqttCheck.Brokers.Processes;

/// <summary>How transports are named.</summary>
internal static class BrokerTransports
{
    private static readonly (BrokerTransport Transport, string Scheme, int Port, string Suffix)[] All =
    [
        (BrokerTransport.Tcp, "mqtt", 1883, ""),
        (BrokerTransport.Tls, "mqtts", 8883, ":tls"),
        (BrokerTransport.WebSocket, "ws", 80, ":ws"),
        (BrokerTransport.SecureWebSocket, "wss", 443, ":wss"),
    ];

    /// <summary>Whether it speaks TLS.</summary>
    /// <param name="transport">The transport.</param>
    public static bool IsTls(this BrokerTransport transport) =>
        transport is BrokerTransport.Tls or BrokerTransport.SecureWebSocket;

    /// <summary>Whether it speaks WebSocket.</summary>
    /// <param name="transport">The transport.</param>
    public static bool IsWebSocket(this BrokerTransport transport) =>
        transport is BrokerTransport.WebSocket or BrokerTransport.SecureWebSocket;

    /// <summary>The scheme of its addresses: mqtt, mqtts, ws or wss.</summary>
    /// <param name="transport">The transport.</param>
    public static string Scheme(this BrokerTransport transport) =>
        All.First(entry => entry.Transport == transport).Scheme;

    /// <summary>The port where an address names none.</summary>
    /// <param name="transport">The transport.</param>
    public static int DefaultPort(this BrokerTransport transport) =>
        All.First(entry => entry.Transport == transport).Port;

    /// <summary>
    /// The suffix, with its colon, that selects the transport after the name of a broker to start; empty for TCP.
    /// </summary>
    /// <param name="transport">The transport.</param>
    public static string Suffix(this BrokerTransport transport) =>
        All.First(entry => entry.Transport == transport).Suffix;

    /// <summary>The transport of a scheme, whatever its case.</summary>
    /// <param name="scheme">The scheme.</param>
    /// <returns>Null when there is none.</returns>
    public static BrokerTransport? OfScheme(string scheme) =>
        All.Where(entry => entry.Scheme.Equals(scheme, StringComparison.OrdinalIgnoreCase))
            .Select(entry => (BrokerTransport?)entry.Transport)
            .FirstOrDefault();

    /// <summary>The transport of a suffix.</summary>
    /// <param name="suffix">The suffix, with its colon.</param>
    /// <returns>Null when there is none.</returns>
    public static BrokerTransport? OfSuffix(string suffix) =>
        All.Where(entry => entry.Suffix.Length > 0 && entry.Suffix == suffix)
            .Select(entry => (BrokerTransport?)entry.Transport)
            .FirstOrDefault();
}
