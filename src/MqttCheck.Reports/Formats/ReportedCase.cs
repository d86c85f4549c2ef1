namespace MqttCheck.Reports.Formats;

/// <summary>One thing that was asked, as machines that show tests see it.</summary>
/// <param name="Group">The group of the case, such as a profile.</param>
/// <param name="Name">The name of the case, different from all others of the group.</param>
/// <param name="Outcome">The outcome of the case.</param>
/// <param name="Summary">The result in a few words.</param>
/// <param name="Reason">Why, in a sentence.</param>
/// <param name="Details">More lines for people.</param>
/// <param name="Seconds">How long it took; NaN when not known.</param>
public sealed record ReportedCase(
    string Group,
    string Name,
    CaseOutcome Outcome,
    string Summary,
    string Reason,
    IReadOnlyList<string> Details,
    double Seconds = double.NaN
)
{
    /// <summary>The verdict on a prediction in one word, as in JSON; null for what is none.</summary>
    public string? Verdict { get; init; }
}
