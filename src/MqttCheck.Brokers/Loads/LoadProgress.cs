namespace MqttCheck.Brokers.Loads;

/// <summary>How far a load is.</summary>
/// <param name="Phase">The phase of the load.</param>
/// <param name="Share">The share of the whole time that is over, 0 .. 1, as far as it can be known.</param>
/// <param name="Connected">Clients that are connected.</param>
/// <param name="Sent">Messages sent.</param>
/// <param name="Delivered">Deliveries.</param>
internal readonly record struct LoadProgress(LoadPhase Phase, double Share, int Connected, long Sent, long Delivered);
