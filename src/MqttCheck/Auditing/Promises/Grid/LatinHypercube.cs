using MqttCheck.Statistics;

namespace MqttCheck.Auditing.Promises.Grid;

/// <summary>
/// Some of all combinations of levels, drawn so that each level of each factor comes equally often (McKay, Beckman and
/// Conover 1979): a grid too large to be simulated is covered evenly.
/// </summary>
internal static class LatinHypercube
{
    /// <summary>Draws combinations; the same for the same seed.</summary>
    /// <param name="points">How many, at least 1.</param>
    /// <param name="seed">The seed: factor i draws from the stream (seed, i).</param>
    /// <param name="levels">The number of levels of each factor, each at least 1.</param>
    /// <returns>The number of a level, from 0, for each factor of each combination; some may be equal.</returns>
    public static int[][] Draw(int points, ulong seed, params ReadOnlySpan<int> levels)
    {
        var factors = levels.Length;
        int[][] drawn = [.. Enumerable.Range(0, points).Select(_ => new int[factors])];
        for (var factor = 0; factor < levels.Length; factor++)
        {
            var random = RandomStream.For(seed, (ulong)factor);
            for (var point = 0; point < points; point++)
            {
                // A shuffle that inserts each point at a random place among those before.
                var place = random.NextInt(point + 1);
                drawn[point][factor] = drawn[place][factor];
                drawn[place][factor] = point % levels[factor];
            }
        }
        return drawn;
    }
}
