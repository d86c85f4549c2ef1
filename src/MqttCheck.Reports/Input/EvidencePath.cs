namespace MqttCheck.Reports.Input;

/// <summary>
/// The logarithm of the likelihood ratio of one sequential test after each sample.
/// </summary>
public sealed record EvidencePath
{
    /// <summary>The tested hypothesis, for example <c>not worse</c>.</summary>
    public required string Name { get; init; }

    /// <summary>Number of samples so far at each point of the path, ascending.</summary>
    public IReadOnlyList<int> Samples { get; init; } = [];

    /// <summary>The logarithm of the likelihood ratio (or of the wealth of a bet) after them.</summary>
    public IReadOnlyList<double> LogRatios { get; init; } = [];

    /// <summary>The bound below which the test rejects; negative infinity when it has none.</summary>
    public double LowerBound { get; init; } = double.NegativeInfinity;

    /// <summary>The conclusion at the lower bound, for example <c>worse: P ≤ 0.80</c>.</summary>
    public string LowerMeaning { get; init; } = "";

    /// <summary>The bound above which the test accepts; infinity when it has none.</summary>
    public double UpperBound { get; init; } = double.PositiveInfinity;

    /// <summary>The conclusion at the upper bound, for example <c>as predicted: P ≥ 0.90</c>.</summary>
    public string UpperMeaning { get; init; } = "";
}
