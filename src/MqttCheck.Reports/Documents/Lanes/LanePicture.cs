namespace MqttCheck.Reports.Documents.Lanes;

/// <summary>
/// A picture of what happened where and when: a lane for each place, time to the right. In Markdown it is a table of
/// counts.
/// </summary>
/// <param name="Title">The title.</param>
/// <param name="Explanation">How to read it.</param>
/// <param name="Seconds">The length of the time axis.</param>
/// <param name="Lanes">The lanes from top to bottom.</param>
internal sealed record LanePicture(string Title, string Explanation, double Seconds, IReadOnlyList<PictureLane> Lanes)
    : DocumentBlock
{
    /// <summary>The words of the strips with their meaning, in the order in which strips stand in a lane.</summary>
    public IReadOnlyList<LaneMeaning> Meanings { get; init; } = [];

    /// <summary>
    /// Times at which something happened anywhere, as shares of the axis; a line marks them in each lane.
    /// </summary>
    public IReadOnlyList<double> Moments { get; init; } = [];

    /// <summary>How many marks it has at most, which says how large it is.</summary>
    public int Marks => Lanes.Sum(lane => lane.Strips.Sum(strip => strip.Counts.Count(count => count > 0)));
}
