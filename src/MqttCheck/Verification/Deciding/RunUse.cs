namespace MqttCheck.Verification.Deciding;

/// <summary>The judgement whether a run counts.</summary>
internal enum RunUse
{
    /// <summary>It counts.</summary>
    Sound,

    /// <summary>
    /// It counts, but it never became stationary: where many runs never do, nothing must be concluded.
    /// </summary>
    Unsettled,

    /// <summary>
    /// It does not count, because the generator was late or overloaded. Another is made in its place.
    /// </summary>
    Invalid,
}
