using MqttCheck.Clusters.Monitors;

namespace MqttCheck.Clusters.Properties;

/// <summary>Deliveries that never came, each counted for one reason.</summary>
/// <param name="Lost">See <see cref="ClusterQuantity.Lost"/>.</param>
/// <param name="BestEffort">The missing deliveries of QoS 0, which promises none.</param>
/// <param name="Racing">
/// The missing deliveries of QoS 1 or 2 whose subscription was made or ended near the publication.
/// </param>
/// <param name="Unacknowledged">The missing deliveries of QoS 1 or 2 whose publisher got no acknowledgement.</param>
internal readonly record struct MissingDeliveries(long Lost, long BestEffort, long Racing, long Unacknowledged)
{
    /// <summary>All of them.</summary>
    public long Total => Lost + BestEffort + Racing + Unacknowledged;

    /// <summary>Counts them.</summary>
    /// <param name="pairs">Publications with those who subscribed.</param>
    internal static MissingDeliveries Of(IEnumerable<DeliveryPair> pairs)
    {
        var missing = default(MissingDeliveries);
        foreach (var pair in pairs.Where(pair => pair.Deliveries == 0))
        {
            missing =
                pair.IsLost ? missing with { Lost = missing.Lost + 1 }
                : pair.Qos == 0 ? missing with { BestEffort = missing.BestEffort + 1 }
                : pair.State == PairState.Racing ? missing with { Racing = missing.Racing + 1 }
                : missing with { Unacknowledged = missing.Unacknowledged + 1 };
        }
        return missing;
    }
}
