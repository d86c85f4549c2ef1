namespace MqttCheck.Verification.Deciding;

/// <summary>The conclusion of a piece of work, for a script, a pipeline or a test that must act on it.</summary>
public enum Conclusion
{
    /// <summary>All confirmed or not worse, or the work is done.</summary>
    Success,

    /// <summary>A prediction was refuted, a difference found, a requirement violated.</summary>
    Refuted,

    /// <summary>Something was not decided, or must not be concluded from the runs.</summary>
    Withheld,

    /// <summary>The user ended it before its time.</summary>
    Interrupted,
}
