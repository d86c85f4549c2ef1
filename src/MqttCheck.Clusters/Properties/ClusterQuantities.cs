namespace MqttCheck.Clusters.Properties;

/// <summary>The spelling of quantities in properties.</summary>
public static class ClusterQuantities
{
    /// <summary>What stands behind a quantity that is divided by the number of publications.</summary>
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
}
