namespace MqttCheck.Brokers.Fleets.Parts;

/// <summary>A connection that ended without its client's doing.</summary>
/// <param name="Client">Number of the client.</param>
/// <param name="AtNanoseconds">When, since the start of the run.</param>
internal readonly record struct LostConnection(int Client, long AtNanoseconds);
