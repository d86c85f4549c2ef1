namespace MqttCheck.Reports.Documents.Lanes;

/// <summary>The marks of one kind in a lane.</summary>
/// <param name="Word">The kind in a word or two.</param>
/// <param name="Colour">The colour of the marks.</param>
/// <param name="Counts">How many there are in equal times from the beginning to the end of the axis.</param>
internal sealed record LaneStrip(string Word, LaneColour Colour, IReadOnlyList<int> Counts)
{
    /// <summary>How many there are.</summary>
    public long Total => Counts.Sum(count => (long)count);
}
