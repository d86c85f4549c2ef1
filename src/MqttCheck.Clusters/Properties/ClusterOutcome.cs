using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Properties.Histories;

namespace MqttCheck.Clusters.Properties;

/// <summary>
/// The outcome of one run of a cluster: a replication of the simulator, or a live run. Quantities that the run could
/// not observe are null.
/// </summary>
internal sealed record ClusterOutcome
{
    /// <summary>How many messages were published.</summary>
    public required long Publications { get; init; }

    /// <summary>How many messages were delivered, repeats included.</summary>
    public required long Deliveries { get; init; }

    /// <summary>
    /// How many publications met no subscription, so that nobody was owed them: the subscriber was gone, or its session
    /// was forgotten and it could not subscribe again.
    /// </summary>
    public long WithoutSubscription { get; init; }

    /// <summary>How many deliveries were owed or could have come: publications times those who subscribed.</summary>
    public long Owed { get; init; }

    /// <summary>How many of these never came, and why.</summary>
    public MissingDeliveries Missing { get; init; }

    /// <summary>The places of lost messages among those of their publisher to their subscriber.</summary>
    public LossClasses Losses { get; init; }

    /// <summary>The fates of acknowledged messages of QoS 1 and of QoS 2, as far as there were any.</summary>
    public IReadOnlyList<QosOutcome> ByQos { get; init; } = [];

    /// <summary>How many sessions that should have outlived their connections were gone.</summary>
    public long SessionsForgotten { get; init; }

    /// <summary>The fates of retained messages that were acknowledged; null where none were written for that.</summary>
    public KeptOutcome? Kept { get; init; }

    /// <summary>See <see cref="ClusterQuantity.UndeliveredAtEnd"/>.</summary>
    public long UndeliveredAtEnd => Missing.Total - Missing.Racing;

    /// <summary>The time of every settled delivery, in milliseconds, in the order of publication.</summary>
    public required IReadOnlyList<double> DeliveryMilliseconds { get; init; }

    /// <summary>
    /// See <see cref="ClusterQuantity.Acknowledgement"/>, in milliseconds, in the order of publication; empty where
    /// publications are not acknowledged.
    /// </summary>
    public IReadOnlyList<double> AcknowledgementMilliseconds { get; init; } = [];

    /// <summary>The deliveries by the places of their clients; empty if they were not told apart.</summary>
    public IReadOnlyList<PairOutcome> Pairs { get; init; } = [];

    /// <summary>See <see cref="ClusterQuantity.Lost"/>.</summary>
    public required long Lost { get; init; }

    /// <summary>See <see cref="ClusterQuantity.LostSettled"/>.</summary>
    public required long LostSettled { get; init; }

    /// <summary>See <see cref="ClusterQuantity.Duplicates"/>.</summary>
    public required long Duplicates { get; init; }

    /// <summary>See <see cref="ClusterQuantity.Reordered"/>.</summary>
    public required long Reordered { get; init; }

    /// <summary>See <see cref="ClusterQuantity.Racing"/>.</summary>
    public required long Racing { get; init; }

    /// <summary>
    /// See <see cref="ClusterQuantity.Repair"/>, in milliseconds; infinite if it never worked again, null without
    /// probes.
    /// </summary>
    public double? RepairMilliseconds { get; init; }

    /// <summary>See <see cref="ClusterQuantity.Convergence"/>, in milliseconds; null without notes of nodes.</summary>
    public double? ConvergenceMilliseconds { get; init; }

    /// <summary>See <see cref="ClusterQuantity.Blackout"/>, in milliseconds; null without probes.</summary>
    public double? BlackoutMilliseconds { get; init; }

    /// <summary>Whether no pair of nodes worked at the end; false without probes.</summary>
    public bool IsServiceLost { get; init; }

    /// <summary>
    /// The interruption that probes cannot tell from none, in milliseconds: a repair or blackout of 0 is shorter than
    /// that; null without probes.
    /// </summary>
    public double? ProbeResolutionMilliseconds { get; init; }

    /// <summary>
    /// For how long fewer than two nodes were up, so that no probe could say anything, in milliseconds; null without
    /// probes.
    /// </summary>
    public double? UnwatchedMilliseconds { get; init; }

    /// <summary>See <see cref="ClusterQuantity.LinkMessages"/>; null where links are not seen.</summary>
    public long? LinkMessages { get; init; }

    /// <summary>See <see cref="ClusterQuantity.LinkBytes"/>; null where links are not seen.</summary>
    public long? LinkBytes { get; init; }

    /// <summary>See <see cref="ClusterQuantity.SignallingBytes"/>; null where links are not seen.</summary>
    public long? SignallingBytes { get; init; }

    /// <summary>See <see cref="ClusterQuantity.Retransmitted"/>; null where links are not seen.</summary>
    public long? Retransmitted { get; init; }

    /// <summary>
    /// See <see cref="ClusterQuantity.CaughtUp"/>, in milliseconds; infinite if messages are missing that a broker has
    /// to deliver, null without a delivery.
    /// </summary>
    public double? CaughtUpMilliseconds { get; init; }

    /// <summary>The value of <see cref="CaughtUpMilliseconds"/>.</summary>
    /// <param name="lastPublication">The time of the last publication in nanoseconds; null without one.</param>
    /// <param name="lastDelivery">The time of the last delivery in nanoseconds; null without one.</param>
    /// <param name="missing">How many deliveries have not come that a broker has to make.</param>
    internal static double? CaughtUpOf(long? lastPublication, long? lastDelivery, long missing) =>
        lastDelivery is null || lastPublication is null ? null
        : missing > 0 ? double.PositiveInfinity
        : Math.Max(0, lastDelivery.Value - lastPublication.Value) / 1e6;

    /// <summary>See <see cref="ClusterQuantity.RaceLosses"/>.</summary>
    public long RaceLosses { get; init; }

    /// <summary>See <see cref="ClusterQuantity.Throughput"/>; null where the run does not know it.</summary>
    public double? Throughput { get; init; }

    /// <summary>The first violations of each invariant.</summary>
    public IReadOnlyList<ClusterViolation> Violations { get; init; } = [];

    /// <summary>
    /// Observations that violate no standard and no promise but are worth knowing, in the form of violations.
    /// </summary>
    public IReadOnlyList<ClusterViolation> Reports { get; init; } = [];

    /// <summary>How many violations and observations there are of each invariant, in all.</summary>
    public IReadOnlyList<ViolationCount> ViolationCounts { get; init; } = [];

    /// <summary>The fate of each message; null where nobody keeps it.</summary>
    public RunHistory? History { get; init; }
}
