namespace MqttCheck.Conformance.Roles.Searching;

/// <summary>How a client is checked.</summary>
internal sealed record ClientCheckOptions
{
    public required ulong Seed { get; init; }

    /// <summary>How long, shrinking and confirming included.</summary>
    public required TimeSpan Budget { get; init; }

    /// <summary>How many scripts are played at once.</summary>
    public int Lanes { get; init; } = 12;

    /// <summary>How many scripts are explored at most.</summary>
    public int MostScripts { get; init; } = int.MaxValue;

    /// <summary>Whether packets that break a rule are sent.</summary>
    public bool WithMalformed { get; init; } = true;

    /// <summary>How long a client may take while exploring.</summary>
    public TimeSpan Patience { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>How long it may take when a finding is confirmed.</summary>
    public TimeSpan ConfirmingPatience { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>How often a shortest script is repeated.</summary>
    public int Repetitions { get; init; } = 5;
}
