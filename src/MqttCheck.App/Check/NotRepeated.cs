namespace MqttCheck.App.Check;

/// <summary>A deviation that was seen but not confirmed by repetitions, as the file has it.</summary>
internal sealed record NotRepeated
{
    /// <summary>Statement and circumstances.</summary>
    public required string Key { get; init; }

    /// <summary>How often it was seen and sought again.</summary>
    public required int Times { get; init; }

    /// <summary>How often its scenario was repeated; 0 where it never was.</summary>
    public int Replays { get; init; }

    /// <summary>In how many of these repetitions it came again.</summary>
    public int Hits { get; init; }

    /// <summary>The behaviour that was observed where the deviation was seen first.</summary>
    public required string Observed { get; init; }

    /// <summary>The protocol version there.</summary>
    public required string Protocol { get; init; }

    /// <summary>The scenario there, one command each, not shrunk.</summary>
    public required IReadOnlyList<string> Scenario { get; init; }

    /// <summary>The run there, one line per packet.</summary>
    public required IReadOnlyList<string> Transcript { get; init; }
}
