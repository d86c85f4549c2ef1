using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Wire;
using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Statistics;

namespace MqttCheck.App.Runs;

/// <summary>How live runs are made, whatever they are for.</summary>
/// <param name="Seed">The user's seed.</param>
/// <param name="ProtocolVersion">The protocol that the clients speak.</param>
/// <param name="Client">Which MQTT client carries the requests.</param>
/// <param name="RateCap">The largest rate in messages per second, or null.</param>
internal sealed record LiveRuns(ulong Seed, ProtocolVersion ProtocolVersion, ClientKind Client, int? RateCap)
{
    /// <summary>Who makes the runs. Default: this process.</summary>
    public IFleetRunner Fleets { get; init; } = LocalFleetRunner.Instance;

    /// <summary>Refuses profiles that these clients cannot carry, before anything is started.</summary>
    /// <exception cref="InputException">They have keys of another protocol or client: every one.</exception>
    public void Require(IEnumerable<Population> populations) =>
        InputException.ThrowIfAny([
            .. populations.SelectMany(one => FleetSetup.PacketErrors(one, ProtocolVersion, Client)),
        ]);

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
