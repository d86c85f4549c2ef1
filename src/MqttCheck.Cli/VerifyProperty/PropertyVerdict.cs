using MqttCheck.Clients;
using MqttCheck.Properties.Traces;
using MqttCheck.Reports.Input;
using MqttCheck.Statistics;

namespace MqttCheck.Cli.VerifyProperty;

/// <summary>The verdict on a property, as its file holds it.</summary>
internal sealed record PropertyVerdict
{
    /// <summary>Always <c>mqttcheck-property-verdict</c>.</summary>
    public string Format { get; init; } = PropertyVerdictFile.Format;

    /// <summary>The version of the format.</summary>
    public int Version { get; init; } = PropertyVerdictFile.Version;

    /// <summary>The version of the tool that wrote it.</summary>
    public required string ToolVersion { get; init; }

    /// <summary>The broker that was measured, without credentials.</summary>
    public required BrokerReport Broker { get; init; }

    /// <summary>The property as it was asked.</summary>
    public required string Property { get; init; }

    /// <summary>The condition that a trace must fulfil.</summary>
    public required string Meaning { get; init; }

    /// <summary>The profile.</summary>
    public required string Profile { get; init; }

    /// <summary>How many clients shared the broker.</summary>
    public required int Clients { get; init; }

    /// <summary>The verdict.</summary>
    public required PropertyVerdictKind Verdict { get; init; }

    /// <summary>Why.</summary>
    public required string Reason { get; init; }

    /// <summary>The observation, in one sentence.</summary>
    public required string Seen { get; init; }

    /// <summary>The probability with which a trace must fulfil it.</summary>
    public required double Probability { get; init; }

    /// <summary>How far below the truth must lie to be found a violation for sure.</summary>
    public required double Indifference { get; init; }

    /// <summary>The largest probability of each wrong verdict.</summary>
    public required double Error { get; init; }

    /// <summary>Under which assumption that error holds, and what it says.</summary>
    public required string Promise { get; init; }

    /// <summary>The deviation that the runs cannot exclude.</summary>
    public string? NotExcluded { get; init; }

    /// <summary>The runs that do not count; null where all do.</summary>
    public string? InvalidRuns { get; init; }

    /// <summary>
    /// The share of fulfilling traces among those about which the property says something; null where there are none.
    /// </summary>
    public double? Observed { get; init; }

    /// <summary>Its 95 % interval.</summary>
    public required Interval Interval { get; init; }

    /// <summary>Traces that fulfil it.</summary>
    public required long Fulfilling { get; init; }

    /// <summary>Traces about which it says nothing.</summary>
    public required long Silent { get; init; }

    /// <summary>All counted traces.</summary>
    public required long Traces { get; init; }

    /// <summary>The groups of clients, each with its traces and with those about which it says something.</summary>
    public required IReadOnlyList<TracesOfGroup> Groups { get; init; }

    /// <summary>The counts of each run: traces that fulfil it, and traces about which it says something.</summary>
    public required IReadOnlyList<RunCount> Runs { get; init; }

    /// <summary>How long the runs took.</summary>
    public required double Seconds { get; init; }

    /// <summary>The log of the runs.</summary>
    public required string Log { get; init; }

    /// <summary>The user's seed.</summary>
    public required ulong Seed { get; init; }

    /// <summary>The command that repeats it.</summary>
    public required string Repeat { get; init; }

    /// <summary>Whether it was interrupted.</summary>
    public bool Interrupted { get; init; }

    /// <summary>The warnings to the user.</summary>
    public IReadOnlyList<string> Warnings { get; init; } = [];
}
