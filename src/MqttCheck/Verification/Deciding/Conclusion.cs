namespace MqttCheck.Verification.Deciding;

/// <summary>What a piece of work ends with, for whoever must act on it: a script, a pipeline, a test.</summary>
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
