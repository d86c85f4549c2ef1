using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Wire;
using MqttCheck.Protocol;
using MqttCheck.Statistics;

namespace MqttCheck.App.Runs;

/// <summary>The parameters of live runs besides the broker, whatever they are for.</summary>
internal abstract record LiveRequest
{
    /// <summary>The user's seed.</summary>
    public required ulong Seed { get; init; }

    /// <summary>The protocol that the clients speak.</summary>
    public required ProtocolVersion ProtocolVersion { get; init; }

    /// <summary>Which MQTT client carries the requests.</summary>
    public required ClientKind Client { get; init; }

    /// <summary>Who makes the runs. Default: this process.</summary>
    public IFleetRunner Fleets { get; init; } = LocalFleetRunner.Instance;

    /// <summary>The largest rate, or null.</summary>
    public required int? RateCap { get; init; }

    /// <summary>How the runs of a purpose are made.</summary>
    public CampaignOptions Campaign(SeedPurpose purpose) =>
        new()
        {
            Seed = purpose.Seed(Seed),
            Prefix = FleetSetup.NewPrefix(),
            MaximumRequestsPerSecond = RateCap,
            ProtocolVersion = ProtocolVersion,
            Client = Client,
            Fleets = Fleets,
        };
}
