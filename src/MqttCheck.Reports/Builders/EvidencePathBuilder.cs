using MqttCheck.Reports.Input;

namespace MqttCheck.Reports.Builders;

/// <summary>Builds an <see cref="EvidencePath"/> from the state of a sequential test after every sample.</summary>
public static class EvidencePathBuilder
{
    private const int Groups = 250;

    /// <summary>
    /// Keeps of a long path the smallest, the largest and the last value of each of 250 stretches, so that its drawing
    /// does not change.
    /// </summary>
    /// <param name="path">Name, bounds and their meaning.</param>
    /// <param name="logRatios">The logarithm of the likelihood ratio after the first, second, ... sample.</param>
    /// <returns>The path with its points, which begin at (0, 0).</returns>
    public static EvidencePath From(EvidencePath path, IReadOnlyList<double> logRatios)
    {
        var samples = new List<int> { 0 };
        var values = new List<double> { 0 };
        var stretch = Math.Max(1, logRatios.Count / Groups);
        for (var start = 0; start < logRatios.Count; start += stretch)
        {
            var end = Math.Min(start + stretch, logRatios.Count);
            var (smallest, largest) = (start, start);
            for (var i = start; i < end; i++)
            {
                if (logRatios[i] < logRatios[smallest])
                    smallest = i;
                if (logRatios[i] > logRatios[largest])
                    largest = i;
            }
            foreach (var index in new SortedSet<int> { smallest, largest, end - 1 })
            {
                samples.Add(index + 1);
                values.Add(logRatios[index]);
            }
        }
        return path with { Samples = samples, LogRatios = values };
    }
}
