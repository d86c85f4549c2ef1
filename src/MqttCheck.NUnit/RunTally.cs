using System.Globalization;

namespace MqttCheck.NUnit;

/// <summary>The runs on which a verdict rests, and those that were not counted because the load generator spoilt them.</summary>
/// <param name="Counted">The runs that count, in the order in which they were made.</param>
/// <param name="Invalid">The runs whose generator was overloaded or late.</param>
internal sealed record RunTally(IReadOnlyList<MeasuredRun> Counted, IReadOnlyList<MeasuredRun> Invalid)
{
    /// <summary>Why there is no verdict, where half of the runs are invalid, or more; null otherwise.</summary>
    public string? Invalidity =>
        Invalid.Count > 0 && Invalid.Count >= Counted.Count
            ? string.Create(
                CultureInfo.InvariantCulture,
                $"no verdict: in {Invalid.Count} of {Invalid.Count + Counted.Count} runs the load generator was overloaded or late, which says nothing about the broker: leave the machine more time, or use fewer clients. {Worst}"
            )
            : null;

    /// <summary>The invalid runs in words, or null.</summary>
    public string? Remark =>
        Invalid.Count == 0
            ? null
            : string.Create(
                CultureInfo.InvariantCulture,
                $"{Invalid.Count} of {Invalid.Count + Counted.Count} runs, repeated because the load generator spoilt them. {Worst}"
            );

    private string? Worst =>
        Invalid.SelectMany(run => run.Health.Findings).FirstOrDefault(finding => finding.Invalidates)?.Text;
}
