namespace MqttCheck.Reports.Input;

/// <summary>Pearson correlations of the columns of a log, over its successful exchanges.</summary>
/// <param name="Columns">Names of the columns.</param>
/// <param name="Coefficients">One row for each column; NaN where a column does not vary.</param>
public sealed record CorrelationReport(
    IReadOnlyList<string> Columns,
    IReadOnlyList<IReadOnlyList<double>> Coefficients
);
