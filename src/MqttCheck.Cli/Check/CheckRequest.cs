using MqttCheck.Cli.Results;
using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;

namespace MqttCheck.Cli.Check;

/// <summary>The parameters of a check.</summary>
internal sealed record CheckRequest
{
    /// <summary>
    /// The arguments that name the broker and say how to reach it, without credentials: what a command that repeats a
    /// finding needs.
    /// </summary>
    public required IReadOnlyList<string> BrokerArguments { get; init; }

    /// <summary>The command line, without credentials.</summary>
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

    /// <summary>The path of the JSON file for the findings.</summary>
    public required string Output { get; init; }

    /// <summary>The format that is printed instead of the findings and the table; null to print these.</summary>
    public ReportFormat? Format { get; init; }

    /// <summary>The path of the Markdown file for the summary; null for none.</summary>
    public string? Summary { get; init; }

    /// <summary>Whether a statement is one to report.</summary>
    /// <param name="statement">The statement.</param>
    public bool Counts(Statement statement) =>
        (Only.Count == 0 || Only.Contains(statement)) && !Skip.Contains(statement);
}
