namespace MqttCheck.Brokers.Loads.Parts;

/// <summary>All that a worker needs to know of its part of a load.</summary>
/// <param name="Setup">The setup of the part, without TLS, WebSocket or several nodes.</param>
/// <param name="MessagesPerSecond">The part's share of the rate, which has more digits than a workload file.</param>
internal sealed record LoadPartDescription(LoadSetup Setup, double MessagesPerSecond);
