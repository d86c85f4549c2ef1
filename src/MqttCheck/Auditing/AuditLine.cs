namespace MqttCheck.Auditing;

/// <summary>
/// Compares the error probability that a statistical rule promises with the error probability it really has.
/// </summary>
/// <param name="Rule">The rule and its parameters.</param>
/// <param name="Error">The wrong answer that counts as an error of this rule.</param>
/// <param name="IsGuarantee">
/// Whether the rule is offered as a guarantee; the others are named approximate, or promise something else.
/// </param>
/// <param name="Promised">The error probability it promises, or suggests.</param>
/// <param name="Worst">The largest true error probability on the grid, computed exactly.</param>
/// <param name="AtProbability">The true probability of success where it is largest.</param>
/// <param name="LargestExpectedSamples">The largest expected number of samples on the grid.</param>
internal sealed record AuditLine(
    string Rule,
    string Error,
    bool IsGuarantee,
    double Promised,
    double Worst,
    double AtProbability,
    double LargestExpectedSamples
)
{
    /// <summary>Whether the promise is kept on the whole grid, up to the rounding of the computation.</summary>
    public bool IsKept => Worst <= Promised * (1 + 1e-9);
}
