namespace MqttCheck.Server.Answers;

/// <summary>The answer about one scenario, as far as it is known.</summary>
internal sealed record ScenarioAnswer
{
    /// <summary>The answer in a sentence.</summary>
    public required string Sentence { get; init; }

    /// <summary>Name of the profile or population.</summary>
    public required string Profile { get; init; }

    /// <summary>The model's name.</summary>
    public required string Model { get; init; }

    /// <summary>How many clients.</summary>
    public required int Clients { get; init; }

    /// <summary>How many setups were simulated.</summary>
    public required int Replications { get; init; }

    /// <summary>The probability that all messages of a sequence arrive in time.</summary>
    public required double Probability { get; init; }

    /// <summary>Lower end of its interval.</summary>
    public required double Lower { get; init; }

    /// <summary>Upper end of its interval.</summary>
    public required double Upper { get; init; }

    /// <summary>The share of such intervals that hold the truth.</summary>
    public required double Level { get; init; }

    /// <summary>How far the model may be trusted here.</summary>
    public required TrustLight Trust { get; init; }

    /// <summary>Worst latencies that some shares of the sequences do not exceed, in milliseconds.</summary>
    public required IReadOnlyList<LatencyQuantile> Quantiles { get; init; }

    /// <summary>The answer at other thresholds, from the smallest to the largest.</summary>
    public required IReadOnlyList<ThresholdPlace> Thresholds { get; init; }

    /// <summary>The hash of the profile's content.</summary>
    public required string ProfileSha256 { get; init; }

    /// <summary>The hash of the model's file.</summary>
    public required string ModelSha256 { get; init; }
}
