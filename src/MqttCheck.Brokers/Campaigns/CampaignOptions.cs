using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Rights;
using MqttCheck.Brokers.Wire;
using MqttCheck.Profiles;
using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Campaigns;

/// <summary>How the runs of a campaign load the broker.</summary>
public sealed record CampaignOptions
{
    /// <summary>The seed of every choice that the clients make.</summary>
    public required ulong Seed { get; init; }

    /// <summary>
    /// The beginning of every topic and, without slashes, of every client identifier; each run appends its number. See
    /// <see cref="FleetSetup.NewPrefix"/>.
    /// </summary>
    public required string Prefix { get; init; }

    /// <summary>The protocol that the clients speak. Default 3.1.1.</summary>
    public ProtocolVersion ProtocolVersion { get; init; } = ProtocolVersion.V311;

    /// <summary>Which MQTT client carries the requests. Default the own one.</summary>
    public ClientKind Client { get; init; } = ClientKind.Own;

    /// <summary>How many requests all clients together may send per second, or null for no limit.</summary>
    public double? MaximumRequestsPerSecond { get; init; }

    /// <summary>How long an exchange may take before it has failed. Default 10 s.</summary>
    public TimeSpan ExchangeTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Who makes the runs. Default: this process.</summary>
    public IFleetRunner Fleets { get; init; } = LocalFleetRunner.Instance;

    /// <summary>Asks whether clients may do on a broker what runs of populations do.</summary>
    /// <param name="broker">The broker, running.</param>
    /// <param name="populations">Who takes part.</param>
    /// <param name="cancellation">Gives up, without an exception.</param>
    /// <param name="isAfterLoad">Whether they have loaded it already.</param>
    /// <exception cref="BrokerException">The broker denies something.</exception>
    internal void RequireRights(
        IBrokerUnderTest broker,
        IEnumerable<Population> populations,
        CancellationToken cancellation,
        bool isAfterLoad = false
    )
    {
        foreach (var population in populations.Distinct())
            RightsProbe.Require(
                FleetSetup.For(broker, population, 1, Prefix) with
                {
                    ProtocolVersion = ProtocolVersion,
                },
                cancellation,
                isAfterLoad
            );
    }

    /// <summary>Yields recorded runs in place of live ones, for tests of what follows from them.</summary>
    internal Func<FleetSetup, FleetRunResult>? Recorded { get; init; }
}
