namespace MqttCheck.Server.Answers;

/// <summary>One property of one variant of a cluster.</summary>
/// <param name="Label">The change of this variant; empty where nothing is varied.</param>
/// <param name="Property">The property.</param>
/// <param name="Estimate">The share of runs, the expectation or the quantile, in ms for times.</param>
/// <param name="Lower">Lower end of its interval.</param>
/// <param name="Upper">Upper end of its interval.</param>
/// <param name="Kind">
/// Whether the error of the interval is guaranteed or approximate, in a word; null without an interval.
/// </param>
/// <param name="Runs">How many runs it rests on.</param>
/// <param name="Holds">Whether a statement holds; null while that is not decided.</param>
/// <param name="Reason">How the value was found and what it promises.</param>
internal sealed record ClusterRow(
    string Label,
    string Property,
    double? Estimate,
    double? Lower,
    double? Upper,
    string? Kind,
    int Runs,
    bool? Holds,
    string Reason
);
