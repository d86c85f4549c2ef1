using MqttCheck.Latency;
using MqttCheck.Logs;
using MqttCheck.Predictions;

namespace MqttCheck.Cli.Results;

/// <summary>The inputs of a report; any of them may be missing.</summary>
internal sealed record ReportSources
{
    /// <summary>The exploration's log.</summary>
    public ExchangeLog? Log { get; init; }

    /// <summary>The model.</summary>
    public LearnedModel? Model { get; init; }

    /// <summary>The prediction.</summary>
    public Prediction? Prediction { get; init; }

    /// <summary>The verdicts.</summary>
    public VerdictDocument? Verdicts { get; init; }

    /// <summary>The verdicts of the run before this one, or null.</summary>
    public EarlierVerdicts? Earlier { get; init; }

    /// <summary>The user's seed.</summary>
    public ulong? Seed { get; init; }

    /// <summary>The command that repeats what is reported.</summary>
    public string? Repeat { get; init; }

    /// <summary>Whether the work was interrupted.</summary>
    public bool Interrupted { get; init; }

    /// <summary>Whether the run was a quick one.</summary>
    public bool Coarse { get; init; }

    /// <summary>Why the run failed, or null.</summary>
    public string? Failure { get; init; }

    /// <summary>How long the whole run took, or null.</summary>
    public TimeSpan? Elapsed { get; init; }

    /// <summary>The warnings to the user.</summary>
    public IReadOnlyList<string> Warnings { get; init; } = [];
}
