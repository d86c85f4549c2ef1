namespace MqttCheck.Signals;

/// <summary>The name and the unit of a metric whose name in Prometheus has both in one word.</summary>
internal static class GaugeName
{
    private const string Prefix = "mqttcheck_";

    // Collectors put these endings behind the name where they hand a metric with this unit on to Prometheus.
    private static readonly (string Ending, string Unit)[] s_units =
    [
        ("_ratio", "1"),
        ("_per_second", "{message}/s"),
        ("_seconds", "s"),
    ];

    /// <summary>The name and the unit, for example <c>mqttcheck.measured</c> and <c>1</c>.</summary>
    /// <param name="name">The name in Prometheus, for example <c>mqttcheck_measured_ratio</c>.</param>
    public static (string Name, string Unit) Of(string name)
    {
        var bare = "mqttcheck." + name[Prefix.Length..];
        foreach (var (ending, unit) in s_units)
            if (bare.EndsWith(ending, StringComparison.Ordinal))
                return (bare[..^ending.Length], unit);
        return (bare, "");
    }
}
