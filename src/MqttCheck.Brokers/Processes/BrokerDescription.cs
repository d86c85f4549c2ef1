using MqttCheck.Brokers.Wire;
using MqttCheck.Logs;
using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Processes;

/// <summary>The known properties of a broker under test, which decide whether results are comparable.</summary>
public sealed record BrokerDescription
{
    /// <summary>
    /// The broker as named on the command line, for example <c>mosquitto:tuned</c>, without credentials.
    /// </summary>
    public required string Name { get; init; }

    /// <summary>Its version, or <c>unknown</c>.</summary>
    public string Version { get; init; } = "unknown";

    /// <summary>Whether the settings are the ones a user gets by default, tuned ones, or unknown.</summary>
    public string Settings { get; init; } = "unknown";

    /// <summary>Settings that affect latencies, such as <c>nodelay</c> and <c>delay</c>, by name.</summary>
    public IReadOnlyDictionary<string, string> Details { get; init; } = new Dictionary<string, string>();

    /// <summary>The highest quality of service it offers, 0 .. 2.</summary>
    public int MaximumQos { get; init; } = 2;

    /// <summary>
    /// The broker as a log or a model names it, with the protocol version and the MQTT client. Brokers that differ in
    /// any of these count as different ones for learning and verification. MqttCheck's own client is not mentioned.
    /// </summary>
    internal LoggedBroker Logged(ProtocolVersion version, ClientKind client)
    {
        var details = new Dictionary<string, string>(Details)
        {
            [LoggedBroker.VersionKey] = version == ProtocolVersion.V5 ? "5" : "3.1.1",
        };
        if (!client.IsOwn)
            details[LoggedBroker.ClientKey] = client.ToString();
        return new(Name, Version, Settings, details);
    }
}
