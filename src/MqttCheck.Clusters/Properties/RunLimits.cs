using MqttCheck.Clusters.Topologies;
using MqttCheck.Profiles.Workloads;

namespace MqttCheck.Clusters.Properties;

/// <summary>
/// The limits that a run cannot exceed, by its plan. <see cref="ClusterQuantity.Bound"/> says which quantities
/// they bound; the expectations of those have guaranteed intervals.
/// </summary>
internal sealed record RunLimits
{
    // ln(1e12): more Poisson arrivals than the bound come in one of 1e12 runs.
    private static readonly double s_negligible = Math.Log(1e12);

    // Probes that are on their way at the end may come within a second.
    private const double ProbeRestSeconds = 2;

    /// <summary>The most publications; null where clients decide by how fast they are acknowledged.</summary>
    public required double? Publications { get; init; }

    /// <summary>The most subscribers that a publication can be owed to.</summary>
    public required int Receivers { get; init; }

    /// <summary>How long a run lasts from its first message that counts to its end, in milliseconds.</summary>
    public required double Milliseconds { get; init; }

    /// <summary>For how long probes are watched, in milliseconds.</summary>
    public required double ProbedMilliseconds { get; init; }

    /// <summary>The limits of a run.</summary>
    /// <param name="topology">The topology with load and duration.</param>
    /// <param name="rest">How long a run goes on after its last message is due.</param>
    public static RunLimits Of(Topology topology, TimeSpan rest)
    {
        return new()
        {
            Publications = PublicationsOf(topology),
            Receivers = ReceiversOf(topology),
            Milliseconds = (topology.Duration + rest).TotalMilliseconds,
            ProbedMilliseconds = topology.Duration.TotalMilliseconds + 1000 * ProbeRestSeconds,
        };
    }

    private static double? PublicationsOf(Topology topology)
    {
        var load = topology.Load;
        if (!load.IsOpenLoop)
            return null;
        // A message that was due in the warm-up counts if a live client sends it late.
        var warmUp = load.WarmUp.Messages == 0 ? load.WarmUp.Time : TimeSpan.Zero;
        var mean = load.MessagesPerSecond * (topology.Duration + warmUp).TotalSeconds;
        if (load.Burst is { } burst)
            mean +=
                Math.Max(0, burst.MessagesPerSecond - load.MessagesPerSecond) * (burst.Until - burst.From).TotalSeconds;
        // Bernstein's inequality for a Poisson number. A simulated transport draws its arrivals whatever the load says.
        if (load.Arrivals == ArrivalKind.Poisson || topology.System == ClusterSystem.Transport)
            return Math.Ceiling(
                mean + s_negligible / 3 + Math.Sqrt(s_negligible * s_negligible / 9 + 2 * mean * s_negligible)
            );
        // Each publisher begins anywhere in its first gap.
        return Math.Ceiling(mean) + load.Publishers;
    }

    // Every subscriber may receive a message if topics are drawn at random or written by the user.
    private static int ReceiversOf(Topology topology) =>
        topology.Overlay.Topics is not null || topology.Load is not { Topic: "", Filter: "" }
            ? topology.Load.Subscribers
            : topology.Load.ReceiversPerMessage;
}
