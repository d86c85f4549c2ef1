namespace MqttCheck.Comparison;

/// <summary>The verdict of a comparison of two brokers at one point.</summary>
internal enum TwoSampleVerdict
{
    /// <summary>No difference as large as the indifference: shown with the stated error, not only not found.</summary>
    NoDifference,

    /// <summary>The first is in time more often.</summary>
    FirstFaster,

    /// <summary>The second is in time more often.</summary>
    SecondFaster,

    /// <summary>Neither can be said with the stated error; the reason says why.</summary>
    Withheld,

    /// <summary>The comparison was interrupted before there was a verdict.</summary>
    Partial,
}
