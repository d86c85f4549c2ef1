using static System.FormattableString;

namespace MqttCheck.Clusters.Properties;

/// <summary>A quantity of a run, perhaps for each publication.</summary>
/// <param name="Quantity">The quantity.</param>
/// <param name="IsPerPublication">Whether it is divided by the number of publications.</param>
internal readonly record struct ClusterMeasure(ClusterQuantity Quantity, bool IsPerPublication)
{
    /// <summary>The value of a run: milliseconds for times; NaN where the run does not know it.</summary>
    /// <param name="outcome">The run. A quantity with a value for each message yields its largest value.</param>
    public double Of(ClusterOutcome outcome)
    {
        var value = Quantity.Value(outcome) ?? double.NaN;
        return IsPerPublication ? value / Math.Max(1, outcome.Publications) : value;
    }

    /// <summary>The same, but of messages the mean time.</summary>
    /// <param name="outcome">The run.</param>
    public double MeanOf(ClusterOutcome outcome) =>
        Quantity.Times?.Invoke(outcome) is { Count: > 0 } times ? times.Average() : Of(outcome);

    /// <summary>The largest value that a run can have; null where nothing bounds it.</summary>
    /// <param name="limits">The limits that the plan sets to a run; null where no bound is to be used.</param>
    internal double? Largest(RunLimits? limits) =>
        limits is null ? null : Quantity.Bound(limits, IsPerPublication ? 1 : limits.Publications);

    /// <summary>A value in words, with its unit for times.</summary>
    /// <param name="value">The value.</param>
    internal string Text(double value) =>
        Quantity.IsDuration ? Invariant($"{value:0.###} ms") : Invariant($"{value:0.####}");

    /// <inheritdoc/>
    public override string ToString() =>
        IsPerPublication ? $"{Quantity.Name} {ClusterQuantity.PerPublication}" : Quantity.Name;
}
