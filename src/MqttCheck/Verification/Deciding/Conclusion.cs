namespace MqttCheck.Verification.Deciding;

/// <summary>
/// The conclusion of a piece of work, for a script, a pipeline or a test that must act on it; the gravest is last.
/// </summary>
public enum Conclusion
{
    /// <summary>All confirmed or not worse, or the work is done.</summary>
    Success,

    /// <summary>Something was not decided, or must not be concluded from the runs.</summary>
    Withheld,

    /// <summary>The broker or the environment failed.</summary>
    Failed,

    /// <summary>A prediction was refuted, a difference found, a requirement violated.</summary>
    Refuted,

    /// <summary>The user ended it before its time.</summary>
    Interrupted,
}
