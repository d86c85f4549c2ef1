namespace MqttCheck.Clusters.Mosquitto.Joining;

/// <summary>A link of a topology that configurations make.</summary>
/// <param name="Bridge">The bridge that is the link.</param>
/// <param name="Match">How its first address was matched.</param>
/// <param name="Others">The names of other nodes that further addresses of the bridge lead to.</param>
internal sealed record ConfLink(ConfBridge Bridge, ConfMatch Match, IReadOnlyList<string> Others)
{
    /// <summary>The address that the bridge prefers.</summary>
    public ConfAddress Address => Bridge.Addresses[0];
}
