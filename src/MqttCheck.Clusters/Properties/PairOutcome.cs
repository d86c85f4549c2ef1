using MqttCheck.Clusters.Monitors;

namespace MqttCheck.Clusters.Properties;

/// <summary>The outcome of one run for the deliveries from publishers of one place to subscribers of another.</summary>
/// <param name="From">The place of the publishers, by its number.</param>
/// <param name="To">The place of the subscribers, by its number.</param>
/// <param name="Owed">See <see cref="ClusterOutcome.Owed"/>.</param>
/// <param name="Missing">How many of these never came, for any reason.</param>
/// <param name="Lost">How many of these were lost; see <see cref="ClusterQuantity.Lost"/>.</param>
/// <param name="DeliveryNanoseconds">The time of every settled delivery, in the order of publication.</param>
internal sealed record PairOutcome(
    int From,
    int To,
    long Owed,
    long Missing,
    long Lost,
    IReadOnlyList<long> DeliveryNanoseconds
)
{
    /// <summary>Tells deliveries apart by their places.</summary>
    /// <param name="deliveries">Publications with those who subscribed, in the order of publication.</param>
    /// <param name="places">The place of each client.</param>
    /// <returns>One for each pair that has a delivery, in the order of the places.</returns>
    internal static IReadOnlyList<PairOutcome> Of(IEnumerable<DeliveryPair> deliveries, IReadOnlyList<int> places) =>
        [
            .. deliveries
                .GroupBy(delivery => (From: places[delivery.Publisher], To: places[delivery.Subscriber]))
                .Select(pair => new PairOutcome(
                    pair.Key.From,
                    pair.Key.To,
                    pair.LongCount(),
                    pair.LongCount(delivery => delivery.Deliveries == 0),
                    pair.LongCount(delivery => delivery.IsLost),
                    [.. pair.Where(delivery => delivery.IsTimed).Select(delivery => delivery.TakenNanoseconds)]
                ))
                .OrderBy(pair => pair.From)
                .ThenBy(pair => pair.To),
        ];
}
