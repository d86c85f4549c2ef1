namespace MqttCheck.Brokers.Fleets.Parts;

/// <summary>All that a worker needs to know of its part of a fleet.</summary>
/// <param name="Setup">A valid setup without TLS or WebSocket.</param>
/// <param name="Share">The clients of the part.</param>
internal sealed record FleetPartDescription(FleetSetup Setup, FleetShare Share);
