using System.Diagnostics;

namespace MqttCheck.Clusters.Properties;

/// <summary>The spelling of quantities in properties, and what bounds them.</summary>
internal static class ClusterQuantities
{
    /// <summary>The suffix of a quantity that is divided by the number of publications.</summary>
    internal const string PerPublication = "per publication";

    internal static IReadOnlyList<string> Names { get; } =
    [
        "delivery",
        "lost",
        "lost settled",
        "duplicates",
        "reordered",
        "racing",
        "repair",
        "convergence",
        "blackout",
        "link messages",
        "link bytes",
        "signalling bytes",
        "retransmitted",
        "caught up",
        "race losses",
        "throughput",
        "acknowledgement",
    ];

    internal static string Name(this ClusterQuantity quantity) => Names[(int)quantity];

    /// <summary>Whether its values are times.</summary>
    /// <param name="quantity">The quantity.</param>
    public static bool IsDuration(this ClusterQuantity quantity) =>
        quantity
            is ClusterQuantity.Delivery
                or ClusterQuantity.Repair
                or ClusterQuantity.Convergence
                or ClusterQuantity.Blackout
                or ClusterQuantity.CaughtUp
                or ClusterQuantity.Acknowledgement;

    /// <summary>Whether a run has many values of it, one for each message.</summary>
    /// <param name="quantity">The quantity.</param>
    public static bool IsOfMessages(this ClusterQuantity quantity) =>
        quantity is ClusterQuantity.Delivery or ClusterQuantity.Acknowledgement;

    /// <summary>
    /// The largest value that a run can have, in milliseconds for times; the smallest is 0. Null where nothing bounds
    /// it: repeats may go on, and a machine may be as fast as it likes.
    /// </summary>
    /// <param name="quantity">The quantity. A time whose end a run does not see counts as the longest one.</param>
    /// <param name="isPerPublication">Whether it is divided by the number of publications.</param>
    /// <param name="limits">The limits that the plan sets to a run.</param>
    internal static double? LargestValue(this ClusterQuantity quantity, bool isPerPublication, RunLimits limits)
    {
        var publications = isPerPublication ? 1 : limits.Publications;
        return quantity switch
        {
            ClusterQuantity.Lost
            or ClusterQuantity.LostSettled
            or ClusterQuantity.Reordered
            or ClusterQuantity.Racing => publications * limits.Receivers,
            ClusterQuantity.RaceLosses => publications,
            ClusterQuantity.Repair or ClusterQuantity.Blackout => limits.ProbedMilliseconds,
            ClusterQuantity.Delivery
            or ClusterQuantity.Acknowledgement
            or ClusterQuantity.Convergence
            or ClusterQuantity.CaughtUp => limits.Milliseconds,
            ClusterQuantity.Duplicates
            or ClusterQuantity.LinkMessages
            or ClusterQuantity.LinkBytes
            or ClusterQuantity.SignallingBytes
            or ClusterQuantity.Retransmitted
            or ClusterQuantity.Throughput => null,
            _ => throw new UnreachableException(),
        };
    }
}
