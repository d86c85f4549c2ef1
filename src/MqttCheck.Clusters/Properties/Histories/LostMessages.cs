namespace MqttCheck.Clusters.Properties.Histories;

/// <summary>The lost messages of a run by the time of their publication, each counted once.</summary>
/// <param name="Meanwhile">Published while a fault lasted.</param>
/// <param name="BeforeBridges">Published after that, before the bridges worked again.</param>
/// <param name="Near">Published shortly before a fault or shortly after it.</param>
/// <param name="ReaderAway">Published away from every fault, while the reader that misses it was not connected.</param>
/// <param name="Away">Published away from every fault, while the reader that misses it was connected.</param>
internal readonly record struct LostMessages(long Meanwhile, long BeforeBridges, long Near, long ReaderAway, long Away)
{
    /// <summary>All of them.</summary>
    public long Total => Meanwhile + BeforeBridges + Near + ReaderAway + Away;

    /// <summary>The lost messages of two runs.</summary>
    public static LostMessages operator +(LostMessages one, LostMessages other) =>
        new(
            one.Meanwhile + other.Meanwhile,
            one.BeforeBridges + other.BeforeBridges,
            one.Near + other.Near,
            one.ReaderAway + other.ReaderAway,
            one.Away + other.Away
        );
}
