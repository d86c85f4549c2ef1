namespace MqttCheck.Workers.Computing;

/// <summary>The state that a worker reports of itself.</summary>
[GenerateSerializer]
[Alias("mqttcheck.worker-pulse")]
internal sealed record WorkerPulse
{
    /// <summary>The name of its machine.</summary>
    [Id(0)]
    public required string Machine { get; init; }

    /// <summary>The number of its process.</summary>
    [Id(1)]
    public required int ProcessId { get; init; }

    /// <summary>How many shards it computes at once.</summary>
    [Id(2)]
    public required int Slots { get; init; }

    /// <summary>How many shards it computes now.</summary>
    [Id(3)]
    public required int Busy { get; init; }

    /// <summary>The load average of its system over a minute; NaN where the system does not say.</summary>
    [Id(4)]
    public required double Load { get; init; }

    /// <summary>Its clock, in ticks of 100 ns of coordinated universal time.</summary>
    [Id(5)]
    public required long UtcTicks { get; init; }

    /// <summary>The version of the tool.</summary>
    [Id(6)]
    public required string Version { get; init; }

    /// <summary>A hash of the code that computes.</summary>
    [Id(7)]
    public required string Build { get; init; }

    /// <summary>A hash of values of its mathematics.</summary>
    [Id(8)]
    public required string Arithmetic { get; init; }

    /// <summary>The runtime and the system.</summary>
    [Id(9)]
    public required string System { get; init; }

    /// <summary>How many replications it has computed.</summary>
    [Id(10)]
    public required long Replications { get; init; }
}
