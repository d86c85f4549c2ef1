using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;

namespace MqttCheck.App.Check;

/// <summary>The parameters of a check.</summary>
internal sealed record CheckRequest
{
    /// <summary>The command that repeats a finding.</summary>
    public required Func<Finding, string> RepeatOf { get; init; }

    /// <summary>The command that repeats the check, without credentials.</summary>
    public required string CommandLine { get; init; }

    /// <summary>The seed of all scenarios.</summary>
    public required ulong Seed { get; init; }

    /// <summary>How long to explore.</summary>
    public required TimeSpan Budget { get; init; }

    /// <summary>The protocol versions; with several, those that the broker accepts.</summary>
    public required ValueList<ProtocolVersion> Versions { get; init; }

    /// <summary>Whether malformed packets are sent.</summary>
    public required bool WithMalformed { get; init; }

    /// <summary>How long a cluster rests between commands of clients at different nodes.</summary>
    public TimeSpan Settle { get; init; }

    /// <summary>The statements to report; empty for all.</summary>
    public required IReadOnlyList<Statement> Only { get; init; }

    /// <summary>The statements not to report.</summary>
    public required IReadOnlyList<Statement> Skip { get; init; }

    /// <summary>The load that keeps the broker busy during the check; null for none.</summary>
    public CheckLoad? Load { get; init; }

    /// <summary>Scenarios that run beside one that is repeated.</summary>
    public IReadOnlyList<string> Beside { get; init; } = [];

    /// <summary>Whether it is asked how often each deviation happens.</summary>
    public bool WithRates { get; init; }

    /// <summary>Whether a statement is one to report.</summary>
    public bool Counts(Statement statement) =>
        (Only.Count == 0 || Only.Contains(statement)) && !Skip.Contains(statement);
}
