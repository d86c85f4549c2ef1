namespace MqttCheck.Auditing.Promises.Grid;

/// <summary>The laws of the wide grid, and its seed.</summary>
internal static class GridLaws
{
    /// <summary>The seed that combinations are drawn with; not that of the simulations.</summary>
    public const ulong Seed = 20261127;

    /// <summary>Beta laws that the model promises its error for, up to the largest correlation.</summary>
    public static IReadOnlyList<RunLaw> Promised { get; } =
    [.. new[] { 0, .01, .04, .1, .2, .36, .4 }.Select(RunLaw.Correlated)];

    /// <summary>Beta laws beyond what the model promises.</summary>
    public static IReadOnlyList<RunLaw> Beyond { get; } = [.. new[] { .5, .6, .8 }.Select(RunLaw.Correlated)];

    /// <summary>All that are drawn: the correlations, variances that runs are planned for, rare states.</summary>
    public static IReadOnlyList<RunLaw> All { get; } =
    [
        .. Promised,
        .. Beyond,
        RunLaw.BetaBinomial(1.2),
        RunLaw.BetaBinomial(8),
        RunLaw.RareRuns(.1, .2),
        RunLaw.RareRuns(.3, .5),
    ];
}
