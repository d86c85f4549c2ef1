using MathNet.Numerics.Statistics;
using MqttCheck.Clients;
using MqttCheck.Latency.Models;
using MqttCheck.Learning.Data;
using MqttCheck.Statistics;

namespace MqttCheck.Learning.Learners;

/// <summary>
/// Learns a <see cref="NearestNeighboursModel"/>: at each node of the grid near which there is an exchange, the
/// latencies of the exchanges nearest to it.
/// </summary>
internal sealed class NearestNeighboursLearner : ILearner
{
    private const int Neighbours = 150;
    private const int MostRowsPerKind = 12_000;

    /// <inheritdoc/>
    public string Name => NearestNeighboursModel.KindName;

    /// <inheritdoc/>
    public string Description =>
        "The latencies of the 150 exchanges with the most similar open exchanges, subscriptions and subscribers.";

    /// <inheritdoc/>
    public FittedModel Learn(TrainingData data, ulong seed)
    {
        var tables = data.FitKinds(seed, 0x6B6E6E, MostRowsPerKind, Tables);
        return new(data.WithHolds(new NearestNeighboursModel(tables.SelectMany(kind => kind ?? []))), []);
    }

    private static List<PlacedTable> Tables(TrainingRow[] rows)
    {
        // The order depends on the exchanges alone, because it breaks ties in distance.
        Array.Sort(
            rows,
            (a, b) =>
                (a.LatencyMilliseconds, a.Run, a.SentMilliseconds).CompareTo(
                    (b.LatencyMilliseconds, b.Run, b.SentMilliseconds)
                )
        );
        var seen = new SortedSet<int>();
        var places = new (float Active, float Subscriptions, float Subscribers)[rows.Length];
        for (var i = 0; i < rows.Length; i++)
        {
            var features = rows[i].Features;
            seen.Add(NeighbourGrid.NodeOf(features));
            places[i] = Place(features.Active, features.TotalSubscriptions, features.Subscribers);
        }
        var tables = new List<PlacedTable>();
        var distances = new float[rows.Length];
        var partlySorted = new float[rows.Length];
        var neighbours = Math.Min(Neighbours, rows.Length);
        foreach (var node in seen)
        {
            var (_, active, subscriptions, subscribers) = NeighbourGrid.At(node);
            var at = Place(active, subscriptions, subscribers);
            for (var i = 0; i < rows.Length; i++)
            {
                var (a, b, c) = (
                    places[i].Active - at.Active,
                    places[i].Subscriptions - at.Subscriptions,
                    places[i].Subscribers - at.Subscribers
                );
                distances[i] = a * a + b * b + c * c;
            }
            // Exchanges at the same distance are all alike: their number decides the weight of each.
            distances.CopyTo(partlySorted, 0);
            var limit = ArrayStatistics.OrderStatisticInplace(partlySorted, neighbours);
            var sample = new WeightedSample();
            var nearer = distances.Count(distance => distance < limit);
            var ties = distances.Count(distance => distance == limit);
            for (var i = 0; i < rows.Length; i++)
            {
                if (distances[i] < limit)
                    sample.Add(rows[i].LatencyMilliseconds, 1);
                else if (distances[i] == limit)
                    sample.Add(rows[i].LatencyMilliseconds, (double)(neighbours - nearer) / ties);
            }
            tables.Add(new(node, QuantileTable.From(sample, neighbours).Rounded()));
        }
        return tables;
    }

    // Logarithmic in all three: from 1 to 2 open exchanges is as far as from 50 to 100. That a topic has subscribers at
    // all is the largest step.
    private static (float Active, float Subscriptions, float Subscribers) Place(
        int active,
        int subscriptions,
        int subscribers
    ) =>
        (
            (float)Math.Log(active),
            (float)(Math.Log(subscriptions + 20) / 2),
            (float)(Math.Log(subscribers + 1) + (subscribers > 0 ? 2 : 0))
        );
}
