namespace MqttCheck.Reports.Input;

/// <summary>A sample of the successful exchanges of a log: every n-th of them, and the slowest ones.</summary>
/// <param name="Columns">Names of the columns that latency can be drawn against.</param>
/// <param name="Every">The n of "every n-th".</param>
/// <param name="Slowest">How many of the slowest exchanges were added.</param>
/// <param name="Groups">The exchanges by kind of message.</param>
public sealed record ScatterReport(
    IReadOnlyList<string> Columns,
    int Every,
    int Slowest,
    IReadOnlyList<ScatterGroup> Groups
);
