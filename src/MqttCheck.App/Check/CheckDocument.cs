using System.Text.Json.Serialization;

namespace MqttCheck.App.Check;

/// <summary>The file of findings.</summary>
internal sealed record CheckDocument
{
    /// <summary>The value of <see cref="Format"/>.</summary>
    public const string FormatName = "mqttcheck-findings";

    /// <summary>The value of <see cref="Subject"/> where a client was checked.</summary>
    public const string Client = "client";

    /// <summary>Names the format.</summary>
    public string Format { get; init; } = FormatName;

    /// <summary>The version of the format.</summary>
    public int Version { get; init; } = 1;

    /// <summary>Whom the check was about: <see cref="Client"/>, or null for a broker.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Subject { get; init; }

    /// <summary>The broker, or the program of a client, as named on the command line.</summary>
    public required string Broker { get; init; }

    /// <summary>The broker's version.</summary>
    public required string BrokerVersion { get; init; }

    /// <summary>When the check began.</summary>
    public required DateTimeOffset Started { get; init; }

    /// <summary>How long it was told to take, shrinking and confirming included, in seconds.</summary>
    public required double BudgetSeconds { get; init; }

    /// <summary>The command line of the check, without credentials.</summary>
    public required string Command { get; init; }

    /// <summary>The protocol versions.</summary>
    public required IReadOnlyList<string> Protocols { get; init; }

    /// <summary>The seed.</summary>
    public required ulong Seed { get; init; }

    /// <summary>How many scenarios were explored.</summary>
    public required long Scenarios { get; init; }

    /// <summary>How many commands that were.</summary>
    public required long Commands { get; init; }

    /// <summary>How long exploring took, without shrinking and confirming, in seconds.</summary>
    public required double ExploringSeconds { get; init; }

    /// <summary>Whether the check was interrupted.</summary>
    public required bool Interrupted { get; init; }

    /// <summary>The findings.</summary>
    public required IReadOnlyList<CheckedFinding> Findings { get; init; }

    /// <summary>Deviations that were seen and not confirmed by repetitions.</summary>
    public required IReadOnlyList<NotRepeated> NotRepeated { get; init; }

    /// <summary>Keys of deviations that were seen and not repeated before the time was over.</summary>
    public IReadOnlyList<string> NotLookedInto { get; init; } = [];

    /// <summary>The load under which it was checked, null for none.</summary>
    public string? Load { get; init; }

    /// <summary>How often each deviation happens; empty where that was not asked.</summary>
    public IReadOnlyList<DeviationRate> Rates { get; init; } = [];

    /// <summary>All statements.</summary>
    public required IReadOnlyList<CheckedStatement> Coverage { get; init; }
}
