namespace MqttCheck.Server.Answers;

/// <summary>How many setups are simulated for the first answer and for better ones.</summary>
internal static class Refinement
{
    /// <summary>
    /// Replications of a point of the refined curve: enough to see its form, on which nothing else depends.
    /// </summary>
    public const int OfCurve = 120;

    private const int Coarse = 16;
    private const int Middle = 120;

    // The final answer has as many replications as 'predict' makes without --replications.
    private const int Most = 1060;

    // Sequences of all replications together: an answer must neither take minutes nor fill the memory.
    private const int MostSequences = 2_000_000;

    /// <summary>Replications of the answers, ascending; the last one is final.</summary>
    /// <param name="clients">How many clients a setup has.</param>
    public static IReadOnlyList<int> Steps(int clients)
    {
        int[] steps = [Coarse, Middle, Most];
        return [.. steps.Select(step => Bounded(step, clients)).Distinct()];
    }

    /// <summary>As many replications as are asked for, or as many as such a fleet allows.</summary>
    public static int Bounded(int replications, int clients) =>
        Math.Max(1, Math.Min(replications, MostSequences / clients));

    /// <summary>The numbers of clients of a curve: around the one that is asked for, ascending.</summary>
    /// <param name="clients">How many clients are asked for.</param>
    /// <param name="trained">The largest number inside training; null where there is none.</param>
    /// <param name="most">The largest number that may be simulated.</param>
    public static IReadOnlyList<int> CurveCounts(int clients, int? trained, int most)
    {
        double[] shares = [.1, .4, .7, 1, 1.3, 1.6];
        var counts = shares.Select(share => Round(share * clients)).Append(clients);
        if (trained is { } known && known < 3 * clients)
            counts = counts.Append(known);
        return [.. counts.Where(count => count >= 1 && count <= most).Distinct().Order()];
    }

    // Two digits keep the same places while a slider moves a little.
    private static int Round(double value)
    {
        var unit = Math.Pow(10, Math.Max(0, Math.Floor(Math.Log10(Math.Max(1, value))) - 1));
        return (int)(Math.Round(value / unit) * unit);
    }
}
