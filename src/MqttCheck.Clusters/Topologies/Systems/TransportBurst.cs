using MqttCheck.Profiles.Workloads;

namespace MqttCheck.Clusters.Topologies.Systems;

/// <summary>A time in which the clients of all nodes publish at another rate.</summary>
/// <param name="MessagesPerSecond">The rate of all nodes together, positive.</param>
/// <param name="FromSeconds">When it begins.</param>
/// <param name="UntilSeconds">When it ends, later than it begins.</param>
internal sealed record TransportBurst(double MessagesPerSecond, double FromSeconds, double UntilSeconds)
{
    /// <summary>The burst as a part of the load.</summary>
    internal LoadBurst OfLoad =>
        new(MessagesPerSecond, TimeSpan.FromSeconds(FromSeconds), TimeSpan.FromSeconds(UntilSeconds));
}
