using MqttCheck.Conformance.Model;

namespace MqttCheck.App.Check;

/// <summary>The parameters of a check of a client program.</summary>
internal sealed record ClientCheckRequest
{
    /// <summary>The program as the user gave it.</summary>
    public required string Program { get; init; }

    /// <summary>Its words, with the place of the port.</summary>
    public required IReadOnlyList<string> Words { get; init; }

    /// <summary>The command that repeats a script so many times.</summary>
    public required Func<string, int, string> RepeatOf { get; init; }

    /// <summary>The command that repeats the check.</summary>
    public required string CommandLine { get; init; }

    /// <summary>The seed of all scripts.</summary>
    public required ulong Seed { get; init; }

    /// <summary>How long to explore, shrinking and confirming included.</summary>
    public required TimeSpan Budget { get; init; }

    /// <summary>Whether packets that break a rule are sent.</summary>
    public required bool WithMalformed { get; init; }

    /// <summary>The statements to report; empty for all.</summary>
    public required IReadOnlyList<Statement> Only { get; init; }

    /// <summary>The statements not to report.</summary>
    public required IReadOnlyList<Statement> Skip { get; init; }

    /// <summary>Whether a statement is one to report.</summary>
    public bool Counts(Statement statement) =>
        (Only.Count == 0 || Only.Contains(statement)) && !Skip.Contains(statement);
}
