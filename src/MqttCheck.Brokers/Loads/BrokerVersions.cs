using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Probes;
using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Loads;

/// <summary>Which versions of MQTT a broker speaks, by asking it.</summary>
internal static class BrokerVersions
{
    private static readonly Dictionary<ProtocolVersion, string> s_names = new()
    {
        [ProtocolVersion.V31] = "3.1",
        [ProtocolVersion.V311] = "3.1.1",
        [ProtocolVersion.V5] = "5",
    };

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(20);

    /// <summary>The newest version that a broker accepts.</summary>
    /// <param name="broker">The broker, which accepts a client of 3.1.1.</param>
    public static ProtocolVersion Newest(IBrokerUnderTest broker) =>
        ConnectionProbe
            .AskAsync(broker.Endpoint, broker.Credentials, s_patience, CancellationToken.None, ProtocolVersion.V5)
            .GetAwaiter()
            .GetResult()
            is null
            ? ProtocolVersion.V5
            : ProtocolVersion.V311;

    /// <summary>A version as people write it.</summary>
    /// <param name="version">The version.</param>
    public static string Name(ProtocolVersion version) => s_names[version];
}
