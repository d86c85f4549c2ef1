namespace MqttCheck.Learning.Data;

/// <summary>Searches in times that are sorted.</summary>
internal static class SortedTimes
{
    /// <summary>How many of the times are not above the given one.</summary>
    /// <param name="sorted">The times in ascending order.</param>
    /// <param name="time">The time.</param>
    public static int CountUpTo(double[] sorted, double time) =>
        IntegerSearch.FirstIndex(sorted.Length, place => !(sorted[place] <= time));
}
