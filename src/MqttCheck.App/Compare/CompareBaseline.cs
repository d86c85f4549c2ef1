using MqttCheck.App.Runs;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Logs;
using MqttCheck.Protocol;

namespace MqttCheck.App.Compare;

/// <summary>A run that later ones are compared with.</summary>
internal sealed record CompareBaseline
{
    /// <summary>The version of the tool that made it.</summary>
    public required string ToolVersion { get; init; }

    /// <summary>The broker.</summary>
    public required LoggedBroker Broker { get; init; }

    /// <summary>
    /// The protocol that its clients spoke; 3.1.1 where the file does not say, as the tool once spoke nothing else.
    /// </summary>
    public ProtocolVersion ProtocolVersion =>
        Broker.Details.GetValueOrDefault(LoggedBroker.VersionKey) == "5" ? ProtocolVersion.V5 : ProtocolVersion.V311;

    /// <summary>The MQTT client that made its runs, as logs name it; null for the own one.</summary>
    public string? Client => Broker.Details.GetValueOrDefault(LoggedBroker.ClientKey);

    /// <summary>The machine.</summary>
    public required MachineInformation Machine { get; init; }

    /// <summary>When its runs were made.</summary>
    public required DateTimeOffset Made { get; init; }

    /// <summary>The user's seed.</summary>
    public required ulong Seed { get; init; }

    /// <summary>The setups with their runs.</summary>
    public required IReadOnlyList<ComparedSetup> Setups { get; init; }
}
