namespace MqttCheck.Profiles;

/// <summary>
/// The weight of each kind of message. Weights are normalised over the kinds that are enabled in the client's state
/// (a disconnected client can only connect), so they need not add up to anything.
/// </summary>
/// <param name="Connect">Weight of connect; it counts only while disconnected, where it is the only choice.</param>
/// <param name="Disconnect">Weight of disconnect.</param>
/// <param name="Publish">Weight of publish.</param>
/// <param name="Subscribe">Weight of subscribe, enabled while some topic is not subscribed.</param>
/// <param name="Unsubscribe">Weight of unsubscribe, enabled while some topic is subscribed.</param>
public sealed record MessageWeights(
    double Connect,
    double Disconnect,
    double Publish,
    double Subscribe,
    double Unsubscribe
);
