using MqttCheck.Sequential;

namespace MqttCheck.Verification;

/// <summary>Properties that all kinds of verdicts share.</summary>
internal static class VerdictKinds
{
    /// <summary>Whether something was decided: neither withheld nor partial.</summary>
    /// <param name="kind">The verdict.</param>
    public static bool IsDecided(this VerdictKind kind) => kind is not (VerdictKind.Withheld or VerdictKind.Partial);

    /// <summary>Whether the prediction stands: on both sides, or on the one side that was tested.</summary>
    /// <param name="kind">The verdict.</param>
    public static bool IsPassed(this VerdictKind kind) => kind is VerdictKind.Confirmed or VerdictKind.NotWorse;

    /// <summary>The verdict in one word, or two: the same in every report, message and page.</summary>
    /// <param name="kind">The verdict.</param>
    public static string Word(this VerdictKind kind) =>
        kind switch
        {
            VerdictKind.Confirmed => "confirmed",
            VerdictKind.NotWorse => "not worse",
            VerdictKind.Worse => "worse",
            VerdictKind.Better => "better",
            VerdictKind.Withheld => "withheld",
            VerdictKind.Partial => "partial",
            _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, "not a verdict"),
        };

    /// <summary>
    /// The verdict where no tested side speaks against the prediction: it is confirmed only where both sides are
    /// tested.
    /// </summary>
    /// <param name="plan">The sides that are tested.</param>
    public static VerdictKind AsPredicted(this TwoSidedPlan plan) =>
        plan.Lower is not null && plan.Upper is not null ? VerdictKind.Confirmed : VerdictKind.NotWorse;
}
