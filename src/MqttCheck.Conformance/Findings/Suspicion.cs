using System.Globalization;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;

namespace MqttCheck.Conformance.Findings;

/// <summary>
/// A deviation that was seen while exploring and was not confirmed by repetitions, so that it is no finding.
/// </summary>
/// <param name="Scenario">The scenario in which it was seen first.</param>
/// <param name="Deviation">The deviation there.</param>
/// <param name="Names">The names of that run.</param>
/// <param name="Trace">The trace of that run.</param>
/// <param name="Times">How often it was seen and sought again.</param>
public sealed record Suspicion(
    Scenario Scenario,
    Deviation Deviation,
    ScenarioNames Names,
    IReadOnlyList<TraceEntry> Trace,
    int Times
)
{
    /// <summary>How often its scenario was repeated; 0 where it never was.</summary>
    public int Replays { get; init; }

    /// <summary>In how many of these repetitions it came again.</summary>
    public int Hits { get; init; }

    /// <summary>Statement and circumstances.</summary>
    public string Key => Deviation.Key;

    /// <summary>How it was repeated, in words.</summary>
    public string Repeated => DescribeRepetitions(Hits, Replays);

    /// <summary>How something that is no finding was repeated, in words.</summary>
    /// <param name="hits">In how many repetitions it came.</param>
    /// <param name="replays">How many there were.</param>
    public static string DescribeRepetitions(int hits, int replays) =>
        replays == 0 ? "never repeated"
        : hits == 0 ? string.Create(CultureInfo.InvariantCulture, $"in none of {replays} repetitions")
        : string.Create(CultureInfo.InvariantCulture, $"in {hits} of {replays} repetitions, and not confirmed");
}
