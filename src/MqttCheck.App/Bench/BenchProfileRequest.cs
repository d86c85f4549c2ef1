using MqttCheck.App.Runs;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Profiles;
using MqttCheck.Protocol;

namespace MqttCheck.App.Bench;

/// <summary>The parameters of a benchmark by a usage profile, besides the broker that runs.</summary>
/// <param name="Population">The profile.</param>
/// <param name="Clients">How many clients.</param>
/// <param name="Duration">How long they send.</param>
/// <param name="Asked">The protocol that the user asked for, or null for the newest that the broker speaks.</param>
/// <param name="Choice">The broker as the user chose it.</param>
/// <param name="Fleets">Who makes the run.</param>
internal sealed record BenchProfileRequest(
    Population Population,
    int Clients,
    TimeSpan Duration,
    ProtocolVersion? Asked,
    BrokerChoice Choice,
    IFleetRunner Fleets
);
