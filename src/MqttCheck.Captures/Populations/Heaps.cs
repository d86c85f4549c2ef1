using MqttCheck.Captures.Exchanges;

namespace MqttCheck.Captures.Populations;

/// <summary>
/// Parts clients whose numbers form separate heaps. A criterion (BIC) has to prefer two heaps to one, and the heaps
/// have to lie far apart.
/// </summary>
internal static class Heaps
{
    // Two heaps are separate if their means lie so many standard deviations apart; halves of one heap never do.
    private const double Separation = 4.5;

    // Clients of one group differ by that much, apart from chance.
    private const double Spread = .03;
    private static readonly double s_smallestRatio = Math.Log(1.25);

    private static readonly Func<ClientTrace, Sample>[] s_features =
    [
        trace => trace.Intervals,
        trace => trace.Sizes,
        trace => trace.Stays,
    ];

    /// <summary>The heaps of clients.</summary>
    public static IEnumerable<List<SeenClient>> Of(List<SeenClient> clients)
    {
        foreach (var feature in s_features)
        {
            if (Split(clients, feature) is { } two)
                return Of(two.Low).Concat(Of(two.High));
        }
        return [clients];
    }

    private static (List<SeenClient> Low, List<SeenClient> High)? Split(
        List<SeenClient> clients,
        Func<ClientTrace, Sample> feature
    )
    {
        var known = clients
            .Where(client => feature(client.Trace) is { Count: >= 3, Mean: > 0 })
            .Select(client => (Client: client, Value: Math.Log(feature(client.Trace).Mean)))
            .OrderBy(one => one.Value)
            .ToList();
        if (known.Count < 2)
            return null;
        var values = known.Select(one => one.Value).ToArray();
        var noise = known.Average(one => Noise(feature(one.Client.Trace))) + Spread * Spread;
        var (cut, squares) = BestCut(values);
        var (low, high) = (values[..cut], values[cut..]);
        var variance = Math.Max(noise, squares / values.Length);
        var distance = high.Average() - low.Average();
        var isPreferred =
            values.Length * Math.Log(Math.Max(noise, Squares(values) / values.Length) / variance)
            > 2 * Math.Log(values.Length);
        if (!isPreferred || distance < Separation * Math.Sqrt(variance) || distance < s_smallestRatio)
            return null;
        var border = (low[^1] + high[0]) / 2;
        var far = known.Where(one => one.Value > border).Select(one => one.Client).ToHashSet();
        var near = known.Where(one => one.Value <= border).Select(one => one.Client).ToHashSet();
        // Clients without the feature stay with the larger heap.
        var isLowLarger = near.Count >= far.Count;
        return (
            clients.FindAll(client => near.Contains(client) || (isLowLarger && !far.Contains(client))),
            clients.FindAll(client => far.Contains(client) || (!isLowLarger && !near.Contains(client)))
        );
    }

    // The variance of a logarithm of a mean, by chance.
    private static double Noise(Sample sample) => sample.Variation * sample.Variation / sample.Count;

    private static (int Cut, double Squares) BestCut(double[] sorted)
    {
        var best = (Cut: 1, Squares: double.PositiveInfinity);
        var (sum, squares) = (0.0, 0.0);
        var (allSum, allSquares) = (sorted.Sum(), sorted.Sum(value => value * value));
        for (var cut = 1; cut < sorted.Length; cut++)
        {
            sum += sorted[cut - 1];
            squares += sorted[cut - 1] * sorted[cut - 1];
            var (restSum, restSquares) = (allSum - sum, allSquares - squares);
            var within = squares - sum * sum / cut + restSquares - restSum * restSum / (sorted.Length - cut);
            if (within < best.Squares)
                best = (cut, within);
        }
        return best;
    }

    private static double Squares(double[] values)
    {
        var mean = values.Average();
        return values.Sum(value => (value - mean) * (value - mean));
    }
}
