namespace MqttCheck.Verification;

/// <summary>What the kinds of verdicts have in common.</summary>
public static class VerdictKinds
{
    /// <summary>Whether something was decided: neither withheld nor partial.</summary>
    /// <param name="kind">The verdict.</param>
    public static bool IsDecided(this VerdictKind kind) => kind is not (VerdictKind.Withheld or VerdictKind.Partial);

    /// <summary>Whether the prediction stands: on both sides, or on the one side that was tested.</summary>
    /// <param name="kind">The verdict.</param>
    public static bool IsPassed(this VerdictKind kind) => kind is VerdictKind.Confirmed or VerdictKind.NotWorse;
}
