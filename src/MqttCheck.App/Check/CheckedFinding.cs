namespace MqttCheck.App.Check;

/// <summary>A finding as the file has it.</summary>
internal sealed record CheckedFinding
{
    /// <summary>The statement's number.</summary>
    public required string Statement { get; init; }

    /// <summary>The statement's short name.</summary>
    public required string Name { get; init; }

    /// <summary>must, should, option or configuration.</summary>
    public required string Class { get; init; }

    /// <summary>The behaviour that the statement demands.</summary>
    public required string Expected { get; init; }

    /// <summary>The behaviour that was observed instead.</summary>
    public required string Observed { get; init; }

    /// <summary>The circumstances in which the deviation occurs.</summary>
    public required string Circumstances { get; init; }

    /// <summary>Other circumstances that come down to the same scenario.</summary>
    public required IReadOnlyList<string> AlsoAs { get; init; }

    /// <summary>The finding that may be its cause, null for none.</summary>
    public string? ExplainedBy { get; init; }

    /// <summary>The protocol version.</summary>
    public required string Protocol { get; init; }

    /// <summary>The smallest scenario, one command each.</summary>
    public required IReadOnlyList<string> Scenario { get; init; }

    /// <summary>How often it was repeated; 0 where it was seen once, and then the broker was lost for good.</summary>
    public required int Replays { get; init; }

    /// <summary>How often it showed the deviation.</summary>
    public required int Hits { get; init; }

    /// <summary>The share of repetitions that show it at least, with 95 % confidence.</summary>
    public double LeastShare { get; init; }

    /// <summary>How long shrinking took, in seconds.</summary>
    public double ShrinkingSeconds { get; init; }

    /// <summary>The run, one line per packet.</summary>
    public required IReadOnlyList<string> Transcript { get; init; }

    /// <summary>The load under which it comes, null where it comes without.</summary>
    public string? Load { get; init; }

    /// <summary>Scenarios that run beside it, without which it does not come.</summary>
    public IReadOnlyList<string> Beside { get; init; } = [];

    /// <summary>
    /// The result of repeating the finding on a broker that was just started; null where none could be started.
    /// </summary>
    public string? OnFreshBroker { get; init; }

    /// <summary>The command that repeats it.</summary>
    public required string Repeat { get; init; }
}
